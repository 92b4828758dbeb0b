import type { JsonValue } from '@kebab/core';
import { parsePlainYaml } from './plain-yaml.ts';

/** The keys and values of front matter, or the reason why it cannot be parsed. */
export type ParsedFrontMatter =
  | { readonly kind: 'values'; readonly values: Iterable<readonly [key: string, value: JsonValue]> }
  | { readonly kind: 'malformed'; readonly reason: string };

/** Far longer than any YAML written by people; longer front matter would take seconds to parse. */
const MAX_LENGTH = 200_000;

/** Parses front matter. The YAML and TOML libraries are loaded on first use, because most files need neither. */
export async function parseFrontMatter(frontMatter: FrontMatter): Promise<ParsedFrontMatter> {
  const { syntax, raw } = frontMatter;
  const plain = syntax === 'yaml' ? parsePlainYaml(raw) : undefined;
  if (plain !== undefined) return { kind: 'values', values: plain };
  if (raw.length > MAX_LENGTH) return malformed(`it is longer than ${MAX_LENGTH} characters`);
  try {
    const value = toJson(await parseSyntax(frontMatter));
    if (value === null) return { kind: 'values', values: [] };
    if (typeof value !== 'object' || Array.isArray(value)) return malformed('it is not a list of keys and values');
    return { kind: 'values', values: Object.entries(value) };
  } catch (error) {
    return malformed(error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error));
  }
}

async function parseSyntax({ syntax, raw }: FrontMatter): Promise<unknown> {
  if (syntax === 'yaml') return (await import('./parse-yaml.ts')).parseYaml(raw);
  return (await import('smol-toml')).parse(raw);
}

function malformed(reason: string): ParsedFrontMatter {
  return { kind: 'malformed', reason };
}

/** The front matter of a text: its syntax, the text between the fences, and where the body begins. */
export interface FrontMatter {
  readonly syntax: 'yaml' | 'toml';
  readonly raw: string;
  /** The offset of the line after the closing fence. */
  readonly bodyStart: number;
  /** The 1-based number of that line. */
  readonly bodyLine: number;
}

const FENCE = /^(-{3,}|\+{3})[ \t]*(?:\n|$)/;

/**
 * Finds YAML between lines `---` or TOML between lines `+++` at the start of a text; blanks after a fence are ignored. Without a closing
 * fence there is no front matter. Text between two thematic breaks is not front matter either: if none of its lines has a key; if a fence
 * of more than three dashes encloses anything but plain keys and values; or if the first fence is followed by an empty line (which Pandoc
 * never accepts as front matter) and some unindented line is not a key.
 */
export function findFrontMatter(text: string): FrontMatter | undefined {
  if (!text.startsWith('---') && !text.startsWith('+++')) return undefined;
  const [opening, fence] = FENCE.exec(text) ?? [];
  if (opening === undefined || fence === undefined) return undefined;
  const start = opening.length;
  let line = 2;
  for (let at = start; at < text.length; line++) {
    const bodyStart = endOfFence(text, at, fence);
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

/** Whether the lines between two fences are text of the document rather than keys and values. */
function isText({ syntax, raw }: Pick<FrontMatter, 'syntax' | 'raw'>, fence: string): boolean {
  if (raw.trim() === '') return false;
  if (!MAY_HOLD_KEY[syntax].test(raw)) return true;
  if (syntax === 'toml') return false;
  if (fence.length > 3) return parsePlainYaml(raw) === undefined;
  return /^[ \t]*\n/.test(raw) && !raw.split('\n').every((line) => LINE_OF_KEYS.test(line));
}

/** The start of the line after the fence at `at`; undefined if that line is not a fence. */
function endOfFence(text: string, at: number, fence: string): number | undefined {
  if (!text.startsWith(fence, at)) return undefined;
  let end = at + fence.length;
  while (text[end] === ' ' || text[end] === '\t') end++;
  if (end === text.length) return end;
  return text[end] === '\n' ? end + 1 : undefined;
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
