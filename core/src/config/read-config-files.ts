import { realpathSync } from 'node:fs';
import path from 'node:path';
import { isKebabError, KebabError } from '../errors/kebab-error.ts';
import { findProjectFile, isFile } from './find-project-file.ts';
import type { KeyTable } from './key-table.ts';
import { loadConfigFile, type LoadedFile } from './load-config-file.ts';
import { readTable } from './read-table.ts';
import { CORE_KEYS } from './keys.ts';
import type { Location } from './invalid-config.ts';
import type { PathWorld, ReadProjectFile } from './project-trust.ts';
import { isTable, readValue } from './read-value.ts';
import type { PluginEntry } from '../plugin/find-plugins.ts';
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

/** Where to look for files, and whom to trust. */
export interface FileSearch extends PathWorld {
  readonly cwd: string;
  /** The file named by `--config`; it replaces both others. */
  readonly named: string | undefined;
  readonly userFile: string;
  /** Leaves the user's file, or the named one, unread and unasked for: it is about to be written anew. */
  readonly ignoreUserFile: boolean;
  readonly stateDir: string;
}

/** A configuration file that was parsed. Its keys are read when those of the plugins it names are known. */
export interface ParsedFile {
  readonly path: string;
  readonly loaded: LoadedFile;
  readonly plugins: readonly PluginEntry[];
  readonly trusted: boolean;
}

/** The files that count, weakest first. */
export interface ParsedFiles {
  readonly parsed: readonly ParsedFile[];
  /** The files that were looked for and are not read. */
  readonly unread: readonly ConfigFile[];
  readonly notices: readonly string[];
}

/**
 * Parses the user's file and the nearest project file, or the one file that was named. Throws `config_not_found` when a
 * named file is missing, `config_invalid` for what cannot be parsed.
 */
export async function parseConfigFiles(search: FileSearch): Promise<ParsedFiles> {
  const own = await parseOwn(search);
  if (search.named !== undefined) return own;
  const project = await parseProject(search);
  return { ...project, parsed: [...own.parsed, ...project.parsed], unread: own.unread };
}

/** The user's file may be missing, a named one may not. */
async function parseOwn({ cwd, named, userFile, ignoreUserFile }: FileSearch): Promise<ParsedFiles> {
  const file = named === undefined ? userFile : path.resolve(cwd, named);
  const exists = isFile(file);
  if (named !== undefined && !exists && !ignoreUserFile)
    throw new KebabError('config_not_found', `there is no configuration file ${file}`, { details: { path: file } });
  if (!exists || ignoreUserFile)
    return { parsed: [], unread: [{ path: file, trusted: true, exists, ignored: [] }], notices: [] };
  const loaded = await loadConfigFile(file);
  return { parsed: [{ path: file, loaded, plugins: pluginsIn(file, loaded), trusted: true }], unread: [], notices: [] };
}

async function parseProject({ cwd, stateDir, env, homeDir }: FileSearch): Promise<ParsedFiles> {
  const found = findProjectFile(cwd);
  if (found === undefined) return { parsed: [], unread: [], notices: [] };
  const notices = found.shadowed.map((other) => `${other} is ignored: ${found.path} in the same folder comes first`);
  const loaded = await loadConfigFile(found.path);
  const plugins = pluginsIn(found.path, loaded);
  const trust = await trustIn({ path: found.path, text: loaded.text, plugins }, { stateDir, env, homeDir });
  if (trust.problem !== undefined) notices.push(trust.problem);
  return { parsed: [{ path: found.path, loaded, plugins, trusted: trust.trusted }], unread: [], notices };
}

/** The plugins that a file names; none where they are not what they must be, which {@link settingsOf} reports. */
export function pluginsIn(file: string, { table }: LoadedFile): readonly PluginEntry[] {
  if (!isTable(table) || !Object.hasOwn(table, 'plugins')) return [];
  try {
    const at: Location = { origin: { origin: 'file', path: file }, key: 'plugins' };
    return readValue(CORE_KEYS.plugins, table['plugins'], at) as readonly PluginEntry[];
  } catch {
    return [];
  }
}

/** What one file says that takes effect. */
export interface FileSettings {
  readonly layer: Settings;
  readonly file: ConfigFile;
  readonly notices: readonly string[];
}

/** Reads the keys of a file and leaves out what it may not say untrusted. Throws `config_invalid` for the first that is wrong. */
export async function readParsedFile(keys: KeyTable, parsed: ParsedFile): Promise<FileSettings> {
  const { path: file, loaded, trusted } = parsed;
  const settings = settingsOf(keys, file, loaded);
  if (trusted) return { layer: settings, file: { path: file, trusted, exists: true, ignored: [] }, notices: [] };
  const { partByTrust } = await import('./trust-rules.ts');
  const { allowed, restricted } = partByTrust(settings);
  const notices = restricted.length > 0 ? [ignoredNotice(file, restricted)] : [];
  return { layer: allowed, file: { path: file, trusted, exists: true, ignored: restricted }, notices };
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
export function realFile(file: string): string {
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
