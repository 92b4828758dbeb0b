import type { JsonValue } from '@kebab/core';
import type { parseYaml } from './parse-yaml.ts';

/** The front matter of a text: its syntax, the text between the fences, and where the body begins. */
export interface FrontMatter {
  readonly syntax: 'yaml' | 'toml';
  readonly raw: string;
  /** The offset of the line after the closing fence. */
  readonly bodyStart: number;
  /** The 1-based number of that line. */
  readonly bodyLine: number;
}

/** What the lines of front matter state. Line numbers are those of the file, 1-based. */
export interface ParsedFrontMatter {
  /** Keys with their values, in order; none twice. */
  readonly values: readonly (readonly [key: string, value: JsonValue])[];
  /** Lines that are not valid, whose values are read as they are written. */
  readonly wrongLines: readonly number[];
  /** Lines that state nothing and are therefore text of the document. */
  readonly textLines: readonly number[];
}

/** The keys that have a meaning for kebab, in lower case, with the form in which their values are read. */
const KNOWN_KEYS: ReadonlyMap<string, string> = new Map([
  ...['title', 'aliases', 'tags', 'lang', 'created_at', 'updated_at', 'source_type', 'trust_level', 'id'].map(
    (key) => [key, key] as const,
  ),
  ['alias', 'aliases'],
  ['tag', 'tags'],
]);

/** The known key that a key of front matter is, in whatever case; undefined for any other key. */
export function knownKey(key: string): string | undefined {
  return KNOWN_KEYS.get(key.toLowerCase());
}

/** Far longer than any front matter written by people; parsing it would take seconds. */
const MAX_LENGTH = 200_000;
const FENCE = /^(-{3,}|\+{3})[ \t]*(?:\n|$)/;

/**
 * Finds YAML between lines `---` (the second may be `...`) or TOML between lines `+++` at the start of a text; blanks after a fence are
 * ignored. Without a closing fence there is no front matter. Text between two thematic breaks is not front matter either: if none of its
 * lines has a key; or if a fence of more than three dashes, or an empty line after the first fence (which Pandoc never accepts), is
 * followed by an unindented line that is not a key. {@link parseFrontMatter} decides about the rest.
 */
export function findFrontMatter(text: string): FrontMatter | undefined {
  if (!text.startsWith('---') && !text.startsWith('+++')) return undefined;
  const [opening, fence] = FENCE.exec(text) ?? [];
  if (opening === undefined || fence === undefined) return undefined;
  const start = opening.length;
  let line = 2;
  for (let at = start; at < text.length; line++) {
    const bodyStart = endOfFence(text, at, fence) ?? (fence === '---' ? endOfFence(text, at, '...') : undefined);
    if (bodyStart !== undefined) {
      const found = { syntax: fence === '+++' ? 'toml' : 'yaml', raw: text.slice(start, at) } as const;
      return isText(found, fence) ? undefined : { ...found, bodyStart, bodyLine: line + 1 };
    }
    const newline = text.indexOf('\n', at);
    at = newline === -1 ? text.length : newline + 1;
  }
  return undefined;
}

/** Matches a line that is not a comment and has a key separator or an opening brace. */
const MAY_HOLD_KEY = { yaml: /^[^#\n]*(?::(?:\s|$)|\{)/m, toml: /^[^#\n]*[=[]/m } as const;

/** A line of block YAML: a key of one word, or a continuation of the key above. */
const LINE_OF_KEYS = /^(?:$|[\s#\-}\]]|["']?[\w.-]+["']?[ \t]*:(?:\s|$))/;

/** Whether the lines between two fences are clearly text of the document rather than keys and values. */
function isText({ syntax, raw }: Pick<FrontMatter, 'syntax' | 'raw'>, fence: string): boolean {
  if (raw.trim() === '') return false;
  if (raw.length > MAX_LENGTH || !MAY_HOLD_KEY[syntax].test(raw)) return true;
  const isDoubtful = fence.length > 3 || (syntax === 'yaml' && /^[ \t]*\n/.test(raw));
  return isDoubtful && !raw.split('\n').every((line) => LINE_OF_KEYS.test(line));
}

/** The start of the line after the fence at `at`; undefined if that line is not a fence. */
function endOfFence(text: string, at: number, fence: string): number | undefined {
  if (!text.startsWith(fence, at)) return undefined;
  let end = at + fence.length;
  while (text[end] === ' ' || text[end] === '\t') end++;
  if (end === text.length) return end;
  return text[end] === '\n' ? end + 1 : undefined;
}

/** Throws for invalid syntax. */
type Parse = (raw: string) => unknown;

/**
 * Parses front matter; undefined if it is text of the document after all. If the whole is not valid, each key is parsed on its own, so that
 * a wrong line costs no other. The YAML and TOML libraries are loaded on first use, because most files need neither.
 */
export async function parseFrontMatter({ syntax, raw }: FrontMatter): Promise<ParsedFrontMatter | undefined> {
  const parse = await parserOf(syntax);
  const reader = new LineReader(syntax, parse);
  try {
    const value = toJson(parse(raw));
    if (value === null) return { values: [], wrongLines: [], textLines: [] };
    if (typeof value !== 'object' || Array.isArray(value)) return undefined;
    const values = Object.entries(value);
    const textLines = commentsAsText(values, headingLines(raw));
    return isMetadata(values, textLines) ? { values, wrongLines: [], textLines } : undefined;
  } catch {
    const parsed = reader.read(raw);
    return isMetadata(parsed.values, parsed.textLines) ? parsed : undefined;
  }
}

async function parserOf(syntax: FrontMatter['syntax']): Promise<Parse> {
  if (syntax === 'toml') return (await import('smol-toml')).parse;
  const yaml: { readonly parseYaml: typeof parseYaml } = await import('./parse-yaml.ts');
  return (raw) => yaml.parseYaml(raw, isKnown);
}

function isKnown(key: string): boolean {
  return knownKey(key) !== undefined;
}

/** Keys of prose: `Minutes of the last meeting`, `Dear all, see below`. */
const PROSE_KEY = /(?:\S+\s+){3}\S|[.,;!?|](?:\s|$)/;

/** Whether there is a key that kebab knows, or more keys than lines of text, and no sentence is read as a key. */
function isMetadata(values: ParsedFrontMatter['values'], textLines: readonly number[]): boolean {
  if (values.some(([key]) => isKnown(key))) return true;
  return values.length > textLines.length && !values.some(([key]) => PROSE_KEY.test(key));
}

/** In front matter with known keys, lines that begin with `#` are comments. */
function commentsAsText(values: ParsedFrontMatter['values'], comments: readonly number[]): readonly number[] {
  return values.some(([key]) => isKnown(key)) ? [] : comments;
}

/** The lines of valid front matter that may be Markdown headings: comments before an empty line. */
function headingLines(raw: string): readonly number[] {
  const lines = raw.split('\n');
  return lines.flatMap((line, at) => (/^#{1,6} /.test(line) && lines[at + 1]?.trim() === '' ? [at + FIRST_LINE] : []));
}

/** The number of the line after the opening fence. */
const FIRST_LINE = 2;

const KEY_LINE = {
  yaml: /^("[^"]*"|'[^']*'|[\p{L}\p{N}_$/.][^:#|]*)[ \t]*:(?:[ \t]+(.*)|[ \t]*)$/u,
  toml: /^[ \t]*("[^"]*"|'[^']*'|[\w.-]+)[ \t]*=[ \t]*(.*)$/,
} as const;
const CONTINUATION = { yaml: /^(?:[ \t]|- |-$|[}\]])/, toml: /^[ \t]*[^ \t]/ } as const;
const TABLE = /^[ \t]*\[\[?([\w."'-]+)\]\]?[ \t]*(?:#.*)?$/;

/** A key with the lines of its value. */
interface Entry {
  readonly key: string;
  /** What follows the separator on the first line. */
  readonly source: string;
  readonly lines: readonly string[];
  /** The number of its first line. */
  readonly line: number;
}

/** Reads front matter that is not valid, one key at a time. */
class LineReader {
  readonly #syntax: FrontMatter['syntax'];
  readonly #parse: Parse;
  readonly #values = new Map<string, JsonValue>();
  readonly #wrongLines: number[] = [];
  readonly #textLines: number[] = [];
  /** The TOML table to which keys belong. */
  #table: Record<string, JsonValue> | undefined;

  constructor(syntax: FrontMatter['syntax'], parse: Parse) {
    this.#syntax = syntax;
    this.#parse = parse;
  }

  read(raw: string): ParsedFrontMatter {
    let entry: (Entry & { readonly lines: string[] }) | undefined;
    const comments: number[] = [];
    for (const [index, line] of raw.split('\n').entries()) {
      const number = index + FIRST_LINE;
      const [, key, source = ''] = KEY_LINE[this.#syntax].exec(line) ?? [];
      const table = this.#syntax === 'toml' ? TABLE.exec(line)?.[1] : undefined;
      if ((key !== undefined && !PROSE_KEY.test(key)) || table !== undefined) {
        this.#take(entry);
        entry = key === undefined ? undefined : { key: unquoted(key.trim()), source, lines: [line], line: number };
        if (table !== undefined) this.#open(unquoted(table));
      } else if (line.trim() === '') entry?.lines.push(line);
      else if (entry !== undefined && CONTINUATION[this.#syntax].test(line)) entry.lines.push(line);
      else if (line.startsWith('#')) comments.push(number);
      else this.#textLines.push(number);
    }
    this.#take(entry);
    const values = [...this.#values];
    const textLines = [...this.#textLines, ...commentsAsText(values, comments)].toSorted((one, other) => one - other);
    return { values, wrongLines: this.#wrongLines, textLines };
  }

  #open(name: string): void {
    const table = this.#values.get(name) ?? null;
    this.#table = Object.create(null) as Record<string, JsonValue>; // `__proto__` is a key like others
    if (typeof table === 'object') Object.assign(this.#table, table);
    this.#values.set(name, this.#table);
  }

  #take(entry: Entry | undefined): void {
    if (entry === undefined) return;
    const { key, source, lines, line } = entry;
    const value = this.#valueOf(lines.join('\n')) ?? this.#valueOf(lines.join('\n').replaceAll(/^\t+/gm, '  '));
    if (value !== undefined) {
      if (lines.some((text) => text.startsWith('\t'))) this.#wrongLines.push(line);
      this.#state({ key, value: value.json, line, lines });
      return;
    }
    const [first = '', ...rest] = lines;
    const own = this.#valueOf(first);
    const isWrong = own === undefined || (own.json !== null && rest.some((text) => text.trim() !== ''));
    if (isWrong) this.#wrongLines.push(line);
    this.#state({ key, value: own === undefined ? source.trim() : own.json, line, lines: [first] });
    for (const [index, text] of rest.entries()) {
      const number = line + index + 1;
      const [, inner, innerSource = ''] = text.startsWith('\t') ? (KEY_LINE[this.#syntax].exec(text.trim()) ?? []) : [];
      if (inner !== undefined && isKnown(inner)) {
        this.#take({ key: inner, source: innerSource, lines: [text.trim()], line: number });
        if (!this.#wrongLines.includes(number)) this.#wrongLines.push(number);
      } else if (text.trim() !== '') this.#textLines.push(number);
    }
  }

  /** The value in the lines of one key; undefined if they are not valid. */
  #valueOf(lines: string): { readonly json: JsonValue } | undefined {
    try {
      const json = toJson(this.#parse(lines));
      if (json === null || typeof json !== 'object' || Array.isArray(json)) return undefined;
      const [value, ...others] = Object.values(json);
      return value === undefined || others.length > 0 ? undefined : { json: value };
    } catch {
      return undefined;
    }
  }

  /** States a value, unless the key has one: then the lines are text, but tags and aliases are added to the others. */
  #state({ key, value, line, lines }: Pick<Entry, 'key' | 'line' | 'lines'> & { readonly value: JsonValue }): void {
    if (this.#table !== undefined) {
      if (this.#table[key] === undefined) this.#table[key] = value;
      else this.#textLines.push(...linesOf(line, lines));
      return;
    }
    const before = this.#values.get(key) ?? null;
    if (before === null) this.#values.set(key, value);
    else if (knownKey(key) === 'tags' || knownKey(key) === 'aliases') this.#values.set(key, [before, value].flat());
    else this.#textLines.push(...linesOf(line, lines));
  }
}

function linesOf(line: number, lines: readonly string[]): readonly number[] {
  return lines.flatMap((text, index) => (text.trim() === '' ? [] : [line + index]));
}

function unquoted(key: string): string {
  return /^(["']).*\1$/.test(key) ? key.slice(1, -1) : key;
}

/** Converts a value of YAML or TOML to JSON. Dates, and numbers that JSON cannot represent, become strings. */
function toJson(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object') return null;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toJson(member)]));
}
