/**
 * Compiles a glob on workspace paths: `*` and `?` do not match `/`, `**` does, and as a whole segment it also matches zero segments;
 * `[ab]`, `[a-z]`, `[!a]` and `{a,b}` work as in a shell, `\` escapes the next character. Everything else is literal, including an unclosed
 * bracket or brace. Matching is case-sensitive; hidden files are ordinary files. A glob whose last segment has no wildcard also matches
 * everything below a folder of that name; one that ends with a slash matches only that. Brackets and
 * braces also match themselves, since they occur in names: `[id].ts`, `{slug}/a.md`.
 *
 * All alternatives are tracked in parallel, so that matching takes at most time proportional to the length of the glob times that of the
 * path. A regular expression would backtrack, and globs come from untrusted clients.
 */
export function compilePathGlob(glob: string): (path: string) => boolean {
  const states: State[] = [{ kind: 'end' }];
  const start = compile(withFolder(read(glob)), END, states);
  const ways = new Ways(states, start);
  return (path) => {
    let reached = ways.start();
    for (const character of path) {
      reached = reached.onward.get(character) ?? ways.follow(reached, character);
      if (reached.states.length === 0) return false;
    }
    return reached.isEnd;
  };
}

/** The literal prefix of every matching path: the part of the glob before its first wildcard. */
export function literalPrefix(glob: string): string {
  let prefix = '';
  for (const piece of read(glob)) {
    if (piece.kind !== 'one' || piece.literal === undefined) break;
    prefix += piece.literal;
  }
  return prefix;
}

function read(glob: string): readonly Piece[] {
  return parse(glob.normalize('NFC').replace(/^\.?\/+/, ''));
}

type Test = (character: string) => boolean;

/** A part of a glob. */
type Piece =
  | { readonly kind: 'one'; readonly test: Test; readonly literal?: string }
  /** Any number of characters. */
  | { readonly kind: 'many'; readonly test: Test }
  /** Any number of whole segments, each with its trailing slash. */
  | { readonly kind: 'segments' }
  | { readonly kind: 'alternatives'; readonly globs: readonly (readonly Piece[])[]; readonly isNameToo?: boolean };

const isAny: Test = () => true;
const isSlash: Test = (character) => character === '/';
const isNoSlash: Test = (character) => character !== '/';

const BELOW: Piece = { kind: 'many', test: isAny };

/** Extends the pieces of a glob that may name a folder so that they match everything below it. */
function withFolder(pieces: readonly Piece[]): readonly Piece[] {
  const last = pieces.at(-1);
  if (last === undefined) return pieces;
  if (isLiteral(last, '/')) return [...pieces, BELOW];
  const nameStart = pieces.findLastIndex((piece) => piece.kind === 'segments' || isLiteral(piece, '/')) + 1;
  const isName = (piece: Piece): boolean =>
    piece.kind === 'alternatives' ? piece.isNameToo === true : piece.kind === 'one' && piece.literal !== undefined;
  const isPlain = pieces.slice(nameStart).every(isName);
  return isPlain ? [...pieces, { kind: 'alternatives', globs: [[], [literal('/'), BELOW]] }] : pieces;
}

function isLiteral(piece: Piece, character: string): boolean {
  return piece.kind === 'one' && piece.literal === character;
}

const WHOLE_SEGMENTS = /(?:\*\*\/)+/y;
const STARS = /\*+/y;
const CLASS = /\[([!^]?)(\]?[^\]]*)\]/suy;

function parse(glob: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  while (at < glob.length) {
    const [piece, length] = pieceAt(glob, at);
    pieces.push(piece);
    at += length;
  }
  return pieces;
}

/** The piece that begins at an offset, and its length in the glob. */
function pieceAt(glob: string, at: number): readonly [piece: Piece, length: number] {
  const character = String.fromCodePoint(glob.codePointAt(at) ?? 0);
  if (character === '*') {
    const startsSegment = at === 0 || /[/:]/.test(glob[at - 1] ?? ''); // a colon ends the name of a source
    const segments = startsSegment ? foundAt(WHOLE_SEGMENTS, glob, at) : null;
    if (segments !== null) return [{ kind: 'segments' }, segments[0].length];
    const stars = foundAt(STARS, glob, at)?.[0].length ?? 1;
    return [{ kind: 'many', test: stars === 1 ? isNoSlash : isAny }, stars];
  }
  if (character === '?') return [{ kind: 'one', test: isNoSlash }, 1];
  if (character === '\\' && at + 1 < glob.length) {
    const escaped = String.fromCodePoint(glob.codePointAt(at + 1) ?? 0);
    return [literal(escaped), 1 + escaped.length];
  }
  if (character === '[') return characterClass(glob, at) ?? [literal(character), 1];
  if (character === '{') return alternatives(glob, at) ?? [literal(character), 1];
  return [literal(character), character.length];
}

function foundAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function literal(character: string): Piece {
  return { kind: 'one', test: (other) => other === character, literal: character };
}

function literals(text: string): readonly Piece[] {
  return Array.from(text, literal);
}

function characterClass(glob: string, at: number): readonly [Piece, number] | undefined {
  const match = foundAt(CLASS, glob, at);
  const members = match?.[2] ?? '';
  if (match === null || members === '') return undefined;
  const escaped = members.replaceAll(/[\\\][^]/g, String.raw`\$&`).replaceAll(/^-|-$/g, String.raw`\-`);
  const negated = match[1] === '' ? '' : '^';
  try {
    const pattern = new RegExp(`^[${negated}${escaped}]$`, 'su');
    const one: Piece = { kind: 'one', test: (character) => character !== '/' && pattern.test(character) };
    return [{ kind: 'alternatives', globs: [[one], literals(match[0])], isNameToo: true }, match[0].length];
  } catch {
    return undefined; // a reversed range such as [z-a]
  }
}

function alternatives(glob: string, at: number): readonly [Piece, number] | undefined {
  const parts: string[] = [];
  let depth = 0;
  let from = at + 1;
  for (let i = at; i < glob.length; i++) {
    const character = glob[i];
    if (character === '\\') i++;
    else if (character === '{') depth++;
    else if (character === ',' && depth === 1) {
      parts.push(glob.slice(from, i));
      from = i + 1;
    } else if (character === '}' && --depth === 0) {
      parts.push(glob.slice(from, i));
      if (parts.length === 1) return undefined;
      const text = glob.slice(at, i + 1);
      const isNested = text.indexOf('{', 1) !== -1; // the text of each level would be compiled again
      const names = isNested ? [] : [literals(text)];
      return [{ kind: 'alternatives', globs: [...parts.map(parse), ...names] }, text.length];
    }
  }
  return undefined;
}

/** A state of the matcher: before a character, before a fork, or at the end. */
type State =
  | { readonly kind: 'one'; readonly test: Test; readonly next: number }
  | { readonly kind: 'fork'; readonly ways: number[] }
  | { readonly kind: 'end' };

/** The index of the state at the end. */
const END = 0;

/** Adds states for the pieces, followed by the state `next`; returns the first of them. */
function compile(pieces: readonly Piece[], next: number, states: State[]): number {
  const add = (state: State): number => states.push(state) - 1;
  return pieces.reduceRight((after, piece) => {
    switch (piece.kind) {
      case 'one':
        return add({ kind: 'one', test: piece.test, next: after });
      case 'many': {
        const ways = [after];
        const fork = add({ kind: 'fork', ways });
        ways.push(add({ kind: 'one', test: piece.test, next: fork }));
        return fork;
      }
      case 'segments': {
        const [ways, inside]: [number[], number[]] = [[after], []];
        const fork = add({ kind: 'fork', ways });
        const name = add({ kind: 'one', test: isNoSlash, next: add({ kind: 'fork', ways: inside }) });
        inside.push(name, add({ kind: 'one', test: isSlash, next: fork }));
        ways.push(name);
        return fork;
      }
      case 'alternatives':
        return add({ kind: 'fork', ways: piece.globs.map((glob) => compile(glob, after, states)) });
      default:
        return piece satisfies never;
    }
  }, next);
}

/** A set of states that a path can be in. */
interface Reached {
  /** Ascending, without forks. */
  readonly states: readonly number[];
  readonly isEnd: boolean;
  /** The transitions computed so far, by character. */
  readonly onward: Map<string, Reached>;
}

/** The size of the cache, in states; a glob over the paths of a workspace needs a few hundred. */
const MAX_KNOWN_STATES = 200_000;

/** The matcher of a glob. Each transition is computed once and cached, because the paths of a workspace are similar. */
class Ways {
  readonly #states: readonly State[];
  readonly #first: number;
  readonly #known = new Map<string, Reached>();
  #start: Reached | undefined;
  #knownStates = 0;

  constructor(states: readonly State[], first: number) {
    this.#states = states;
    this.#first = first;
  }

  start(): Reached {
    this.#start ??= this.#reach([this.#first]);
    return this.#start;
  }

  follow(from: Reached, character: string): Reached {
    if (this.#knownStates > MAX_KNOWN_STATES) this.#forget();
    const firsts: number[] = [];
    for (const at of from.states) {
      const state = this.#states[at];
      if (state?.kind === 'one' && state.test(character)) firsts.push(state.next);
    }
    const reached = this.#reach(firsts);
    from.onward.set(character, reached);
    this.#knownStates += 1 + reached.states.length;
    return reached;
  }

  #reach(firsts: readonly number[]): Reached {
    const seen = new Set<number>();
    const pending = [...firsts];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      const state = this.#states[at];
      if (state?.kind === 'fork') pending.push(...state.ways);
    }
    const states = [...seen].filter((at) => this.#states[at]?.kind !== 'fork').toSorted((a, b) => a - b);
    const key = states.join();
    let reached = this.#known.get(key);
    if (reached === undefined) {
      reached = { states, isEnd: seen.has(END), onward: new Map() };
      this.#known.set(key, reached);
    }
    return reached;
  }

  #forget(): void {
    this.#known.clear();
    this.#start = undefined;
    this.#knownStates = 0;
  }
}
