import path from 'node:path';
import { kebabVariablesIn, type PathScope, pluginFolderIn, xdgFolders, type XdgFolders } from './expand-path.ts';
import type { InstalledSections, NamedPlugins } from './installed-sections.ts';
import { invalidConfig, type SetOrigin } from './invalid-config.ts';
import { type FlatKey, type KeyTable, keyTableWith } from './key-table.ts';
import {
  type ConfigFile,
  type ConfigInput,
  type FileSettings,
  type FlagValue,
  ownFile,
  parseConfigFiles,
  type ParsedFile,
  type ParsedFiles,
  type Project,
  projectOf,
  readParsedFile,
  realFile,
} from './read-config-files.ts';
import { type EnvironmentSettings, pluginsInEnvironment, readEnvironment } from './read-environment.ts';
import type { ResolvedConfig } from './resolved-config.ts';
import { mergeSettings, type Setting, settingOf, type Settings, buildConfig } from './build-config.ts';
import { deepFreeze } from '../domain/json.ts';
import { isKebabError, type KebabError } from '../errors/kebab-error.ts';
import type { PluginEntry } from '../plugin/find-plugins.ts';

const DATA_DIR = 'storage.data_dir';
const MODEL_DIR = 'storage.model_dir';

/** The effective configuration and its origins. */
export interface ConfigResolution {
  readonly config: ResolvedConfig;
  /** Every key that may be set. */
  readonly keys: KeyTable;
  /** The reasons why the sections of some plugins were rejected, by plugin name. */
  readonly refusedSections: ReadonlyMap<string, string>;
  /** By dotted name; only those of keys that are set. */
  readonly origins: ReadonlyMap<string, SetOrigin>;
  /** The files in effect: the user's, then a project file; or the one named by `--config`. */
  readonly files: readonly ConfigFile[];
  /** The user's file, or the one named by `--config`. */
  readonly userFile: string;
  /** Whether it was named by `--config`. */
  readonly isNamed: boolean;
  /** The project whose knowledge base is in use; null for the user's. */
  readonly project: Project | null;
  /** The `.kebab/` of the nearest project if it is not used, for example because it came with a checkout; null otherwise. */
  readonly unusedFolder: string | null;
  /** kebab's own plugin folder: the only place where a package that `config.plugins` names is looked up. */
  readonly pluginFolder: string;
  /** Notices to show once. */
  readonly notices: readonly string[];
  readonly folders: XdgFolders;
  /** Why the configuration is invalid, where the caller asked for defaults in that case. */
  readonly failure?: KebabError;
}

/**
 * Resolves the configuration once: default < user's file < project file < environment < flag, validated, expanded and frozen. Loads a
 * parser only when there is a file to parse. Throws `config_invalid` and `config_not_found`.
 */
export async function resolveConfig(input: ConfigInput): Promise<ConfigResolution> {
  const { cwd, env, homeDir, flags = {} } = input;
  const folders = xdgFolders(env, homeDir);
  const parsed = await parseConfigFiles(input, folders);
  const { keys, refused } = await keysOf(input, parsed, folders);
  const read = await readFiles(input, parsed, { keys, folders });
  const environment = readEnvironment(keys, env);
  const layers = layersOf(parsed, { keys, read, environment: layerOf(environment, cwd) }, cwd);
  const configured = mergeSettings(keys, layers, cwd);
  const flagged = withFlags(settingOf(configured, 'plugins'), flags.plugins ?? [], {
    cwd,
    off: environment.pluginsOff,
  });
  const settings = new Map([
    ...configured,
    ['plugins', flagged.plugins],
    ...(flags.values ?? []).flatMap((given) => flaggedSetting(configured, given)),
  ]);
  const config = buildConfig(keys, settings, { env, homeDir });
  checkConfig(config, settings);
  const files = [...parsed.unread, ...read.map(({ file }) => file)];
  return {
    config: deepFreeze(config),
    keys,
    refusedSections: refused,
    origins: new Map(
      [...settings].flatMap(([name, { origin }]) => (origin.origin === 'default' ? [] : [[name, origin] as const])),
    ),
    files,
    userFile: ownFile(input, folders),
    isNamed: flags.config !== undefined,
    project: parsed.project,
    unusedFolder: parsed.unusedFolder,
    pluginFolder: pluginFolderIn(folders),
    notices: [
      ...parsed.notices,
      ...read.flatMap(({ notices }) => notices),
      ...flagged.notices,
      ...unknownVariables(environment, settings),
    ],
    folders,
  };
}

/**
 * Resolves the configuration for commands that help to repair it: an invalid one is replaced by the defaults, and `failure` holds the
 * error.
 */
export async function resolveOrDefault(input: ConfigInput): Promise<ConfigResolution> {
  try {
    return await resolveConfig(input);
  } catch (error) {
    if (!isKebabError(error, 'config_invalid')) throw error; // a missing named file is the caller's mistake
    return defaultsInsteadOf(input, error);
  }
}

/** The defaults, in place of a configuration that is invalid for this reason. */
export async function defaultsInsteadOf(
  input: ConfigInput,
  failure: KebabError<'config_invalid'>,
): Promise<ConfigResolution> {
  const env = Object.fromEntries(Object.entries(input.env).filter(([name]) => !name.startsWith('KEBAB_')));
  // There is no project file above the root of the file system.
  const defaults = await resolveConfig({
    ...input,
    env,
    flags: {},
    cwd: path.parse(input.cwd).root,
    ignoreUserFile: true,
  });
  const { project, unusedFolder } = await projectOf(input, defaults.folders);
  const isNamed = input.flags?.config !== undefined;
  return { ...defaults, userFile: ownFile(input, defaults.folders), isNamed, project, unusedFolder, failure };
}

/** What was read of files and variables. */
interface ReadSettings {
  readonly keys: KeyTable;
  readonly read: readonly FileSettings[];
  readonly environment: Settings;
}

/**
 * The layers, lowest precedence first. In a project, the user's file loses its sources and paths; in their place come the project folder as
 * the only source, and `.kebab/` as the location of everything but models, which all projects of a user share.
 */
function layersOf(
  { parsed, project }: ParsedFiles,
  { keys, read, environment }: ReadSettings,
  cwd: string,
): readonly Settings[] {
  const files = read.map(({ layer }) => layer);
  if (project === null) return [...files, environment];
  const own = parsed.filter(({ isProjects }) => !isProjects).length;
  const user = new Map(files.slice(0, own).flatMap((layer) => [...layer]));
  const { folder, kebabFolder, configFile } = project;
  const origin = { origin: 'file', path: configFile } as const;
  const implied = new Map<string, Setting>([
    ['workspace.root', { value: folder, origin, base: folder }],
    [DATA_DIR, { value: kebabFolder, origin, base: kebabFolder }],
    [MODEL_DIR, modelDir(keys, [user, environment], cwd)],
  ]);
  const kept = new Map([...user].filter(([name]) => !isPlace(name, keys.keys)));
  return [kept, implied, ...files.slice(own), environment];
}

/** Whether a key determines where documents or data are stored. */
function isPlace(name: string, keys: readonly FlatKey[]): boolean {
  if (name === 'workspace.root' || name === 'workspace.sources') return true;
  return name.startsWith('storage.') && keys.find((flat) => flat.name === name)?.key.kind === 'path';
}

/** The user's model folder, with `{data_dir}` expanded because that differs in a project. Variables affect it through the data folder only. */
function modelDir(keys: KeyTable, layers: readonly [user: Settings, environment: Settings], cwd: string): Setting {
  const written = settingOf(mergeSettings(keys, layers.slice(0, 1), cwd), MODEL_DIR);
  const data = settingOf(mergeSettings(keys, layers, cwd), DATA_DIR);
  const text = String(written.value);
  if (!text.includes('{data_dir}')) return written;
  const place = /^[~$/]/.test(String(data.value)) ? String(data.value) : path.resolve(data.base, String(data.value));
  return { ...written, value: text.replaceAll('{data_dir}', () => place) };
}

/** The keys of kebab, of the bundled plugins, and of the plugins named in effect. */
async function keysOf(input: ConfigInput, { parsed }: ParsedFiles, folders: XdgFolders): Promise<InstalledSections> {
  const { builtins = [], cwd, env, flags = {} } = input;
  const keys = keyTableWith(builtins.flatMap(({ manifest: { section } }) => (section === undefined ? [] : [section])));
  const scope = scopeOf(input, cwd);
  const named: readonly NamedPlugins[] = [
    { entries: (flags.plugins ?? []).map((name) => ({ name: path.resolve(cwd, name) })), scope },
    { entries: pluginsInEnvironment(env), scope },
    ...parsed.filter(({ trusted }) => trusted).map((file) => namedIn(file, input)),
  ];
  if (named.every(({ entries }) => entries.length === 0)) return { keys, refused: new Map() };
  const { installedSections } = await import('./installed-sections.ts');
  return installedSections(named, { keys, ...installedFor(input, folders) });
}

/** The section of a plugin that the file itself names requires trust, like the plugin; it is not an unknown key. */
async function readFiles(
  input: ConfigInput,
  { parsed }: ParsedFiles,
  { keys, folders }: { readonly keys: KeyTable; readonly folders: XdgFolders },
): Promise<readonly FileSettings[]> {
  const read: FileSettings[] = [];
  for (const file of parsed) {
    let ownKeys = keys;
    if (!file.trusted && file.plugins.length > 0) {
      const { installedSections } = await import('./installed-sections.ts');
      const search = { keys, withoutPatterns: true, ...installedFor(input, folders) };
      ({ keys: ownKeys } = await installedSections([namedIn(file, input)], search));
    }
    read.push(await readParsedFile(ownKeys, file));
  }
  return read;
}

/** Where plugins are installed, and which are bundled. */
function installedFor({ builtins = [] }: ConfigInput, folders: XdgFolders) {
  return { builtins: new Set(builtins.map(({ manifest }) => manifest.name)), pluginFolder: pluginFolderIn(folders) };
}

function scopeOf({ env, homeDir }: ConfigInput, base: string): PathScope {
  return { env, homeDir, base, dataDir: null };
}

function namedIn({ path: file, plugins }: ParsedFile, input: ConfigInput): NamedPlugins {
  return { entries: plugins, scope: scopeOf(input, path.dirname(realFile(file))) };
}

function layerOf({ values }: EnvironmentSettings, cwd: string): Settings {
  refuseRelativePlugins(values.get('plugins'));
  return new Map([...values].map(([name, { value, origin }]) => [name, { value, origin, base: cwd }]));
}

/** An environment variable applies in any working directory: it must name the same plugin wherever kebab runs. */
function refuseRelativePlugins(set: Pick<Setting, 'value' | 'origin'> | undefined): void {
  if (set === undefined) return;
  const relative = (set.value as readonly PluginEntry[]).find(({ name }) => name.startsWith('.'));
  if (relative === undefined) return;
  const cause = `must name ${relative.name} by its absolute path, or an installed plugin by its name`;
  throw invalidConfig({ origin: set.origin, key: 'plugins' }, cause);
}

/** Flags add to the configured plugins; `KEBAB_PLUGINS=none` disables those as well. */
function withFlags(
  configured: Setting,
  named: readonly string[],
  { cwd, off }: { readonly cwd: string; readonly off: boolean },
): { readonly plugins: Setting; readonly notices: readonly string[] } {
  if (named.length === 0) return { plugins: configured, notices: [] };
  if (off) return { plugins: configured, notices: ['--plugin is ignored: KEBAB_PLUGINS=none disables all plugins'] };
  const entries = named.map((name) => ({ name: path.resolve(cwd, name), config: {}, enabled: true }));
  const value = [...entries, ...(configured.value as readonly unknown[])];
  return { plugins: { ...configured, value, origin: { origin: 'flag', flag: '--plugin' } }, notices: [] };
}

/** The value of a flag overrides the configured one. */
function flaggedSetting(
  configured: Settings,
  { key, flag, value }: FlagValue,
): readonly (readonly [string, Setting])[] {
  const setting = configured.get(key);
  return setting === undefined ? [] : [[key, { ...setting, value, origin: { origin: 'flag', flag } }]];
}

/** A variable that a path refers to is not unknown, whatever its name. */
function unknownVariables({ unknown }: EnvironmentSettings, settings: Settings): readonly string[] {
  if (unknown.length === 0) return [];
  const used = new Set([...settings.values()].flatMap(({ value }) => kebabVariablesIn(JSON.stringify(value))));
  return unknown
    .filter(({ variable }) => !used.has(variable))
    .map(({ variable, suggestion }) => {
      const question = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
      return `unknown environment variable ${variable} is ignored${question}`;
    });
}

/** Checks the rules that concern more than one value. Throws `config_invalid` for the first violation. */
function checkConfig(config: ResolvedConfig, settings: Settings): void {
  const [conflict] = conflicts(config);
  if (conflict === undefined) return;
  const { keys, cause } = conflict;
  const key = keys.find((name) => settingOf(settings, name).origin.origin !== 'default') ?? keys[0];
  throw invalidConfig({ origin: settingOf(settings, key).origin, key }, cause);
}

/** A violated rule between keys. */
interface Conflict {
  /** The keys concerned; the first one is blamed, unless only another was set. */
  readonly keys: readonly [string, ...string[]];
  readonly cause: string;
}

function* conflicts({ chunking, code, search, workspace }: ResolvedConfig): Generator<Conflict> {
  if (chunking.overlapTokens >= chunking.targetTokens)
    yield {
      keys: ['chunking.overlap_tokens', 'chunking.target_tokens'],
      cause: `chunking.overlap_tokens (${chunking.overlapTokens}) must be less than chunking.target_tokens (${chunking.targetTokens})`,
    };
  if (chunking.maxChunkTokens < chunking.targetTokens)
    yield {
      keys: ['chunking.max_chunk_tokens', 'chunking.target_tokens'],
      cause: `chunking.max_chunk_tokens (${chunking.maxChunkTokens}) must be at least chunking.target_tokens (${chunking.targetTokens})`,
    };
  if (code.windowOverlapLines >= code.windowLines)
    yield {
      keys: ['code.window_overlap_lines', 'code.window_lines'],
      cause: `code.window_overlap_lines (${code.windowOverlapLines}) must be less than code.window_lines (${code.windowLines})`,
    };
  if (search.weightLexical + search.weightVector === 0)
    yield {
      keys: ['search.weight_lexical', 'search.weight_vector'],
      cause: 'search.weight_lexical and search.weight_vector must not both be 0',
    };
  yield* sourceConflicts(workspace.sources.map(({ id }) => id));
}

function* sourceConflicts(ids: readonly string[]): Generator<Conflict> {
  for (const [index, id] of ids.entries()) {
    if (id === 'default' || id === 'external')
      yield { keys: ['workspace.sources'], cause: `the source id ${id} is reserved` };
    if (ids.indexOf(id) !== index) yield { keys: ['workspace.sources'], cause: `two sources have the id ${id}` };
  }
}
