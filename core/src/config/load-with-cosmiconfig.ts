import path from 'node:path';
import { unreadableConfig, syntaxError } from './invalid-config.ts';
import type { LoadedFile } from './load-config-file.ts';
import { isTable } from './read-value.ts';

/** More values than any real configuration, and far fewer than nested aliases can expand a small file to. */
const MAX_VALUES = 10_000;
const MAX_DEPTH = 32;

/**
 * Parses the text of a JSON or YAML file with cosmiconfig's loaders; nothing else of cosmiconfig is used: no file is searched for, read or
 * run. Throws `config_invalid`.
 */
export async function loadWithCosmiconfig(file: string, text: string): Promise<LoadedFile> {
  const { defaultLoadersSync } = await import('cosmiconfig');
  const parse = defaultLoadersSync[path.extname(file).toLowerCase() === '.json' ? '.json' : '.yaml'];
  return { table: checkedTable(file, text, () => parse(file, text.replace(/^\uFEFF/, ''))), text };
}

function checkedTable(file: string, content: string, parse: () => unknown): unknown {
  if (content.split('\n').every((line) => /^\s*(#|$)|^---\s*$/.test(line))) return {};
  let table: unknown;
  try {
    table = parse();
  } catch (error) {
    throw syntaxError(file, content, error);
  }
  if (isTable(table) && Object.hasOwn(table, '$import'))
    throw unreadableConfig(file, '$import is not supported: a configuration file stands alone');
  if (valuesIn(table, 0) > MAX_VALUES) throw unreadableConfig(file, 'is too large or too deep for a configuration');
  return table ?? {};
}

/** Counts values, including repetitions through aliases, and stops at the limits. */
function valuesIn(value: unknown, depth: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  if (depth > MAX_DEPTH) return MAX_VALUES + 1;
  let count = 1;
  for (const member of Object.values(value)) {
    count += valuesIn(member, depth + 1);
    if (count > MAX_VALUES) break;
  }
  return count;
}
