import { invalidConfig } from '../config/invalid-config.ts';
import { sectionsIn } from '../config/key-table.ts';
import type { ConfigResolution } from '../config/resolve-config.ts';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import { nearestName } from '../errors/invalid-input.ts';
import { KebabError, isKebabError } from '../errors/kebab-error.ts';
import { KEBAB_VERSION } from '../domain/versions.ts';
import type { WalkOptions } from '../ingest/scan/walk-tree.ts';
import type { PluginKind } from '../plugin/contributions.ts';
import { definePlugin } from '../plugin/define-plugin.ts';
import {
  findPlugins,
  reportOf,
  shadowedContributions,
  SWITCHED_OFF,
  type FoundPlugins,
  type PluginEntry,
  type PluginReport,
} from '../plugin/find-plugins.ts';
import { loadedBuiltin, type LoadedPlugin } from '../plugin/loaded-plugin.ts';
import type { PluginProcesses } from '../plugin/process/plugin-processes.ts';
import type { BuiltinPlugin } from '../plugin/read-manifest.ts';
import { locatePlugin } from '../plugin/resolve-plugin.ts';
import { thirdPartyLimits } from '../plugin/trust-policy.ts';
import type { ComponentName } from '../plugin/components.ts';

/** The name of core's own plugin. */
const CORE_PLUGIN = '@kebab/core';

const permissions = { fs: 'input-only', net: [], spawn: [] } as const;

/** The contributions of core itself, registered like those of any plugin: the folder walk. */
const corePlugin: BuiltinPlugin = {
  manifest: { name: CORE_PLUGIN, version: KEBAB_VERSION, apiVersion: 1, contributes: { source: ['fs'] }, permissions },
  load: async () => ({
    default: definePlugin({
      settings: ({ source }) => source,
      contributes: {
        source: {
          fs: async ({ config }) => {
            const { FsConnector } = await import('../ingest/scan/connectors.ts');
            return new FsConnector(config as WalkOptions);
          },
        },
      },
    }),
  }),
};

/** The inputs for finding the plugins of one App. */
export interface InstalledRequest {
  readonly resolution: ConfigResolution;
  /** The bundled plugins, without core's own. */
  readonly builtins: readonly BuiltinPlugin[];
  /** How many of the configured plugins, at the start of the list, come from the command line. */
  readonly flaggedPlugins: number;
  /** Called before code of a third-party plugin runs in this process. */
  readonly beforeLoad: ((plugin: string) => void) | undefined;
  /** Examines single-file plugins; without it they are imported here. */
  readonly processes: PluginProcesses | undefined;
}

/** The plugins of one App as they were found. */
export interface InstalledPlugins {
  /** The usable ones, preferred first. */
  readonly plugins: readonly LoadedPlugin[];
  /** Built-in plugins that the configuration disables. */
  readonly disabled: readonly LoadedPlugin[];
  /** Third-party plugins that cannot be used. */
  readonly rejected: readonly PluginReport[];
  /** What the user is to know before anything runs: plugins that do not run, override another, or were enabled by a flag. */
  readonly notices: readonly string[];
  /** The error for a configured name that no plugin has; null when there is none, or when some plugin could not be examined. */
  readonly misnamed: KebabError<'config_invalid'> | null;
}

/** Finds the configured plugins and puts them before the built-in ones. Runs no code of plugins that have a manifest. */
export async function findInstalledPlugins(request: InstalledRequest): Promise<InstalledPlugins> {
  const { resolution, flaggedPlugins } = request;
  const { config, pluginFolder } = resolution;
  const names = builtinNames(request.builtins);
  const { plugins: thirdParty, rejected } = await findThirdParty(request, names);
  const off = new Set(config.plugins.filter(({ enabled }) => !enabled).map(({ name }) => name));
  const builtins = [corePlugin, ...request.builtins].map(loadedBuiltin);
  const isDisabled = ({ manifest: { name } }: LoadedPlugin): boolean => name !== CORE_PLUGIN && off.has(name);
  const plugins = [...thirdParty, ...builtins.filter((plugin) => !isDisabled(plugin))];
  const isComplete = rejected.length === 0 && !isWithoutPlugins(resolution);
  return {
    plugins,
    disabled: builtins.filter(isDisabled),
    rejected,
    notices: [
      ...rejected
        .filter(({ reason }) => reason !== SWITCHED_OFF)
        .map(({ name, reason }) => `plugin ${name} does not run: ${reason ?? 'it failed'}; see \`kebab plugin list\``),
      ...config.plugins.flatMap(({ name, config: settings }) => misplacedSettings(name, settings, names)),
      ...(thirdParty.length === 0 ? [] : shadowedContributions(plugins)),
      ...enabledByFlag(thirdParty, { named: config.plugins.slice(0, flaggedPlugins), pluginFolder }),
    ],
    misnamed: isComplete ? misnamedComponent(resolution, [...thirdParty, ...builtins]) : null,
  };
}

/** The names of core's own plugin and the bundled ones. */
export function builtinNames(builtins: readonly BuiltinPlugin[]): ReadonlySet<string> {
  return new Set([corePlugin, ...builtins].map(({ manifest }) => manifest.name));
}

/** The configured plugins that are not bundled. */
export function thirdPartyIn({ plugins }: ResolvedConfig, builtins: ReadonlySet<string>): readonly PluginEntry[] {
  return plugins.filter(({ name }) => !builtins.has(name));
}

/** The current state of every plugin: as it was found, or failed since. */
export function reportPlugins(
  { plugins, disabled, rejected }: InstalledPlugins,
  notices: PluginNotices,
): readonly PluginReport[] {
  return [
    ...plugins.map((plugin) => {
      const reason = notices.reasonOf(plugin.manifest.name);
      return reason === undefined ? reportOf(plugin, 'active') : reportOf(plugin, 'failed', reason);
    }),
    ...disabled.map((plugin) => reportOf(plugin, 'disabled', SWITCHED_OFF)),
    ...rejected,
  ];
}

async function findThirdParty(
  { resolution, beforeLoad, processes }: InstalledRequest,
  builtins: ReadonlySet<string>,
): Promise<FoundPlugins> {
  const thirdParty = thirdPartyIn(resolution.config, builtins);
  if (thirdParty.length === 0) return { plugins: [], rejected: [] };
  const { loadTimeoutS, createTimeoutS, callTimeoutS } = resolution.config.pluginLimits;
  const limits = thirdPartyLimits({
    loadMs: loadTimeoutS * 1000,
    createMs: createTimeoutS * 1000,
    callMs: callTimeoutS * 1000,
  });
  const describe =
    processes &&
    (({ name, config }: Omit<PluginEntry, 'enabled'>, moduleUrl: string) =>
      processes.describe(name, { moduleUrl, config: config ?? {}, limits }));
  const { pluginFolder } = resolution;
  return withReadSections(
    await findPlugins(thirdParty, { pluginFolder, builtins, beforeLoad, limits, describe }),
    resolution,
  );
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
  ['storage.document_store', ['document_store', 'document store']],
  ['storage.lexical_index', ['lexical_index', 'index of words']],
  ['storage.vector_store', ['vector_store', 'vector store']],
  ['chunking.chunker_version', ['chunker', 'chunker']],
  ['ocr.engine', ['ocr', 'OCR engine']],
  ['caption.provider', ['captioner', 'captioner']],
  ['models.embedding.provider', ['embedder', 'embedding provider']],
  ['models.llm.provider', ['llm', 'provider of language models']],
  ['models.rerank.provider', ['reranker', 'reranker']],
  ['models.nli.provider', ['groundedness', 'verifier']],
  ['rag.answer_checker', ['groundedness', 'checker of answers']],
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
    if (named === undefined || spec.kind !== 'text' || origin === undefined) continue;
    const [kind, what] = named;
    const id = steps.reduce<unknown>((table, step) => (table as Readonly<Record<string, unknown>>)[step], config);
    const ids = [
      ...new Set([...(spec.known ?? []), ...installed.flatMap(({ manifest }) => manifest.contributes[kind] ?? [])]),
    ];
    if (typeof id !== 'string' || id === '' || ids.includes(id)) continue;
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

/** One line per plugin that `--plugin` enables, with the permissions it declares; none for a plugin without permissions. */
export function enabledByFlag(
  plugins: readonly LoadedPlugin[],
  { named, pluginFolder }: { readonly named: readonly PluginEntry[]; readonly pluginFolder: string },
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
