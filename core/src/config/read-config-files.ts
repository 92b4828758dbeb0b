import { realpathSync } from 'node:fs';
import path from 'node:path';
import { isKebabError, KebabError } from '../errors/kebab-error.ts';
import { findProjectFile, isFile } from './find-project-file.ts';
import type { KeyTable } from './key-table.ts';
import { loadConfigFile, type LoadedFile } from './load-config-file.ts';
import { readTable } from './read-table.ts';
import type { PathWorld, ReadProjectFile } from './project-trust.ts';
import type { Settings } from './settings.ts';
import { readTrusted, trustStoreIn } from './trust-store.ts';

/** A configuration file that was looked for. */
export interface ConfigFile {
  readonly path: string;
  /** Always true for the user's own file and for one named by `--config`. */
  readonly trusted: boolean;
  readonly exists: boolean;
  /** The keys of it that take trust and have no effect without; dotted names. */
  readonly ignored: readonly string[];
}

/** What the files say, weakest first, and what of it was left out. */
export interface FileSettings {
  readonly layers: readonly Settings[];
  readonly files: readonly ConfigFile[];
  readonly notices: readonly string[];
}

/** Where to look for files, and whom to trust. */
export interface FileSearch extends PathWorld {
  readonly keys: KeyTable;
  readonly cwd: string;
  /** The file named by `--config`; it replaces both others. */
  readonly named: string | undefined;
  readonly userFile: string;
  /** Leaves the user's file, or the named one, unread and unasked for: it is about to be written anew. */
  readonly ignoreUserFile: boolean;
  readonly stateDir: string;
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
async function readOwn({ keys, cwd, named, userFile, ignoreUserFile }: FileSearch): Promise<FileSettings> {
  const file = named === undefined ? userFile : path.resolve(cwd, named);
  const exists = isFile(file);
  if (named !== undefined && !exists && !ignoreUserFile)
    throw new KebabError('config_not_found', `there is no configuration file ${file}`, { details: { path: file } });
  const layers = exists && !ignoreUserFile ? [settingsOf(keys, file, await loadConfigFile(file))] : [];
  return { layers, files: [{ path: file, trusted: true, exists, ignored: [] }], notices: [] };
}

async function readProject({ keys, cwd, stateDir, env, homeDir }: FileSearch): Promise<FileSettings> {
  const found = findProjectFile(cwd);
  if (found === undefined) return { layers: [], files: [], notices: [] };
  const notices = found.shadowed.map((other) => `${other} is ignored: ${found.path} in the same folder comes first`);
  const loaded = await loadConfigFile(found.path);
  const settings = settingsOf(keys, found.path, loaded);
  const trust = await trustIn({ path: found.path, text: loaded.text, settings }, { stateDir, env, homeDir });
  if (trust.problem !== undefined) notices.push(trust.problem);
  if (trust.trusted)
    return { layers: [settings], files: [{ path: found.path, trusted: true, exists: true, ignored: [] }], notices };
  const { partByTrust } = await import('./trust-rules.ts');
  const { allowed, restricted } = partByTrust(settings);
  if (restricted.length > 0) notices.push(ignoredNotice(found.path, restricted));
  return {
    layers: [allowed],
    files: [{ path: found.path, trusted: false, exists: true, ignored: restricted }],
    notices,
  };
}

function ignoredNotice(file: string, names: readonly string[]): string {
  const verb = names.length === 1 ? 'is' : 'are';
  const how = `see what it asks for and allow it with \`kebab trust ${file}\``;
  return `${names.join(', ')} in ${file} ${verb} ignored: the file is not trusted; ${how}`;
}

/** What a file says, validated; also what `kebab trust` shows, so that it shows what takes effect. Throws `config_invalid`. */
export function settingsOf(keys: KeyTable, file: string, { table }: LoadedFile): Settings {
  const origin = { origin: 'file', path: file } as const;
  const base = path.dirname(realFile(file));
  const values = [...readTable(table, { table: keys, members: keys.members, prefix: '' }, origin)];
  return new Map(values.map(([name, value]) => [name, { value, origin, base }]));
}

/** A relative path is relative to the file itself, also where a link leads to it: trust goes by the real file as well. */
function realFile(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** No file is trusted through a list that cannot be read. */
async function trustIn(
  file: ReadProjectFile,
  { stateDir, ...world }: PathWorld & Pick<FileSearch, 'stateDir'>,
): Promise<{ readonly trusted: boolean; readonly problem?: string }> {
  try {
    const real = realpathSync(file.path);
    const entry = readTrusted(trustStoreIn(stateDir)).find((trusted) => trusted.path === real);
    if (entry === undefined) return { trusted: false };
    const { bondOf, isUnchanged } = await import('./project-trust.ts');
    return { trusted: isUnchanged(entry, bondOf(file, world)) };
  } catch (error) {
    const problem = isKebabError(error) ? error.message : String(error);
    return { trusted: false, problem: `no project file is trusted: ${problem}` };
  }
}
