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

/** What the components of one App are made from. */
export interface ComponentsRequest {
  readonly resolution: ConfigResolution;
  readonly builtins: readonly BuiltinPlugin[];
  readonly environment: AppEnvironment;
  readonly clock: Clock;
  readonly log: Logger;
  readonly readonly: boolean;
  /** How many of the configured plugins, the first ones, the command line names. */
  readonly flaggedPlugins: number;
  /** Where kebab's own packages lie, which plugins import. */
  readonly installing?: (() => InstallSetup) | undefined;
  /** The file that processes of plugins run; without it every plugin runs here. */
  readonly workerUrl?: URL | undefined;
}

/** The components of one App, and how every plugin stands; failures are added as they happen. */
export interface OpenComponents {
  readonly components: PluginComponents;
  /** Preferred first. */
  readonly plugins: readonly LoadedPlugin[];
  readonly reports: () => readonly PluginReport[];
  /** Notices for the user about plugins that do not run, stand in another's place, or fail while they run. */
  readonly told: PluginNotices;
  /** Where plugins pass files. */
  readonly tmp: TemporaryFolder;
  /** A name in the configuration that no plugin has; null when there is none, or when some plugin could not be looked at. */
  readonly misnamed: KebabError<'config_invalid'> | null;
  /** What the configuration says for a plugin. */
  readonly settingsOf: (plugin: LoadedPlugin, access: Access) => GivenSettings;
}

/** Finds the configured plugins and puts them before the built-in ones. Runs no plugin code that has a manifest. */
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

/** What every plugin may look up and write to, wherever it runs. */
type PluginWorld = Pick<PluginContext, 'log' | 'cache' | 'documents' | 'knowledgeBase'>;

/** What makes the processes of plugins, loaded where there are plugins that did not come with kebab. */
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

/** Whether `KEBAB_PLUGINS=none` hides what is configured: then a name may be that of a hidden plugin. */
function isWithoutPlugins({ config, origins }: ConfigResolution): boolean {
  return config.plugins.length === 0 && origins.get('plugins')?.origin === 'env';
}

/** A plugin whose own part of the configuration is not read would run with settings that were never written. */
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

/** Keys that name a contribution of a plugin: its kind, and what a sentence calls it. */
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
 * The first key of the configuration that names what neither kebab nor an installed plugin has, as `config_invalid` with the
 * nearest name; null when there is none. Only manifests are read. A plugin that is switched off counts as installed: without it
 * kebab does less, and says so.
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

/** Plugins as the command line names them. */
interface FlaggedPlugins {
  readonly named: readonly PluginEntry[];
  /** kebab's own plugin folder. */
  readonly pluginFolder: string;
}

/** A line for each plugin that `--plugin` enables, with what it declares that it touches; none for one that asks for nothing. */
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
 * Kinds whose failures change nothing that is shown, end an answer early, or are one line of a report: who is to blame and what
 * to do is reported there.
 */
const TOLD_BESIDE: ReadonlySet<PluginKind> = new Set(['hook', 'groundedness', 'llm', 'source']);

/** Collects the notices about plugins: each thing once, however often it happens, and in the order it happens. */
export class PluginNotices {
  readonly #lines: string[];
  readonly #told = new Set<string>();
  readonly #broken = new Map<string, string>();

  /** Begins with what is known before anything runs. */
  constructor(known: readonly string[]) {
    this.#lines = [...known];
  }

  /** Every line so far; it only grows at its end. */
  get lines(): readonly string[] {
    return [...this.#lines];
  }

  /** A component that could not be made, or not be closed. */
  broken({ plugin, kind, id }: ComponentName, { message }: Error): void {
    this.#broken.set(plugin, message);
    this.#notice(`${plugin} ${kind} ${id}`, `plugin ${message}; see \`kebab plugin doctor\``);
  }

  /** Why a plugin is broken; undefined when it is not. */
  reasonOf(plugin: string): string | undefined {
    return this.#broken.get(plugin);
  }

  /** A call of a component that failed. A failure that its caller reports is not reported twice. */
  failedCall({ plugin, kind, id }: ComponentName, error: Error): void {
    if (!TOLD_BESIDE.has(kind)) return;
    this.#notice(`${plugin} ${kind} ${id}`, `plugin ${error.message}${isKebabError(error) ? `; ${error.hint}` : ''}`);
  }

  /** A file on which an extractor failed; the report names the file. */
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
