import { realpathSync } from 'node:fs';
import path from 'node:path';
import { isKebabError, KebabError } from '../errors/kebab-error.ts';
import { findProjectFile, isFile } from './find-project-file.ts';
import { CONFIG_KEYS } from './keys.ts';
import { loadConfigFile, type LoadedFile } from './load-config-file.ts';
import { readTable } from './read-table.ts';
import { restrictedKeys } from './restricted-keys.ts';
import type { Settings } from './settings.ts';
import { readTrusted, trustStoreIn } from './trust-store.ts';

/** A configuration file that was looked for. */
export interface ConfigFile {
  readonly path: string;
  /** Always true for the user's own file and for one named by `--config`. */
  readonly trusted: boolean;
  readonly exists: boolean;
}

/** What the files say, weakest first, and what of it was left out. */
export interface FileSettings {
  readonly layers: readonly Settings[];
  readonly files: readonly ConfigFile[];
  readonly notices: readonly string[];
}

/** Where to look for files, and whom to trust. */
export interface FileSearch {
  readonly cwd: string;
  /** The file named by `--config`; it replaces both others. */
  readonly named: string | undefined;
  readonly userFile: string;
  /** Leaves the user's file, or the named one, unread and unasked for: it is about to be written anew. */
  readonly ignoreUserFile: boolean;
  readonly stateDir: string;
  readonly builtinPlugins: readonly string[];
}

/**
 * Reads the user's file and the nearest project file, or the one file that was named. Throws `config_not_found` when a
 * named file is missing, `config_invalid` for what is wrong in a file.
 */
export async function readConfigFiles(search: FileSearch): Promise<FileSettings> {
  const own = await readOwn(search);
  if (search.named !== undefined) return own;
  const project = await readProject(search);
  return {
    layers: [...own.layers, ...project.layers],
    files: [...own.files, ...project.files],
    notices: project.notices,
  };
}

/** The user's file may be missing, a named one may not. */
async function readOwn({ cwd, named, userFile, ignoreUserFile }: FileSearch): Promise<FileSettings> {
  const file = named === undefined ? userFile : path.resolve(cwd, named);
  const exists = isFile(file);
  if (named !== undefined && !exists && !ignoreUserFile)
    throw new KebabError('config_not_found', `there is no configuration file ${file}`, { details: { path: file } });
  const layers = exists && !ignoreUserFile ? [settingsOf(file, await loadConfigFile(file))] : [];
  return { layers, files: [{ path: file, trusted: true, exists }], notices: [] };
}

async function readProject({ cwd, stateDir, builtinPlugins }: FileSearch): Promise<FileSettings> {
  const found = findProjectFile(cwd);
  if (found === undefined) return { layers: [], files: [], notices: [] };
  const notices = found.shadowed.map((other) => `${other} is ignored: ${found.path} in the same folder comes first`);
  const loaded = await loadConfigFile(found.path);
  const settings = settingsOf(found.path, loaded);
  const trust = await trustIn(found.path, loaded, stateDir);
  if (trust.problem !== undefined) notices.push(trust.problem);
  const files = [{ path: found.path, trusted: trust.trusted, exists: true }];
  if (trust.trusted) return { layers: [settings], files, notices };
  const values = new Map([...settings].map(([name, { value }]) => [name, value]));
  const restricted = restrictedKeys(values, builtinPlugins);
  for (const { name, reason } of restricted)
    notices.push(`${name} in ${found.path} is ignored: it ${reason}; to allow it, run \`kebab trust ${found.path}\``);
  const names = new Set(restricted.map(({ name }) => name));
  return { layers: [new Map([...settings].filter(([name]) => !names.has(name)))], files, notices };
}

function settingsOf(file: string, { table }: LoadedFile): Settings {
  const origin = { origin: 'file', path: file } as const;
  const base = path.dirname(file);
  const values = [...readTable(table, CONFIG_KEYS, '', origin)];
  return new Map(values.map(([name, value]) => [name, { value, origin, base }]));
}

/** Nobody is trusted through a list that cannot be read. */
async function trustIn(
  file: string,
  { text }: LoadedFile,
  stateDir: string,
): Promise<{ readonly trusted: boolean; readonly problem?: string }> {
  try {
    const real = realpathSync(file);
    const entry = readTrusted(trustStoreIn(stateDir)).find((trusted) => trusted.path === real);
    if (entry === undefined) return { trusted: false };
    const { blake3Hex } = await import('../domain/blake3.ts');
    return { trusted: blake3Hex(text) === entry.hash };
  } catch (error) {
    const problem = isKebabError(error) ? error.message : String(error);
    return { trusted: false, problem: `no project file is trusted: ${problem}` };
  }
}
