import type { JsonValue } from '@kebab/core';
import type { FrontMatter } from './find-front-matter.ts';
import { parsePlainYaml } from './plain-yaml.ts';
import { toJson } from './to-json.ts';

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
