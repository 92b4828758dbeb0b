import path from 'node:path';
import { sectionsIn } from '../config/key-table.ts';
import type { ConfigResolution } from '../config/resolve-config.ts';
import type { Clock, Logger } from '../contracts/contribution.ts';
import { KebabError } from '../errors/kebab-error.ts';
import { dataFolderOf, madeFolder } from '../plugin/data-folder.ts';
import { committedDocuments } from '../plugin/committed-documents.ts';
import type { Access } from '../plugin/components.ts';
import type { GivenSettings } from '../plugin/define-plugin.ts';
import { kindsOf, loadedBuiltin, type LoadedPlugin } from '../plugin/loaded-plugin.ts';
import {
  findPlugins,
  reportOf,
  type FoundPlugins,
  SWITCHED_OFF,
  type PluginReport,
  shadowedContributions,
} from '../plugin/find-plugins.ts';
import type { BuiltinPlugin } from '../plugin/manifest.ts';
import { PluginComponents } from '../plugin/plugin-components.ts';
import { permittedFetch } from '../plugin/trust-policy.ts';
import { corePlugin } from './core-plugin.ts';
import { misnamedComponent } from './misnamed-component.ts';
import { enabledByFlag } from './enabled-by-flag.ts';
import { givenSettings } from './given-settings.ts';
import { FileDerivationCache, ownEntries } from './file-derivation-cache.ts';
import type { AppEnvironment } from './environment.ts';
import { PluginNotices } from './plugin-notices.ts';
import { TemporaryFolder } from './temporary-folder.ts';

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
}

/** The components of one App, and how every plugin stands; failures are added as they happen. */
export interface OpenComponents {
  readonly components: PluginComponents;
  /** Preferred first. */
  readonly plugins: readonly LoadedPlugin[];
  readonly reports: () => readonly PluginReport[];
  /** What the user is told of plugins that do not run, stand in another's place, or fail while they run. */
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
  const found =
    thirdParty.length === 0
      ? { plugins: [], rejected: [] }
      : withReadSections(
          await findPlugins(thirdParty, {
            pluginFolder: resolution.pluginFolder,
            builtins: names,
            beforeLoad: environment.beforeForeignCode,
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
  const folder = path.join(resolution.folders.cache, 'derived');
  const cache = new FileDerivationCache({ folder, readonly: request.readonly });
  const tmp = new TemporaryFolder(environment.tmpDir);
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
      log,
      cache: ownEntries(cache, plugin.manifest.name),
      get tmpDir() {
        return tmp.path;
      },
      get dataDir() {
        return madeFolder(dataFolderOf(plugin.manifest, config.storage.dataDir));
      },
      clock,
      documents: async () => committedDocuments(await components.first('document_store')),
      knowledgeBase: async () => (await components.first('document_store')).knowledgeBase(),
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

/** Whether `KEBAB_PLUGINS=none` hides what is configured: then a name may be that of a hidden plugin. */
function isWithoutPlugins({ config, origins }: ConfigResolution): boolean {
  return config.plugins.length === 0 && origins.get('plugins')?.origin === 'env';
}

/** A plugin whose own part of the configuration is not read would run with settings that nobody wrote. */
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
