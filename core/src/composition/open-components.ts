import type { InstallSetup } from '../admin/installing/install-plugin.ts';
import path from 'node:path';
import { sectionsIn } from '../config/key-table.ts';
import type { ConfigResolution } from '../config/resolve-config.ts';
import type { Clock, Logger } from '../contracts/contribution.ts';
import { KebabError, isKebabError } from '../errors/kebab-error.ts';
import { dataFolderOf, madeFolder } from '../plugin/data-folder.ts';
import { committedDocuments } from '../plugin/committed-documents.ts';
import type { Access, ComponentName } from '../plugin/components.ts';
import type { GivenSettings, PluginContext } from '../plugin/define-plugin.ts';
import { kindsOf, loadedBuiltin, type LoadedPlugin } from '../plugin/loaded-plugin.ts';
import {
  findPlugins,
  reportOf,
  type FoundPlugins,
  SWITCHED_OFF,
  type PluginReport,
  shadowedContributions,
  type PluginEntry,
} from '../plugin/find-plugins.ts';
import type { BuiltinPlugin, PluginManifest } from '../plugin/read-manifest.ts';
import { PluginComponents } from '../plugin/plugin-components.ts';
import type { PluginProcesses } from '../plugin/process/plugin-processes.ts';
import { permittedFetch, thirdPartyLimits } from '../plugin/trust-policy.ts';
import { corePlugin } from './core-plugin.ts';
import { givenSettings } from './given-settings.ts';
import { FileDerivationCache, ownEntries } from '../plugin/file-derivation-cache.ts';
import type { AppEnvironment } from './environment.ts';
import { TemporaryFolder } from './temporary-folder.ts';
import { invalidConfig } from '../config/invalid-config.ts';
import { nearestName } from '../errors/invalid-input.ts';
import type { PluginKind } from '../plugin/contributions.ts';
import { locatePlugin } from '../plugin/resolve-plugin.ts';

/** The inputs for the components of one App. */
export interface ComponentsRequest {
  readonly resolution: ConfigResolution;
  readonly builtins: readonly BuiltinPlugin[];
  readonly environment: AppEnvironment;
  readonly clock: Clock;
  readonly log: Logger;
  readonly readonly: boolean;
  /** How many of the configured plugins, at the start of the list, come from the command line. */
  readonly flaggedPlugins: number;
  /** The location of kebab's own packages, which plugins import. */
  readonly installing?: (() => InstallSetup) | undefined;
  /** The program of plugin processes; without it every plugin runs in this process. */
  readonly workerUrl?: URL | undefined;
}

/** The components of one App, and the state of every plugin; failures are added as they happen. */
export interface OpenComponents {
  readonly components: PluginComponents;
  /** Preferred first. */
  readonly plugins: readonly LoadedPlugin[];
  readonly reports: () => readonly PluginReport[];
  /** Notices for the user about plugins that do not run, override another, or fail at run time. */
  readonly told: PluginNotices;
  /** Where plugins exchange files. */
  readonly tmp: TemporaryFolder;
  /** The error for a configured name that no plugin has; null when there is none, or when some plugin could not be examined. */
  readonly misnamed: KebabError<'config_invalid'> | null;
  /** The part of the configuration for a plugin. */
  readonly settingsOf: (plugin: LoadedPlugin, access: Access) => GivenSettings;
}

/** Finds the configured plugins and puts them before the built-in ones. Runs no code of plugins that have a manifest. */
export async function openComponents(request: ComponentsRequest): Promise<OpenComponents> {
  const { resolution, environment, clock, log } = request;
  const { config } = resolution;
  const names = new Set([corePlugin, ...request.builtins].map(({ manifest }) => manifest.name));
  const thirdParty = config.plugins.filter(({ name }) => !names.has(name));
  if (thirdParty.length > 0 && request.installing !== undefined && !request.readonly) {
    const { PluginFolder } = await import('../admin/installing/plugin-folder.ts');
    new PluginFolder(resolution.pluginFolder).linkOwn(() => request.installing?.().ownPackages ?? {});
  }
  const tmp = new TemporaryFolder(environment.tmpDir);
  const folder = path.join(resolution.folders.cache, 'derived');
  const cache = new FileDerivationCache({ folder, readonly: request.readonly });
  const worldOf = (manifest: PluginManifest): PluginWorld => ({
    log,
    cache: ownEntries(cache, manifest.name),
    documents: async () => committedDocuments(await components.first('document_store')),
    knowledgeBase: async () => (await components.first('document_store')).knowledgeBase(),
  });
  const processes =
    thirdParty.length === 0 ? undefined : await processesOf(request, { tmp, cacheDir: folder, worldOf });
  const { loadTimeoutS, createTimeoutS, callTimeoutS } = config.pluginLimits;
  const limits = thirdPartyLimits({
    loadMs: loadTimeoutS * 1000,
    createMs: createTimeoutS * 1000,
    callMs: callTimeoutS * 1000,
  });
  const found =
    thirdParty.length === 0
      ? { plugins: [], rejected: [] }
      : withReadSections(
          await findPlugins(thirdParty, {
            pluginFolder: resolution.pluginFolder,
            builtins: names,
            beforeLoad: environment.beforeForeignCode,
            limits,
            describe:
              processes &&
              (({ name, config: given }, moduleUrl) =>
                processes.describe(name, { moduleUrl, config: given ?? {}, limits })),
          }),
          resolution,
        );
  const off = new Set(
    config.plugins.filter(({ name, enabled }) => names.has(name) && !enabled).map(({ name }) => name),
  );
  const allBuiltins = [corePlugin, ...request.builtins].map(loadedBuiltin);
  const builtins = allBuiltins.filter(
    ({ manifest }) => manifest.name === corePlugin.manifest.name || !off.has(manifest.name),
  );
  const plugins = [...found.plugins, ...builtins];
  const flagged = enabledByFlag(found.plugins, {
    named: config.plugins.slice(0, request.flaggedPlugins),
    pluginFolder: resolution.pluginFolder,
  });
  const told = new PluginNotices([
    ...found.rejected
      .filter(({ reason }) => reason !== SWITCHED_OFF)
      .map(({ name, reason }) => `plugin ${name} does not run: ${reason ?? 'it failed'}; see \`kebab plugin list\``),
    ...config.plugins.flatMap(({ name, config: settings }) => misplacedSettings(name, settings, names)),
    ...(found.plugins.length === 0 ? [] : shadowedContributions(plugins)),
    ...flagged,
  ]);
  const settingsOf = (plugin: LoadedPlugin, access: Access): GivenSettings =>
    givenSettings(config, {
      kinds: kindsOf(plugin.manifest),
      section: plugin.manifest.section,
      access,
      cacheDir: resolution.folders.cache,
    });
  const components: PluginComponents = new PluginComponents({
    plugins,
    settingsOf,
    contextOf: (plugin) => ({
      ...worldOf(plugin.manifest),
      get tmpDir() {
        return tmp.path;
      },
      get dataDir() {
        return madeFolder(dataFolderOf(plugin.manifest, config.storage.dataDir));
      },
      clock,
      ...permittedFetch(plugin),
    }),
    onFailure: (name, error) => {
      told.broken(name, error);
      log.error('plugin failed', { plugin: name.plugin, cause: error.message });
    },
    onCallFailure: (name, error) => {
      told.failedCall(name, error);
      log.warn('a call of a plugin failed', {
        plugin: name.plugin,
        kind: name.kind,
        id: name.id,
        cause: error.message,
      });
    },
    allowWrite: () => {
      if (!request.readonly) return;
      throw new KebabError('readonly_mode', 'nothing is written in read-only mode', { details: { command: 'write' } });
    },
    processes,
  });
  const reports = (): readonly PluginReport[] => [
    ...plugins.map((plugin) => {
      const reason = told.reasonOf(plugin.manifest.name);
      return reason === undefined ? reportOf(plugin, 'active') : reportOf(plugin, 'failed', reason);
    }),
    ...allBuiltins
      .filter((plugin) => !builtins.includes(plugin))
      .map((plugin) => reportOf(plugin, 'disabled', SWITCHED_OFF)),
    ...found.rejected,
  ];
  const isComplete = found.rejected.length === 0 && !isWithoutPlugins(resolution);
  const misnamed = isComplete ? misnamedComponent(resolution, [...found.plugins, ...allBuiltins]) : null;
  return { components, plugins, reports, told, tmp, misnamed, settingsOf };
}

/** The services available to every plugin, wherever it runs. */
type PluginWorld = Pick<PluginContext, 'log' | 'cache' | 'documents' | 'knowledgeBase'>;

/** Creates the host of plugin processes, which is loaded only when there are third-party plugins. */
async function processesOf(
  { workerUrl, environment, resolution }: ComponentsRequest,
  {
    tmp,
    ...rest
  }: {
    readonly tmp: TemporaryFolder;
    readonly cacheDir: string;
    readonly worldOf: (manifest: PluginManifest) => PluginWorld;
  },
): Promise<PluginProcesses | undefined> {
  if (workerUrl === undefined) return undefined;
  const { PluginProcesses } = await import('../plugin/process/plugin-processes.ts');
  const { pluginLimits, storage } = resolution.config;
  return new PluginProcesses({
    ...rest,
    url: workerUrl,
    env: environment.env,
    memoryMb: pluginLimits.memoryMb,
    tmpDir: () => tmp.path,
    dataDirOf: (manifest) => madeFolder(dataFolderOf(manifest, storage.dataDir)),
  });
}

/** Whether `KEBAB_PLUGINS=none` hides the configured plugins: then a name may be that of a hidden plugin. */
function isWithoutPlugins({ config, origins }: ConfigResolution): boolean {
  return config.plugins.length === 0 && origins.get('plugins')?.origin === 'env';
}

/** A plugin whose section is not read would run with settings that the user did not write. */
function withReadSections({ plugins, rejected }: FoundPlugins, resolution: ConfigResolution): FoundPlugins {
  const tables = new Set(sectionsIn(resolution.keys).map(({ name }) => name));
  const problemOf = ({ manifest: { name, section } }: LoadedPlugin): string | undefined => {
    const refused = resolution.refusedSections.get(name);
    if (refused !== undefined || section === undefined || tables.has(section.name)) return refused;
    return `its section ${section.name} of the configuration is not read`;
  };
  return {
    plugins: plugins.filter((plugin) => problemOf(plugin) === undefined),
    rejected: [
      ...rejected,
      ...plugins.flatMap((plugin) => {
        const problem = problemOf(plugin);
        return problem === undefined ? [] : [reportOf(plugin, 'failed', problem)];
      }),
    ],
  };
}

/** The name of a built-in plugin means the built-in plugin, whose settings are sections of the configuration. */
function misplacedSettings(name: string, settings: unknown, builtins: ReadonlySet<string>): readonly string[] {
  if (!builtins.has(name) || Object.keys(settings ?? {}).length === 0) return [];
  return [
    `the settings of ${name} under \`plugins\` are ignored: a built-in plugin reads its own section of the configuration`,
  ];
}

/** Keys that name a contribution of a plugin: its kind, and its name in messages. */
const NAMING: ReadonlyMap<string, readonly [kind: PluginKind, what: string]> = new Map([
  ['storage.vector_store', ['vector_store', 'vector store']],
  ['chunking.chunker_version', ['chunker', 'chunker']],
  ['ocr.engine', ['ocr', 'OCR engine']],
  ['caption.provider', ['captioner', 'captioner']],
  ['models.embedding.provider', ['embedder', 'embedding provider']],
  ['models.llm.provider', ['llm', 'provider of language models']],
  ['models.rerank.provider', ['reranker', 'reranker']],
  ['models.nli.provider', ['groundedness', 'verifier']],
]);

/**
 * Finds the first configuration key that names something that neither kebab nor an installed plugin provides, as `config_invalid` with the
 * nearest name; null when there is none. Only manifests are read. A disabled plugin counts as installed: without it kebab does less, and
 * reports that.
 */
function misnamedComponent(
  { config, keys, origins }: Pick<ConfigResolution, 'config' | 'keys' | 'origins'>,
  installed: readonly LoadedPlugin[],
): KebabError<'config_invalid'> | null {
  for (const { name: key, key: spec, steps } of keys.keys) {
    const named = NAMING.get(key);
    const origin = origins.get(key);
    if (named === undefined || spec.kind !== 'text' || origin === undefined || origin.origin === 'default') continue;
    const [kind, what] = named;
    const id = steps.reduce<unknown>((table, step) => (table as Readonly<Record<string, unknown>>)[step], config);
    const ids = [...new Set([...spec.known, ...installed.flatMap(({ manifest }) => manifest.contributes[kind] ?? [])])];
    if (typeof id !== 'string' || ids.includes(id)) continue;
    const nearest = nearestName(id, ids);
    const cause = `there is no ${what} ${JSON.stringify(id)}; there is ${ids.join(', ')}`;
    const { message, details } = invalidConfig({ origin, key }, cause, nearest);
    const correction =
      origin.origin === 'env'
        ? `correct or unset ${origin.variable}`
        : `\`kebab config set ${key} ${nearest ?? spec.default}\``;
    const hint = `${correction}; if a plugin brings it, name that plugin under \`plugins\``;
    return new KebabError('config_invalid', message, { details, hint });
  }
  return null;
}

/** Plugins named on the command line. */
interface FlaggedPlugins {
  readonly named: readonly PluginEntry[];
  /** kebab's own plugin folder. */
  readonly pluginFolder: string;
}

/** One line per plugin that `--plugin` enables, with the permissions it declares; none for a plugin without permissions. */
export function enabledByFlag(
  plugins: readonly LoadedPlugin[],
  { named, pluginFolder }: FlaggedPlugins,
): readonly string[] {
  const places = new Set(named.map(({ name }) => locatePlugin(name, pluginFolder).path));
  return plugins.flatMap(({ manifest, path: folder }) => {
    const asks = asksOf(manifest.permissions);
    if (folder === null || !places.has(folder) || asks.length === 0) return [];
    return [`--plugin enables ${manifest.name} ${manifest.version}, which may ${asks.join(' and ')}`];
  });
}

function asksOf({ fs, net, spawn }: LoadedPlugin['manifest']['permissions']): readonly string[] {
  return [
    ...(fs === 'data-dir' ? ['write into the data folder'] : []),
    ...(net.length === 0 ? [] : [`reach ${net.join(', ')}`]),
    ...(spawn.length === 0 ? [] : [`start ${spawn.join(', ')}`]),
  ];
}

/**
 * Kinds whose failures do not affect what is shown, end an answer early, or are one line of a report, which names the plugin and the
 * remedy.
 */
const REPORTED_ELSEWHERE: ReadonlySet<PluginKind> = new Set(['hook', 'groundedness', 'llm', 'source']);

/** Collects the notices about plugins: each once, however often it occurs, in order of occurrence. */
export class PluginNotices {
  readonly #lines: string[];
  readonly #told = new Set<string>();
  readonly #broken = new Map<string, string>();

  /** Starts with what is known before anything runs. */
  constructor(known: readonly string[]) {
    this.#lines = [...known];
  }

  /** All lines so far; new ones are appended. */
  get lines(): readonly string[] {
    return [...this.#lines];
  }

  /** Adds a notice about running plugins, such as which of two extractors reads a file. */
  note(line: string): void {
    this.#notice(line, line);
  }

  /** Records a component that could not be created or closed. */
  broken({ plugin, kind, id }: ComponentName, { message }: Error): void {
    this.#broken.set(plugin, message);
    this.#notice(`${plugin} ${kind} ${id}`, `plugin ${message}; see \`kebab plugin doctor\``);
  }

  /** Why a plugin is broken; undefined when it is not. */
  reasonOf(plugin: string): string | undefined {
    return this.#broken.get(plugin);
  }

  /** Records a failed call of a component. A failure that its caller reports is not reported twice. */
  failedCall({ plugin, kind, id }: ComponentName, error: Error): void {
    if (!REPORTED_ELSEWHERE.has(kind)) return;
    this.#notice(`${plugin} ${kind} ${id}`, `plugin ${error.message}${isKebabError(error) ? `; ${error.hint}` : ''}`);
  }

  /** Records a file on which an extractor failed; the report names the file. */
  failedFile(error: unknown): void {
    if (!isKebabError(error, 'plugin_failed')) return;
    const agent = `${error.details.plugin}@${error.details.version}`;
    const remedy = 'update it, or take it out of `plugins`; `kebab plugin test` shows its author more';
    this.#notice(agent, `plugin ${agent} fails on files: ${remedy}`);
  }

  #notice(about: string, line: string): void {
    if (this.#told.has(about)) return;
    this.#told.add(about);
    this.#lines.push(line);
  }
}
