import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isKebabError } from '../errors/kebab-error.ts';
import { unreadableConfig } from './invalid-config.ts';
import type { LoadedFile } from './load-config-file.ts';
import { isTable } from './read-value.ts';
import { syntaxError } from './syntax-error.ts';

/** More values than any configuration has, far fewer than aliases of aliases can make of a small file. */
const MAX_VALUES = 10_000;
const MAX_DEPTH = 32;

/**
 * Loads a JSON or YAML file through cosmiconfig, which here may do no more than parse: no script is run, no other file
 * is read, nothing of the working directory is looked at. A given text is parsed in place of what is in the file. Throws
 * `config_invalid`.
 */
export async function loadWithCosmiconfig(file: string, given?: string): Promise<LoadedFile> {
  const { cosmiconfigSync, defaultLoadersSync } = await import('cosmiconfig');
  let text = given ?? '';
  const read =
    (extension: '.json' | '.yaml') =>
    (_file: string, content: string): unknown => {
      text = content;
      const parse = (): unknown => defaultLoadersSync[extension](file, content.replace(/^\uFEFF/, ''));
      return checkedTable(file, content, parse);
    };
  if (given !== undefined)
    return { table: read(path.extname(file).toLowerCase() === '.json' ? '.json' : '.yaml')(file, given), text };
  const refuse = (script: string): never => {
    throw unreadableConfig(file, `${script} is not run: configuration is data`);
  };
  const parsers = { '.json': read('.json'), '.yaml': read('.yaml'), '.yml': read('.yaml') };
  const scripts = { '.js': refuse, '.cjs': refuse, '.mjs': refuse, '.ts': refuse };
  const explorer = awayFromWorkingDirectory(() =>
    cosmiconfigSync('kebab', {
      searchPlaces: [path.basename(file)],
      searchStrategy: 'none',
      cache: false,
      loaders: { ...parsers, ...scripts },
    }),
  );
  try {
    return { table: (explorer.load(file)?.config as unknown) ?? {}, text };
  } catch (error) {
    if (isKebabError(error)) throw error;
    throw unreadableConfig(file, `cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
}

/**
 * cosmiconfig's constructor reads `package.json` and `.config/config.*` of the working directory, and runs those that
 * are scripts. It is made while the working directory seems to be the folder of this module, where there are none;
 * `process.chdir` would disturb others, and throws in worker threads.
 */
function awayFromWorkingDirectory<T>(make: () => T): T {
  const own = path.dirname(fileURLToPath(import.meta.url));
  const { cwd } = process; // oxlint-disable-line typescript/unbound-method -- put back as it was
  process.cwd = () => own;
  try {
    return make();
  } finally {
    process.cwd = cwd;
  }
}

/** Checked here, in the loader: what leaves it with a `$import` key makes cosmiconfig read further files. */
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

/** Counts values as often as aliases repeat them, and gives up at the limits. */
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
