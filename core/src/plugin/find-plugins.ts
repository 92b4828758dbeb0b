import { isKebabError } from '../errors/kebab-error.ts';
import { asPlugin } from './as-plugin.ts';
import { contributedIds, kindsOf, type LoadedPlugin } from './loaded-plugin.ts';
import { PLUGIN_API } from './define-plugin.ts';
import { firstLine } from './plugin-failure.ts';
import type { PluginManifest } from './manifest.ts';
import type { PluginReport, PluginState } from './plugin-report.ts';
import { packageLabel, readManifest } from './read-manifest.ts';
import { isPath, locatePlugin } from './resolve-plugin.ts';
import { withinLimit } from './time-limit.ts';
import { trustPolicyOf, type PluginOrigin } from './trust-policy.ts';

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

/** Where third-party plugins may come from, and what they may not be. */
export interface PluginSearch {
  /** kebab's own plugin folder: a package that is named is looked for in its `node_modules`, and nowhere else. */
  readonly pluginFolder: string;
  /** Names that no third-party plugin may bear. */
  readonly builtins?: ReadonlySet<string>;
  /** Called before code of any of them runs. */
  readonly beforeLoad?: (() => void) | undefined;
}

/** Finds third-party plugins, in the order given, without running the code of any package that has a manifest. */
export async function findPlugins(entries: readonly PluginEntry[], search: PluginSearch): Promise<FoundPlugins> {
  const { pluginFolder, builtins = new Set() } = search;
  // Settled together: awaiting imports one by one would leave a second rejection unobserved, which ends the process.
  const settled = await Promise.allSettled(
    entries.map(async (entry) => (entry.enabled ? findPlugin(entry, search) : null)),
  );
  const plugins: LoadedPlugin[] = [];
  const rejected: PluginReport[] = [];
  for (const [index, outcome] of settled.entries()) {
    const entry = entries[index];
    if (entry === undefined) continue;
    if (outcome.status === 'rejected') rejected.push(rejection(entry, pluginFolder, outcome.reason));
    else if (outcome.value === null) rejected.push(await switchedOff(entry, pluginFolder));
    else {
      const found = outcome.value;
      if (builtins.has(found.manifest.name)) {
        rejected.push(reportOf(found, 'failed', `${found.path ?? entry.name} bears the name of a built-in plugin`));
        continue;
      }
      const twin = plugins.find(({ manifest }) => manifest.name === found.manifest.name);
      if (twin === undefined) plugins.push(found);
      else if (twin.path !== found.path)
        rejected.push(reportOf(found, 'disabled', `${twin.path} has the same name and comes first`));
    }
  }
  return { plugins, rejected };
}

/** Why a plugin does not run that the configuration switches off: what was asked for needs no notice. */
export const SWITCHED_OFF = 'switched off in the configuration';

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

/**
 * Finds one third-party plugin. Throws what is wrong with it: why there is none, whatever the module of a single file throws,
 * or `plugin_incompatible`.
 */
export async function findPlugin(
  { name, config }: Omit<PluginEntry, 'enabled'>,
  { pluginFolder, beforeLoad = () => {} }: Pick<PluginSearch, 'pluginFolder' | 'beforeLoad'>,
): Promise<LoadedPlugin> {
  const place = locatePlugin(name, pluginFolder);
  const load = async (): Promise<{ readonly default: unknown }> => {
    const url = await place.moduleUrl();
    beforeLoad();
    return withinLimit(import(url) as Promise<{ readonly default: unknown }>, LOAD_LIMIT);
  };
  const manifest = (await readManifest(place)) ?? (await manifestWithout({ name, load }));
  const { path, moduleUrl } = place;
  const origin = originOf(name);
  return { manifest, origin, policy: trustPolicyOf({ origin }), path, moduleUrl, rawConfig: config ?? {}, load };
}

/** A single file has no package.json to read: it is named on purpose, so it may run. A package that is no plugin may not. */
async function manifestWithout({
  name,
  load,
}: Pick<LoadedPlugin, 'load'> & { readonly name: string }): Promise<PluginManifest> {
  if (!isPath(name)) throw new Error('it is not a kebab plugin: its package.json has no "kebab" member');
  const plugin = asPlugin((await load()).default, { specifier: name, manifest: null });
  return {
    name: plugin.name,
    version: plugin.version,
    apiVersion: plugin.apiVersion,
    contributes: contributedIds(plugin),
    permissions: plugin.permissions,
  };
}

/** Of a plugin that cannot be used no more is known than what its package calls itself. */
function rejection({ name }: PluginEntry, pluginFolder: string, error: unknown): PluginReport {
  const isIncompatible = isKebabError(error, 'plugin_incompatible');
  return {
    ...unknown(name, pluginFolder),
    apiVersion: isIncompatible ? (error.details.api_version ?? PLUGIN_API) : PLUGIN_API,
    state: isIncompatible ? 'incompatible' : 'failed',
    reason: firstLine(error),
  };
}

/** A plugin that is switched off is not run, not even to ask a single file for its name, and need not be there. */
async function switchedOff({ name }: PluginEntry, pluginFolder: string): Promise<PluginReport> {
  const manifest = await readManifest(locatePlugin(name, pluginFolder)).catch(() => null);
  const { name: called, version } = manifest ?? unknown(name, pluginFolder);
  return {
    ...unknown(name, pluginFolder),
    name: called,
    version,
    ...(manifest === null
      ? {}
      : {
          kinds: kindsOf(manifest),
          permissions: manifest.permissions,
        }),
    state: 'disabled',
    reason: SWITCHED_OFF,
  };
}

function unknown(name: string, pluginFolder: string): PluginReport {
  const label = packageLabel(locatePlugin(name, pluginFolder));
  return {
    name: label?.name ?? name,
    version: label?.version ?? '0.0.0',
    apiVersion: PLUGIN_API,
    kinds: [],
    permissions: { fs: 'none', net: [], spawn: [] },
    state: 'failed',
    reason: null,
    origin: originOf(name),
  };
}

function originOf(name: string): PluginOrigin {
  return isPath(name) ? 'path' : 'package';
}
