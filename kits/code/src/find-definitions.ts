import type { Query } from 'web-tree-sitter';
import type { SyntaxNode } from './language-pack.ts';

/** A definition reported by the query. */
export interface FoundDefinition {
  readonly kind: string;
  readonly node: SyntaxNode;
  readonly name: SyntaxNode;
}

/** The results of a query on a tree. */
export interface FoundDefinitions {
  /** By node id; for a node that several patterns capture, the first counts, and one that captures more than a value. */
  readonly definitions: ReadonlyMap<number, FoundDefinition>;
  /** How many nodes are captured as `@misread`: the grammar accepts them, but the language does not allow them. */
  readonly misread: number;
}

const DEFINITION = 'definition.';
/** The kind of constants and entries of tables, as a pack captures them. */
export const VALUE = 'value';
/** Kinds of the grammars' own queries that say too little: a pack captures a value as {@link VALUE}, or as what it contains. */
const DATA_KINDS = new Set(['constant', 'variable', 'property', 'field']);

/** The comment above a definition, which the walk finds by itself, and what is to be done with it. */
const DOC = /\(comment\)\*\s*@doc\s*\.|\(#[\w-]+!\s+@doc[^)]*\)/g;

/** The patterns of a grammar's own query that capture units. The others, and comments, would take a quarter of the time to compile it. */
export function unitPatterns(tags: string): string {
  const patterns = tags
    .split(/^(?=\()/m)
    .filter((one) => [...one.matchAll(/@definition\.([\w.-]+)/g)].some(([, kind = '']) => !DATA_KINDS.has(kind)));
  return patterns.join('').replaceAll(DOC, '');
}

/** Limits of {@link findDefinitions}. */
export interface DefinitionLimits {
  /** The maximum depth in the tree that is searched. */
  readonly maxDepth: number;
  readonly isLate: () => boolean;
}

/** The definitions in a tree; null if `isLate` returned true before the end. */
export function findDefinitions(
  query: Query,
  root: SyntaxNode,
  { maxDepth, isLate }: DefinitionLimits,
): FoundDefinitions | null {
  let stopped = false;
  const matches = query.matches(root, { maxStartDepth: maxDepth, progressCallback: () => (stopped ||= isLate()) });
  if (stopped) return null;
  const definitions = new Map<number, FoundDefinition>();
  let misread = 0;
  for (const { captures } of matches) {
    if (captures[0]?.name === 'misread') misread++;
    const definition = captures.find((capture) => capture.name.startsWith(DEFINITION));
    const name = captures.find((capture) => capture.name === 'name');
    if (definition === undefined || name === undefined) continue;
    const { node } = definition;
    const kind = definition.name.slice(DEFINITION.length);
    const known = definitions.get(node.id);
    if (DATA_KINDS.has(kind) || (known !== undefined && (known.kind !== VALUE || kind === VALUE))) continue;
    definitions.set(node.id, { kind, node, name: name.node });
  }
  return { definitions, misread };
}

/** How many levels of a tree are searched at a time: deep enough for the units of most files, without much of their bodies. */
const LEVELS = 3;

/** What {@link DefinitionSearch} needs. */
export interface DefinitionSearchInit {
  readonly query: Query;
  /** The maximum depth in the tree that is searched. */
  readonly maxDepth: number;
  readonly isLate: () => boolean;
  /** The definitions of the whole tree, if already known. */
  readonly known: ReadonlyMap<number, FoundDefinition> | null;
}

/**
 * Searches the definitions of a tree some levels at a time, because function bodies are most of a file and contain no units. After the
 * timeout nothing more is found.
 */
export class DefinitionSearch {
  readonly #init: DefinitionSearchInit;
  readonly #found: Map<number, FoundDefinition>;
  #isStopped = false;

  constructor(init: DefinitionSearchInit) {
    this.#init = init;
    this.#found = new Map(init.known);
  }

  /** Whether the timeout expired during a search. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** The definition at a node, if its depth has been searched. */
  at(node: SyntaxNode): FoundDefinition | undefined {
    return this.#found.get(node.id);
  }

  /** Searches below a node at the given depth; returns the depth down to which definitions are now known. */
  below(node: SyntaxNode, depth: number): number {
    const { query, maxDepth, isLate, known } = this.#init;
    if (known !== null || this.#isStopped || depth >= maxDepth) return Infinity;
    const levels = Math.min(LEVELS, maxDepth - depth);
    const found = findDefinitions(query, node, { maxDepth: levels, isLate });
    if (found === null) this.#isStopped = true;
    else for (const [id, one] of found.definitions) if (!this.#found.has(id)) this.#found.set(id, one);
    return depth + levels;
  }
}
