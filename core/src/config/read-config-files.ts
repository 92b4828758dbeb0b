import { realpathSync } from 'node:fs';
import path from 'node:path';
import { isKebabError, KebabError } from '../errors/kebab-error.ts';
import type { KeyTable } from './key-table.ts';
import {
  findProject,
  foldersFrom,
  isFile,
  knowledgeBaseFiles,
  loadConfigFile,
  type LoadedFile,
  PROJECT_FILE_NAMES,
  PROJECT_FOLDER,
  projectConfigFile,
} from './load-config.ts';
import { isListed, linkedFolderIn, projectListIn, readProjects } from './project-list.ts';
import { readTable, readValue } from './read-value.ts';
import { isTable } from '../schema/value.ts';
import { CORE_KEYS } from './keys.ts';
import type { Location } from './invalid-config.ts';
import type { ReadProjectFile } from './project-trust.ts';
import type { XdgFolders } from './expand-path.ts';
import type { Environment } from './read-environment.ts';
import type { BuiltinPlugin } from '../plugin/read-manifest.ts';
import type { PluginEntry } from '../plugin/find-plugins.ts';
import type { Settings } from './build-config.ts';
import { readTrusted, trustStoreIn } from './trust-store.ts';

/** A configuration file that was searched for. */
export interface ConfigFile {
  readonly path: string;
  /** Always true for the user's file and for one named by `--config`. */
  readonly trusted: boolean;
  readonly exists: boolean;
  /** Its keys that require trust and have no effect without it; dotted names. */
  readonly ignored: readonly string[];
}

/** The inputs of a resolution. */
export interface ConfigInput {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Environment;
  /** Absolute. */
  readonly homeDir: string;
  readonly flags?: ConfigFlags;
  /** The bundled plugins, whose sections are among its keys; none by default. */
  readonly builtins?: readonly Pick<BuiltinPlugin, 'manifest'>[] | undefined;
  /** Treats the user's file, or the one named by `--config`, as empty, because it is about to be rewritten. */
  readonly ignoreUserFile?: boolean;
  /** Treats a file as if it contained this text, which is about to be written. */
  readonly replaced?: ReplacedFile | undefined;
  /** Treats a missing named file as empty, because it is about to be created. */
  readonly makesConfig?: boolean | undefined;
}

/** The command line flags that affect the configuration. */
export interface ConfigFlags {
  /** `--config PATH`: the one file to read. */
  readonly config?: string | undefined;
  /** `--user`: the user's knowledge base, even inside a project. */
  readonly user?: boolean | undefined;
  /** `--plugin PATH`, repeatable; these come before the configured ones. */
  readonly plugins?: readonly string[] | undefined;
  /** Values of single keys, by dotted name, with their flags. A key that no plugin declares is ignored. */
  readonly values?: readonly FlagValue[] | undefined;
}

/** A key whose value a flag sets: `--pdf-password P` sets `pdf.password`. */
export interface FlagValue {
  readonly key: string;
  readonly flag: string;
  readonly value: unknown;
}

/** A file and the text to use in place of its content. */
export interface ReplacedFile {
  readonly path: string;
  readonly text: string;
}

/** A project with a knowledge base of its own. Paths are real. */
export interface Project {
  /** The folder whose documents it contains. */
  readonly folder: string;
  /** Its `.kebab/` folder. */
  readonly kebabFolder: string;
  readonly configFile: string;
}

/** A parsed configuration file. Its keys are read once those of the plugins it names are known. */
export interface ParsedFile {
  readonly path: string;
  /** Whether it belongs to a project, rather than being the user's file or a named one. */
  readonly isProjects: boolean;
  readonly loaded: LoadedFile;
  readonly plugins: readonly PluginEntry[];
  readonly trusted: boolean;
}

/** The files in effect, lowest precedence first. */
export interface ParsedFiles {
  readonly parsed: readonly ParsedFile[];
  /** Files that were searched for but not read. */
  readonly unread: readonly ConfigFile[];
  readonly notices: readonly string[];
  /** The project whose knowledge base is in use; null for the user's. */
  readonly project: Project | null;
  /** The `.kebab/` of the nearest project if it is not used; null otherwise. */
  readonly unusedFolder: string | null;
}

/**
 * Parses the user's file and those of the nearest project, or only the named file. Throws `config_not_found` when a named file is missing,
 * `config_invalid` for what cannot be parsed.
 */
export async function parseConfigFiles(input: ConfigInput, folders: XdgFolders): Promise<ParsedFiles> {
  const own = await parseOwn(input, folders);
  const { project, unusedFolder, files, notices } = await projectOf(input, folders);
  const parsed: ParsedFile[] = [];
  for (const file of files) {
    if (file === project?.configFile && !isFile(file) && input.replaced?.path !== file) continue;
    const loaded = await load(file, input);
    const plugins = pluginsIn(file, loaded);
    const trust = await trustIn({ path: file, text: loaded.text, plugins }, input, folders);
    if (trust.problem !== undefined) notices.push(trust.problem);
    parsed.push({ path: file, isProjects: true, loaded, plugins, trusted: trust.trusted });
  }
  return { parsed: [...own.parsed, ...parsed], unread: own.unread, notices, project, unusedFolder };
}

/** The user's file may be missing, a named one may not. */
async function parseOwn(input: ConfigInput, folders: XdgFolders): Promise<Pick<ParsedFiles, 'parsed' | 'unread'>> {
  const { flags = {}, ignoreUserFile = false, makesConfig = false, replaced } = input;
  const file = ownFile(input, folders);
  const exists = isFile(file);
  const isReplaced = replaced?.path === file;
  if (flags.config !== undefined && !exists && !ignoreUserFile && !makesConfig && !isReplaced)
    throw new KebabError('config_not_found', `there is no configuration file ${file}`, { details: { path: file } });
  if ((!exists && !isReplaced) || ignoreUserFile)
    return { parsed: [], unread: [{ path: file, trusted: true, exists, ignored: [] }] };
  const loaded = await load(file, input);
  return {
    parsed: [{ path: file, isProjects: false, loaded, plugins: pluginsIn(file, loaded), trusted: true }],
    unread: [],
  };
}

/** The user's file, or the one named in its place. */
export function ownFile({ cwd, flags }: ConfigInput, folders: XdgFolders): string {
  return flags?.config === undefined ? path.join(folders.config, 'config.toml') : path.resolve(cwd, flags.config);
}

/** The files of the nearest project, lowest precedence first. */
interface ProjectFiles extends Pick<ParsedFiles, 'project' | 'unusedFolder'> {
  readonly files: readonly string[];
  readonly notices: string[];
}

/** Finds the nearest project. Its `.kebab/` counts only if it was created on this machine. */
export async function projectOf({ cwd, flags = {} }: ConfigInput, folders: XdgFolders): Promise<ProjectFiles> {
  const found = flags.config === undefined && flags.user !== true ? await findProject(cwd) : undefined;
  if (found === undefined) return { project: null, unusedFolder: null, files: [], notices: [] };
  const { folder, file, kebabFolder } = found;
  const notices = (file?.shadowed ?? []).map(
    (other) => `${other} is ignored: ${file?.path ?? ''} in the same folder comes first`,
  );
  const project = kebabFolder === null ? null : listedProject(kebabFolder, folders.state, notices);
  const unusedFolder = project === null ? kebabFolder : null;
  if (unusedFolder !== null) notices.push(unusedNotice(unusedFolder, folder));
  const files = [...(project === null ? [] : [project.configFile]), ...(file === null ? [] : [file.path])];
  return { project, unusedFolder, files, notices };
}

function unusedNotice(kebabFolder: string, folder: string): string {
  const link = linkedFolderIn(kebabFolder);
  if (link !== null)
    return `${kebabFolder} is not used: ${link} is a link and may have come with a checkout; remove the link to use the folder again`;
  return (
    `${kebabFolder} is not used: kebab did not create it here, and it may have come with a checkout; ` +
    `to create a knowledge base of your own, run \`kebab init --project\` in ${folder}`
  );
}

function listedProject(kebabFolder: string, stateDir: string, notices: string[]): Project | null {
  try {
    if (!isListed(readProjects(projectListIn(stateDir)), kebabFolder)) return null;
    const real = realpathSync(kebabFolder);
    return { folder: path.dirname(real), kebabFolder: real, configFile: projectConfigFile(real) };
  } catch (error) {
    notices.push(isKebabError(error) ? error.message : String(error));
    return null;
  }
}

function load(file: string, { replaced }: ConfigInput): Promise<LoadedFile> {
  return loadConfigFile(file, replaced?.path === file ? replaced.text : undefined);
}

/** The plugins that a file names; none if the value is malformed, which {@link settingsOf} reports. */
export function pluginsIn(file: string, { table }: LoadedFile): readonly PluginEntry[] {
  if (!isTable(table) || !Object.hasOwn(table, 'plugins')) return [];
  try {
    const at: Location = { origin: { origin: 'file', path: file }, key: 'plugins' };
    return readValue(CORE_KEYS.plugins, table['plugins'], at) as readonly PluginEntry[];
  } catch {
    return [];
  }
}

/** The settings of one file that take effect. */
export interface FileSettings {
  readonly layer: Settings;
  readonly file: ConfigFile;
  readonly notices: readonly string[];
}

/** Reads the keys of a file, without those that require trust if it is untrusted. Throws `config_invalid` for the first invalid key. */
export async function readParsedFile(keys: KeyTable, parsed: ParsedFile): Promise<FileSettings> {
  const { path: file, loaded, trusted } = parsed;
  const settings = settingsOf(keys, file, loaded);
  if (trusted) return { layer: settings, file: { path: file, trusted, exists: true, ignored: [] }, notices: [] };
  const { partByTrust } = await import('./project-trust.ts');
  const { allowed, restricted } = partByTrust(settings);
  const notices = restricted.length > 0 ? [ignoredNotice(file, restricted)] : [];
  return { layer: allowed, file: { path: file, trusted, exists: true, ignored: restricted }, notices };
}

function ignoredNotice(file: string, names: readonly string[]): string {
  const verb = names.length === 1 ? 'is' : 'are';
  const how = `see what it asks for and allow it with \`kebab trust ${file}\``;
  return `${names.join(', ')} in ${file} ${verb} ignored: the file is not trusted; ${how}`;
}

/** The validated settings of a file; `kebab trust` uses it too, so that it shows what takes effect. Throws `config_invalid`. */
export function settingsOf(keys: KeyTable, file: string, { table }: LoadedFile): Settings {
  const origin = { origin: 'file', path: file } as const;
  const base = path.dirname(realFile(file));
  const values = [...readTable(table, { table: keys, members: keys.members, prefix: '' }, origin)];
  return new Map(values.map(([name, value]) => [name, { value, origin, base }]));
}

/** Relative paths are relative to the real file, even when it is reached through a link; trust applies to the real file as well. */
export function realFile(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** If the list of trusted files cannot be read, no file is trusted. */
async function trustIn(
  file: ReadProjectFile,
  { env, homeDir }: ConfigInput,
  { state }: XdgFolders,
): Promise<{ readonly trusted: boolean; readonly problem?: string }> {
  try {
    const real = realpathSync(file.path);
    const entry = readTrusted(trustStoreIn(state)).find((trusted) => trusted.path === real);
    if (entry === undefined) return { trusted: false };
    const { bondOf, isUnchanged } = await import('./project-trust.ts');
    return { trusted: isUnchanged(entry, bondOf(file, { env, homeDir })) };
  } catch (error) {
    const problem = isKebabError(error) ? error.message : String(error);
    return { trusted: false, problem: `no project file is trusted: ${problem}` };
  }
}

/**
 * The files that decide about the configuration of a process in a folder, absolute: those that it was read from or would be read from if
 * they existed, and the lists of trusted files and of projects. While none of them is created, changed or removed, a process that starts
 * in this folder has the same configuration.
 */
export function configurationFiles(
  files: readonly Pick<ConfigFile, 'path'>[],
  { stateDir, cwd }: { readonly stateDir: string; readonly cwd: string },
): readonly string[] {
  const lists = [trustStoreIn(stateDir), projectListIn(stateDir)];
  return [...new Set([...files.map((file) => file.path), ...lists, ...foldersFrom(cwd).flatMap(projectFilesIn)])];
}

function projectFilesIn(folder: string): readonly string[] {
  const named = PROJECT_FILE_NAMES.map((name) => path.join(folder, name));
  return [...named, ...knowledgeBaseFiles(path.join(folder, PROJECT_FOLDER))];
}
