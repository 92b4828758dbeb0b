import { firstChars } from '@kebab/plugin';
import { type DefinitionSearch, type FoundDefinition, VALUE } from './find-definitions.ts';
import type { BrokenUnit } from './broken-code.ts';
import type { PieceCutter, SourceText } from './piece-cutter.ts';
import type { Syntax, SyntaxNode } from './language-pack.ts';

/** Below this depth, a container is one unit and conditionals are not searched, so that names and stacks stay bounded. */
const MAX_DEPTH = 24;
const MAX_WRAPPERS = 4;
const MAX_NAME_CHARS = 200;
/** A file with more constants and entries of tables is data: the others stay between the units. */
const MAX_VALUES = 400;
/** Deeper nodes are never checked for definitions. */
export const DEEPEST_DEFINITION = MAX_DEPTH + MAX_WRAPPERS;
/** The node type of text with syntax errors; definitions inside are still valid. */
const ERROR = 'ERROR';

/** What {@link walkUnits} needs. */
export interface UnitWalkInput {
  readonly syntax: Syntax;
  readonly root: SyntaxNode;
  readonly workspacePath: string;
  readonly definitions: DefinitionSearch;
  readonly source: SourceText;
  readonly cutter: PieceCutter;
  /** Units that the tree does not have, in order. */
  readonly broken?: readonly BrokenUnit[] | undefined;
}

/** Reports every unit and container of a tree to the cutter, in order. Bodies of functions are not entered. */
export function walkUnits(input: UnitWalkInput): void {
  const { syntax, root, workspacePath } = input;
  new UnitWalk(input).enter(
    root,
    {
      symbol: null,
      prefix: syntax.prefixOf?.({ workspacePath, root }) ?? '',
      memberOf: null,
      depth: 0,
    },
    START,
  );
}

/** The position of the walk: the enclosing container and the depth. */
interface Scope {
  /** The symbol of the container; null at file level. */
  readonly symbol: string | null;
  /** The prefix of the members' symbols. */
  readonly prefix: string;
  readonly memberOf: string | null;
  readonly depth: number;
}

/** The position of a node in the tree. */
interface Place {
  /** Its depth. */
  readonly level: number;
  /** The depth down to which the definitions around it are known. */
  readonly searched: number;
}

interface PlacedDefinition {
  readonly found: FoundDefinition;
  readonly place: Place;
}

const START: Place = { level: 0, searched: 0 };
const NOTHING: readonly never[] = Object.freeze([]);

class UnitWalk {
  readonly #syntax: Syntax;
  readonly #definitions: DefinitionSearch;
  readonly #source: SourceText;
  readonly #cutter: PieceCutter;
  readonly #leading: ReadonlySet<string>;
  readonly #wrappers: ReadonlySet<string>;
  readonly #lookThrough: ReadonlySet<string>;
  readonly #containers: ReadonlySet<string>;
  /** Comments and attributes that may belong to the next node: their start, and the line on which they end. */
  #lead: { readonly start: number; readonly line: number } | null = null;
  /** The last node that is not a comment, or the offset of its end. */
  #last: SyntaxNode | number = 0;
  #values = 0;
  readonly #broken: BrokenUnit[];

  constructor({ syntax, definitions, source, cutter, broken = [] }: UnitWalkInput) {
    this.#broken = [...broken];
    this.#syntax = syntax;
    this.#definitions = definitions;
    this.#source = source;
    this.#cutter = cutter;
    this.#leading = new Set(syntax.leading);
    this.#wrappers = new Set(syntax.wrappers);
    this.#lookThrough = new Set([...syntax.lookThrough, ERROR]);
    this.#containers = new Set(syntax.containers);
  }

  enter(node: SyntaxNode, scope: Scope, place: Place): void {
    const inside = this.#inside(node, place);
    for (const child of node.children) {
      if (this.#broken.length > 0) this.#takeBroken(child.startIndex, scope);
      this.#visit(child, scope, inside);
    }
    if (this.#broken.length > 0) this.#takeBroken(node.endIndex, scope);
  }

  /** Reports the broken units before an offset, except those inside a unit. */
  #takeBroken(before: number, { symbol, prefix }: Scope): void {
    const { separator } = this.#syntax;
    for (let unit = this.#broken[0]; unit !== undefined && unit.start < before; unit = this.#broken[0]) {
      this.#broken.shift();
      const { start, end, name } = unit;
      const last = this.#last;
      const isFiller = typeof last !== 'number' && last.startIndex === start; // it stands for the unit
      if (!isFiller && start < (typeof last === 'number' ? last : last.endIndex)) continue;
      const path = prefix === '' ? name : prefix + separator + name;
      this.#cutter.begin({ role: 'unit', symbol: path, from: this.#leadOf(start), start });
      this.#cutter.end(end, symbol);
      this.#pass(end);
    }
  }

  #visit(node: SyntaxNode, scope: Scope, place: Place): void {
    const definition = this.#definitions.at(node);
    if (definition !== undefined && this.#take(node, { found: definition, place }, scope)) return;
    const type = node.type;
    if (this.#leading.has(type)) {
      this.#noteLead(node);
      return;
    }
    const wrapped = this.#wrappers.has(type) ? this.#definitionsIn(node, place, MAX_WRAPPERS) : NOTHING;
    const [only] = wrapped;
    if (only !== undefined && wrapped.length === 1 && this.#take(node, only, scope)) return;
    if (scope.depth < MAX_DEPTH && (this.#lookThrough.has(type) || wrapped.length > 1)) {
      const { symbol, prefix, memberOf, depth } = scope; // not spread, which would take a large part of the walk's time
      this.enter(node, { symbol, prefix, memberOf, depth: depth + 1 }, place);
      return;
    }
    const body = scope.depth < MAX_DEPTH ? (this.#syntax.membersOf?.(node, null) ?? null) : null;
    if (body !== null) this.enter(body, { ...scope, depth: scope.depth + 1 }, below(node, body, place));
    else this.#pass(node);
  }

  /** The definitions inside a wrapper, including nested wrappers. */
  #definitionsIn(wrapper: SyntaxNode, place: Place, levels: number): readonly PlacedDefinition[] {
    const inside = this.#inside(wrapper, place);
    return wrapper.children.flatMap((child) => {
      const found = this.#definitions.at(child);
      if (found !== undefined) return [{ found, place: inside }];
      return levels > 1 && this.#wrappers.has(child.type) ? this.#definitionsIn(child, inside, levels - 1) : NOTHING;
    });
  }

  /** The position of a node's children, after searching their definitions. */
  #inside(node: SyntaxNode, { level, searched }: Place): Place {
    return { level: level + 1, searched: searched > level ? searched : this.#definitions.below(node, level) };
  }

  /** Reports a unit or container; false if the pack says that it is not one. */
  #take(outer: SyntaxNode, { found, place }: PlacedDefinition, scope: Scope): boolean {
    const { node, kind, name } = found;
    const written = this.#source.text.slice(name.startIndex, name.endIndex);
    const { nameOf, separator, membersOf } = this.#syntax;
    if (kind === VALUE && this.#values >= MAX_VALUES) return false;
    const { memberOf } = scope;
    const { text } = this.#source;
    const local = nameOf === undefined ? written : nameOf({ kind, name: written, node, memberOf, source: text });
    if (local === null) return false;
    if (kind === VALUE) this.#values++;
    const last = firstChars(local, MAX_NAME_CHARS);
    const symbol = scope.prefix === '' || last === '' ? scope.prefix + last : scope.prefix + separator + last;
    const { type } = node;
    const holdsMembers = scope.depth < MAX_DEPTH && (this.#containers.has(type) || this.#containers.has(`@${kind}`));
    const body = !holdsMembers ? null : membersOf === undefined ? node : membersOf(node, kind);
    const start = outer.startIndex;
    const end = this.#endOf(outer);
    this.#cutter.begin({ role: body === null ? 'unit' : 'header', symbol, from: this.#leadOf(start), start });
    if (body !== null) {
      const members = { symbol, prefix: symbol, memberOf: type, depth: scope.depth + 1 };
      this.enter(body, members, below(node, body, place));
    }
    this.#cutter.end(end, scope.symbol);
    this.#pass(end);
    return true;
  }

  /** The start of the comments and attributes directly above an offset; the offset itself if there are none. */
  #leadOf(start: number): number {
    const lead = this.#lead;
    this.#lead = null;
    return lead !== null && this.#source.lineAt(start) <= lead.line + 1 ? lead.start : start;
  }

  #noteLead(node: SyntaxNode): void {
    const line = this.#source.lineAt(node.startIndex);
    const endLine = this.#source.lineAt(this.#endOf(node) - 1);
    if (this.#lead !== null && line <= this.#lead.line + 1) this.#lead = { start: this.#lead.start, line: endLine };
    else this.#lead = line > this.#lastLine() ? { start: node.startIndex, line: endLine } : null;
  }

  /** Records a node that is not a comment. */
  #pass(last: SyntaxNode | number): void {
    this.#lead = null;
    this.#last = last;
  }

  /** The last line of the last node that is not a comment; 0 before the first. */
  #lastLine(): number {
    const end = typeof this.#last === 'number' ? this.#last : this.#endOf(this.#last);
    return end === 0 ? 0 : this.#source.lineAt(end - 1);
  }

  /** The end of a node without trailing white space: some comments include their newline. */
  #endOf(node: SyntaxNode): number {
    const start = node.startIndex;
    let end = node.endIndex;
    while (end > start + 1 && isSpace(this.#source.text.charCodeAt(end - 1))) end--;
    return end;
  }
}

/** The position of a node inside another one. */
function below(outer: SyntaxNode, inner: SyntaxNode, { level, searched }: Place): Place {
  let depth = level;
  for (let at: SyntaxNode | null = inner; at !== null && at.id !== outer.id; at = at.parent) depth++;
  return { level: depth, searched };
}

function isSpace(code: number): boolean {
  return code === 10 || code === 32 || code === 9;
}
