import type { Query } from 'web-tree-sitter';
import { findDefinitions, type FoundDefinition } from './find-definitions.ts';
import type { SyntaxNode } from './syntax.ts';

/** How many levels of a tree are searched at a time: as far as most files have units, and not much of their bodies. */
const LEVELS = 3;
const EVERYTHING = Number.POSITIVE_INFINITY;

/** What {@link DefinitionSearch} needs. */
export interface DefinitionSearchInit {
  readonly query: Query;
  /** The depth in the tree below which nothing is looked for. */
  readonly maxDepth: number;
  readonly isLate: () => boolean;
  /** The definitions of the whole tree, if they are known already. */
  readonly known: ReadonlyMap<number, FoundDefinition> | null;
}

/**
 * The definitions of a tree, searched for some levels at a time: bodies of functions hold most of a file, and no units.
 * When the time is over nothing more is found.
 */
export class DefinitionSearch {
  readonly #init: DefinitionSearchInit;
  readonly #found: Map<number, FoundDefinition>;
  #isStopped = false;

  constructor(init: DefinitionSearchInit) {
    this.#init = init;
    this.#found = new Map(init.known);
  }

  /** Whether the time was over before the end of a search. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** What a node defines, if it lies no deeper than was searched. */
  at(node: SyntaxNode): FoundDefinition | undefined {
    return this.#found.get(node.id);
  }

  /** Searches below a node that lies at a depth of the tree; returns the depth down to which definitions are known now. */
  below(node: SyntaxNode, depth: number): number {
    const { query, maxDepth, isLate, known } = this.#init;
    if (known !== null || this.#isStopped || depth >= maxDepth) return EVERYTHING;
    const levels = Math.min(LEVELS, maxDepth - depth);
    const found = findDefinitions(query, node, { maxDepth: levels, isLate });
    if (found === null) this.#isStopped = true;
    else for (const [id, one] of found.definitions) if (!this.#found.has(id)) this.#found.set(id, one);
    return depth + levels;
  }
}
