/**
 * One line of gitignore syntax, parsed as git does (`dir.c`, `wildmatch.c`): names between slashes, `*`, `?`, brackets with POSIX classes,
 * backslashes, and `**` as a whole name, which stands for any number of folders. Case-sensitive. Like git, it counts bytes: `?` is one byte
 * of a name, so names are matched as {@link bytesOf} writes them. `*` and `**` are matched without
 * backtracking into what a name has already matched, so matching takes at most the product of the lengths of pattern and name.
 */
export interface GitignorePattern {
  /** Whether it re-includes what earlier lines exclude. */
  readonly keeps: boolean;
  /** Whether it matches only folders. */
  readonly directoryOnly: boolean;
  /** Whether it matches names in every folder below that of the file; `steps` is then one name. */
  readonly anywhere: boolean;
  readonly steps: readonly Step[];
}

/** One name of a pattern, or any number of them. */
export type Step = NameGlob | typeof ANY_FOLDERS;

/** `**` as a whole name. */
export const ANY_FOLDERS = '**';

/** A text as its bytes in UTF-8, one character each; ASCII stays as it is. */
export function bytesOf(text: string): string {
  return /[^\0-\x7f]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}

/** Parses a line; null for one without effect: an empty one, a comment, or one that cannot match any path. */
export function parseGitignoreLine(line: string): GitignorePattern | null {
  if (line.startsWith('#')) return null;
  let text = withoutTrailingSpaces(bytesOf(line));
  const keeps = text.startsWith('!');
  if (keeps) text = text.slice(1);
  const directoryOnly = text.endsWith('/');
  if (directoryOnly) text = text.slice(0, -1);
  if (text === '') return null;
  const isPath = text.includes('/');
  const names = splitNames(text.startsWith('/') ? text.slice(1) : text);
  if (names === null) return null;
  if (!isPath) return { keeps, directoryOnly, anywhere: true, steps: names.map((name) => new NameGlob(name)) };
  const steps: Step[] = [];
  for (const name of names) {
    if (!isAnyFolders(name)) steps.push(new NameGlob(name));
    else if (steps.at(-1) !== ANY_FOLDERS) steps.push(ANY_FOLDERS);
  }
  const [first, last] = steps;
  if (first === ANY_FOLDERS && steps.length === 2 && last !== undefined)
    return { keeps, directoryOnly, anywhere: true, steps: [last] };
  return { keeps, directoryOnly, anywhere: false, steps };
}

/** Trailing spaces are removed, unless the first of them is escaped by a backslash. */
function withoutTrailingSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\') {
      at++;
      end = Math.min(at + 1, line.length);
    } else if (line[at] !== ' ') end = at + 1;
  }
  return line.slice(0, end);
}

/** Matches one character: a literal, any, or those of a bracket. */
type Unit = string | typeof ANY_CHARACTER | CharacterSet;

const ANY_CHARACTER = Symbol('?');
const STAR = Symbol('*');

/** The part of a pattern between two slashes. */
type Name = readonly (Unit | typeof STAR)[];

function isAnyFolders(name: Name): boolean {
  return name.length > 1 && name.every((unit) => unit === STAR);
}

/** The names of a pattern; null when it ends inside a bracket or after a backslash, which matches nothing. */
function splitNames(text: string): readonly Name[] | null {
  const names: (Unit | typeof STAR)[][] = [];
  let name: (Unit | typeof STAR)[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '/' || (character === '\\' && text[at + 1] === '/')) {
      if (character === '\\') at++;
      names.push(name);
      name = [];
    } else if (character === '\\') {
      at++;
      if (at === text.length) return null;
      name.push(text.charAt(at));
    } else if (character === '[') {
      const bracket = readBracket(text, at);
      if (bracket === null) return null;
      name.push(bracket.set);
      at = bracket.end;
    } else name.push(character === '*' ? STAR : character === '?' ? ANY_CHARACTER : character);
  }
  return [...names, name];
}

/** The characters of a bracket, as ranges. */
class CharacterSet {
  readonly #ranges: readonly (readonly [string, string])[];
  readonly #isNegated: boolean;

  constructor(ranges: readonly (readonly [string, string])[], isNegated: boolean) {
    this.#ranges = ranges;
    this.#isNegated = isNegated;
  }

  has(character: string): boolean {
    return this.#ranges.some(([first, last]) => first <= character && character <= last) !== this.#isNegated;
  }
}

/** ASCII ranges only, as in git. */
const POSIX_CLASSES: ReadonlyMap<string, readonly string[]> = new Map([
  ['alnum', ['09', 'AZ', 'az']],
  ['alpha', ['AZ', 'az']],
  ['blank', ['  ', '\t\t']],
  ['cntrl', ['\0\u001F', '\u007F\u007F']],
  ['digit', ['09']],
  ['graph', ['!~']],
  ['lower', ['az']],
  ['print', [' ~']],
  ['punct', ['!/', ':@', '[`', '{~']],
  ['space', ['  ', '\t\n', '\r\r']],
  ['upper', ['AZ']],
  ['xdigit', ['09', 'AF', 'af']],
]);

/** Parses the bracket that begins at an offset; null when it is not closed, or names an unknown class. */
function readBracket(text: string, start: number): { readonly set: CharacterSet; readonly end: number } | null {
  const ranges: (readonly [string, string])[] = [];
  const isNegated = text[start + 1] === '!' || text[start + 1] === '^';
  let before = ''; // the possible start of a range
  for (let at = start + (isNegated ? 2 : 1); at < text.length; at++) {
    const character = text.charAt(at);
    if (character === ']' && at > start + (isNegated ? 2 : 1))
      return { set: new CharacterSet(ranges, isNegated), end: at };
    const named = character === '[' && text[at + 1] === ':' ? text.indexOf(']', at + 2) : -1;
    if (character === '-' && before !== '' && at + 1 < text.length && text[at + 1] !== ']') {
      at += text[at + 1] === '\\' ? 2 : 1;
      ranges.push([before, text.charAt(at)]);
      before = '';
    } else if (named > at + 2 && text[named - 1] === ':') {
      const known = POSIX_CLASSES.get(text.slice(at + 2, named - 1));
      if (known === undefined) return null;
      ranges.push(...known.map((range) => [range.charAt(0), range.charAt(1)] as const));
      at = named;
      before = '';
    } else {
      if (character === '\\') at++;
      before = text.charAt(at);
      ranges.push([before, before]);
    }
  }
  return null;
}

/** A pattern for one name. */
export class NameGlob {
  /** The parts between the stars; a string if a part has no other wildcard. */
  readonly #parts: readonly (string | readonly Unit[])[];
  readonly #minLength: number;

  constructor(name: Name) {
    const parts: Unit[][] = [[]];
    for (const unit of name) {
      if (unit !== STAR) parts.at(-1)?.push(unit);
      else if (parts.length === 1 || parts.at(-1)?.length !== 0) parts.push([]);
    }
    this.#parts = parts.map((part) => (part.every((unit) => typeof unit === 'string') ? part.join('') : part));
    this.#minLength = parts.reduce((sum, { length }) => sum + length, 0);
  }

  /** The only name it matches; null when it has wildcards. */
  get literal(): string | null {
    const [part] = this.#parts;
    return this.#parts.length === 1 && typeof part === 'string' ? part : null;
  }

  /** The suffix of every name that it matches, if the rest is a star; null otherwise. */
  get suffix(): string | null {
    const [start, end] = this.#parts;
    return this.#parts.length === 2 && start === '' && typeof end === 'string' ? end : null;
  }

  matches(name: string): boolean {
    const first = this.#parts[0] ?? '';
    const count = this.#parts.length;
    if (count === 1) return name.length === first.length && standsAt(first, name, 0);
    const last = this.#parts[count - 1] ?? '';
    const end = name.length - last.length;
    if (name.length < this.#minLength || !standsAt(first, name, 0) || !standsAt(last, name, end)) return false;
    // The earliest match is as good as any: the following star takes the rest.
    let from = first.length;
    for (let i = 1; i < count - 1; i++) {
      const part = this.#parts[i] ?? '';
      const at = find(part, name, from);
      if (at === -1) return false;
      from = at + part.length;
    }
    return from <= end;
  }
}

function standsAt(part: string | readonly Unit[], name: string, at: number): boolean {
  if (typeof part === 'string') return name.startsWith(part, at);
  return part.every((unit, i) => {
    const character = name.charAt(at + i);
    return unit === ANY_CHARACTER || (typeof unit === 'string' ? unit === character : unit.has(character));
  });
}

function find(part: string | readonly Unit[], name: string, from: number): number {
  if (typeof part === 'string') return name.indexOf(part, from);
  for (let at = from; at + part.length <= name.length; at++) if (standsAt(part, name, at)) return at;
  return -1;
}
