import type { Query } from 'web-tree-sitter';
import type { SyntaxNode } from './language-pack.ts';

/** A definition as the query reports it. */
export interface FoundDefinition {
  readonly kind: string;
  readonly node: SyntaxNode;
  readonly name: SyntaxNode;
}

/** What a query says of a tree. */
export interface FoundDefinitions {
  /** By the id of their node; a node that several patterns capture is what the first says. */
  readonly definitions: ReadonlyMap<number, FoundDefinition>;
  /** How many nodes are captured as `@misread`: the grammar accepts them, the language does not have them. */
  readonly misread: number;
}

const DEFINITION = 'definition.';
const MISREAD = 'misread';
/** Data, not code: a pack whose constant is a function captures it as one. */
const DATA_KINDS = new Set(['constant', 'variable', 'property', 'field']);

/** Switches off the patterns of a query that capture no unit: references, constants. They would cost half of its time. */
export function keepUnitPatterns(query: Query, source: string): void {
  for (let pattern = 0; pattern < query.patternCount(); pattern++) {
    const text = source.slice(query.startIndexForPattern(pattern), query.endIndexForPattern(pattern));
    const kinds = [...text.matchAll(/@definition\.([\w.-]+)/g)].map(([, kind = '']) => kind);
    if (kinds.every((kind) => DATA_KINDS.has(kind)) && !text.includes(`@${MISREAD}`)) query.disablePattern(pattern);
  }
}

/** Where and how long {@link findDefinitions} looks. */
export interface DefinitionLimits {
  /** The depth in the tree below which nothing is looked for. */
  readonly maxDepth: number;
  readonly isLate: () => boolean;
}

/** The definitions in a tree. Null when `isLate` answered true before the end. */
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
    if (captures[0]?.name === MISREAD) misread++;
    const definition = captures.find((capture) => capture.name.startsWith(DEFINITION));
    const name = captures.find((capture) => capture.name === 'name');
    if (definition === undefined || name === undefined) continue;
    const { node } = definition;
    const kind = definition.name.slice(DEFINITION.length);
    if (!DATA_KINDS.has(kind) && !definitions.has(node.id)) definitions.set(node.id, { kind, node, name: name.node });
  }
  return { definitions, misread };
}

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
