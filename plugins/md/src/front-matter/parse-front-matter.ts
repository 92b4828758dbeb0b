import type { JsonValue } from '@kebab/core';
import { parsePlainYaml } from './plain-yaml.ts';

/** What front matter says, key by key, or why it says nothing. */
export type ParsedFrontMatter =
  | { readonly kind: 'values'; readonly values: Iterable<readonly [key: string, value: JsonValue]> }
  | { readonly kind: 'malformed'; readonly reason: string };

/** No YAML that people write is near this; what is would take seconds to parse. */
const MAX_LENGTH = 200_000;

/** Reads front matter. The YAML and TOML libraries are loaded when a file first needs them; most need neither. */
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

/** The front matter of a text: its language, what stands between the fences, and where the body begins. */
export interface FrontMatter {
  readonly syntax: 'yaml' | 'toml';
  readonly raw: string;
  /** The offset of the line behind the closing fence. */
  readonly bodyStart: number;
  /** The 1-based number of that line. */
  readonly bodyLine: number;
}

const FENCE = /^(-{3,}|\+{3})[ \t]*(?:\n|$)/;

/**
 * Finds YAML between lines `---` or TOML between lines `+++`, from the first character on; blanks behind a fence do not
 * matter. Without a closing fence there is no front matter. What stands between two rules across the page is text: the
 * lines hold no key, or a fence of more dashes has anything but plain keys and values behind it, or one before an empty
 * line (in Pandoc never front matter) has lines at the margin that are no keys.
 */
export function findFrontMatter(text: string): FrontMatter | undefined {
  if (!text.startsWith('---') && !text.startsWith('+++')) return undefined;
  const [opening, fence] = FENCE.exec(text.slice(0, 1000)) ?? [];
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

/** A line that is no comment, with what ends a key or begins a mapping in braces. */
const MAY_HOLD_KEY = { yaml: /^[^#\n]*(?::(?:\s|$)|\{)/m, toml: /^[^#\n]*[=[]/m } as const;

/** A line of block YAML: a key of one word, or what belongs to the key above it. */
const LINE_OF_KEYS = /^(?:$|[\s#\-}\]]|["']?[\w.-]+["']?[ \t]*:(?:\s|$))/;

/** Whether what stands between two fences is text of the document rather than keys and values. */
function isText({ syntax, raw }: Pick<FrontMatter, 'syntax' | 'raw'>, fence: string): boolean {
  if (raw.trim() === '') return false;
  if (!MAY_HOLD_KEY[syntax].test(raw)) return true;
  if (syntax === 'toml') return false;
  if (fence.length > 3) return parsePlainYaml(raw) === undefined;
  return /^[ \t]*\n/.test(raw) && !raw.split('\n').every((line) => LINE_OF_KEYS.test(line));
}

/** The start of the line behind a fence that stands alone on the line at `at`. */
function endOfFence(text: string, at: number, fence: string): number | undefined {
  if (!text.startsWith(fence, at)) return undefined;
  let end = at + fence.length;
  while (text[end] === ' ' || text[end] === '\t') end++;
  if (end === text.length) return end;
  return text[end] === '\n' ? end + 1 : undefined;
}

/** A value of YAML or TOML as JSON: dates as they are written, numbers that JSON cannot say as strings. */
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
