import { fileURLToPath } from 'node:url';
import { isKebabError } from '../errors/kebab-error.ts';
import { asPlugin } from './as-plugin.ts';
import { contributedIds, kindsOf, type LoadedPlugin } from './loaded-plugin.ts';
import { PLUGIN_API } from './define-plugin.ts';
import { firstLine } from './plugin-failure.ts';
import type { PluginManifest } from './manifest.ts';
import type { PluginReport, PluginState } from './plugin-report.ts';
import { permissionsOf, readManifest } from './read-manifest.ts';
import { isPath, resolvePlugin } from './resolve-plugin.ts';
import { withinLimit } from './time-limit.ts';

/** A plugin as a configuration or a flag names it. */
export interface PluginEntry {
  /** A package name, or a path. */
  readonly name: string;
  readonly config: unknown;
  readonly enabled: boolean;
}

/** What was found of the plugins that a configuration names. */
export interface FoundPlugins {
  readonly plugins: readonly LoadedPlugin[];
  /** Those that cannot be used, and why; the rest of the program works. */
  readonly rejected: readonly PluginReport[];
}

/**
 * Finds third-party plugins, in the order given, without running the code of any package that has a manifest. Specifiers
 * are resolved as an import written in `fromFile` would be.
 */
export async function findPlugins(entries: readonly PluginEntry[], fromFile: string): Promise<FoundPlugins> {
  // Settled together: awaiting imports one by one would leave a second rejection unobserved, which ends the process.
  const settled = await Promise.allSettled(entries.map((entry) => findPlugin(entry, fromFile)));
  const plugins: LoadedPlugin[] = [];
  const rejected: PluginReport[] = [];
  for (const [index, outcome] of settled.entries()) {
    const entry = entries[index];
    if (entry === undefined) continue;
    if (outcome.status === 'rejected') rejected.push(rejection(entry, outcome.reason));
    else if (!entry.enabled) rejected.push(reportOf(outcome.value, 'disabled', 'switched off in the configuration'));
    else {
      const twin = plugins.find(({ manifest }) => manifest.name === outcome.value.manifest.name);
      if (twin === undefined) plugins.push(outcome.value);
      else if (twin.moduleUrl !== outcome.value.moduleUrl)
        rejected.push(reportOf(outcome.value, 'disabled', `${twin.moduleUrl} has the same name and comes first`));
    }
  }
  return { plugins, rejected };
}

/** How a usable plugin stands. */
export function reportOf(
  { manifest, origin }: LoadedPlugin,
  state: PluginState,
  reason: string | null = null,
): PluginReport {
  return {
    name: manifest.name,
    version: manifest.version,
    apiVersion: manifest.apiVersion,
    kinds: kindsOf(manifest),
    permissions: manifest.permissions,
    state,
    reason,
    origin,
  };
}

/** How long a module may take to load; a top-level `await` can be for ever. */
const LOAD_LIMIT = { ms: 10_000, what: 'its module did not finish loading' };

/** Finds one third-party plugin. Throws what is wrong with it: whatever its module throws, or `plugin_incompatible`. */
export async function findPlugin(
  { name, config }: Omit<PluginEntry, 'enabled'>,
  fromFile: string,
): Promise<LoadedPlugin> {
  const moduleUrl = await resolvePlugin(name, fromFile);
  const load = (): Promise<{ readonly default: unknown }> =>
    withinLimit(import(moduleUrl) as Promise<{ readonly default: unknown }>, LOAD_LIMIT);
  const manifest = (await readManifest(fileURLToPath(moduleUrl))) ?? (await manifestWithout({ name, load }));
  return { manifest, origin: isPath(name) ? 'path' : 'package', moduleUrl, rawConfig: config ?? {}, load };
}

/** A single file has no package.json to read: it is named on purpose, so it may run. A package that is no plugin may not. */
async function manifestWithout({
  name,
  load,
}: Pick<LoadedPlugin, 'load'> & { readonly name: string }): Promise<PluginManifest> {
  if (!isPath(name)) throw new Error('it is not a kebab plugin: its package.json has no "kebab" member');
  const plugin = asPlugin((await load()).default, name);
  return {
    name: plugin.name,
    version: plugin.version,
    apiVersion: plugin.apiVersion,
    contributes: contributedIds(plugin),
    permissions: permissionsOf(plugin.permissions),
  };
}

function rejection({ name }: PluginEntry, error: unknown): PluginReport {
  return {
    name,
    version: '0.0.0',
    apiVersion: isKebabError(error, 'plugin_incompatible') ? (error.details.api_version ?? PLUGIN_API) : PLUGIN_API,
    kinds: [],
    permissions: { fs: 'none', net: [], spawn: [] },
    state: isKebabError(error, 'plugin_incompatible') ? 'incompatible' : 'failed',
    reason: firstLine(error),
    origin: isPath(name) ? 'path' : 'package',
  };
}
