import path from 'node:path';
import type { ConfigResolution } from '../config/resolve-config.ts';
import type { Clock, Logger } from '../contracts/contribution.ts';
import { KebabError } from '../errors/kebab-error.ts';
import { committedDocuments } from '../plugin/committed-documents.ts';
import { loadedBuiltin, type LoadedPlugin } from '../plugin/loaded-plugin.ts';
import { limitedFetch } from '../plugin/limited-fetch.ts';
import { findPlugins, reportOf } from '../plugin/find-plugins.ts';
import type { BuiltinPlugin } from '../plugin/manifest.ts';
import { PluginComponents } from '../plugin/plugin-components.ts';
import type { PluginReport } from '../plugin/plugin-report.ts';
import { shadowedContributions } from '../plugin/shadowed-contributions.ts';
import { builtinConfig } from './builtin-config.ts';
import { corePlugin } from './core-plugin.ts';
import { FileDerivationCache, ownEntries } from './file-derivation-cache.ts';
import type { AppEnvironment } from './environment.ts';

/** What the components of one App are made from. */
export interface ComponentsRequest {
  readonly resolution: ConfigResolution;
  readonly builtins: readonly BuiltinPlugin[];
  readonly environment: AppEnvironment;
  readonly clock: Clock;
  readonly log: Logger;
  readonly readonly: boolean;
}

/** The components of one App, and how every plugin stands; failures are added as they happen. */
export interface OpenComponents {
  readonly components: PluginComponents;
  /** Preferred first. */
  readonly plugins: readonly LoadedPlugin[];
  readonly reports: () => readonly PluginReport[];
  /** Lines for the user about plugins that do not run, or stand in another's place; failures are added as they happen. */
  readonly notices: () => readonly string[];
}

/** Finds the configured plugins and puts them before the built-in ones. Runs no plugin code that has a manifest. */
export async function openComponents(request: ComponentsRequest): Promise<OpenComponents> {
  const { resolution, environment, clock, log } = request;
  const { config } = resolution;
  if (config.plugins.length > 0) environment.beforeForeignCode?.();
  const found =
    config.plugins.length === 0
      ? { plugins: [], rejected: [] }
      : await findPlugins(config.plugins, resolution.pluginsFrom);
  const builtins = [corePlugin, ...request.builtins].map(loadedBuiltin);
  const plugins = [...found.plugins, ...builtins];
  const failed = new Map<string, string>();
  const folder = path.join(resolution.folders.cache, 'derived');
  const cache = new FileDerivationCache({ folder, readonly: request.readonly });
  const components: PluginComponents = new PluginComponents({
    plugins,
    configOf: (plugin, access) =>
      plugin.origin === 'builtin' ? builtinConfig(plugin.manifest.name, config, access) : plugin.rawConfig,
    contextOf: ({ manifest, origin }) => ({
      log,
      cache: ownEntries(cache, manifest.name),
      tmpDir: path.join(environment.tmpDir, 'kebab'),
      clock,
      documents: async () => committedDocuments(await components.first('document_store')),
      ...(manifest.permissions.net.length === 0
        ? {}
        : { fetch: origin === 'builtin' ? globalThis.fetch : limitedFetch(manifest.permissions.net) }),
    }),
    onFailure: ({ plugin }, error) => {
      failed.set(plugin, error.message);
      log.error('plugin failed', { plugin, cause: error.message });
    },
    allowWrite: () => {
      if (!request.readonly) return;
      throw new KebabError('readonly_mode', 'nothing is written in read-only mode', { details: { command: 'write' } });
    },
  });
  const reports = (): readonly PluginReport[] => [
    ...plugins.map((plugin) => {
      const reason = failed.get(plugin.manifest.name);
      return reason === undefined ? reportOf(plugin, 'active') : reportOf(plugin, 'failed', reason);
    }),
    ...found.rejected,
  ];
  const known = [
    ...found.rejected
      .filter(({ state }) => state !== 'disabled')
      .map(({ name, reason }) => `plugin ${name} does not run: ${reason ?? 'it failed'}; see \`kebab plugin list\``),
    ...(found.plugins.length === 0 ? [] : shadowedContributions(plugins)),
  ];
  const notices = (): readonly string[] => [...known, ...[...failed.values()].map((message) => `plugin ${message}`)];
  return { components, plugins, reports, notices };
}
