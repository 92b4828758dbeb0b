import { asPlugin } from './as-plugin.ts';
import { PLUGIN_KINDS, type PluginKind } from './contributions.ts';
import type { GivenSettings, Plugin } from './define-plugin.ts';
import type { BuiltinPlugin, PluginManifest } from './manifest.ts';
import { pluginFailure } from './plugin-failure.ts';
import { trustPolicyOf, type PluginOrigin, type TrustPolicy } from './trust-policy.ts';
import { validateConfig } from './validate-config.ts';

/** A plugin that may be used: its manifest is known, its code is imported when a contribution is first asked for. */
export interface LoadedPlugin {
  readonly manifest: PluginManifest;
  readonly origin: PluginOrigin;
  /** What it is allowed, which follows from its origin. */
  readonly policy: TrustPolicy;
  /** The folder of its package, or its file; null for built-ins. */
  readonly path: string | null;
  /** Where a worker thread can import it from; null for built-ins, which the worker brings itself. Throws when it is not there. */
  readonly moduleUrl: (() => Promise<string>) | null;
  /** Its configuration as written. */
  readonly rawConfig: unknown;
  readonly load: () => Promise<{ readonly default: unknown }>;
}

/** A plugin's code and its validated configuration. */
export interface ReadyPlugin {
  readonly plugin: Plugin;
  readonly config: unknown;
}

/** Treats a plugin that comes with kebab like any other. */
export function loadedBuiltin({ manifest, load }: BuiltinPlugin): LoadedPlugin {
  const origin = 'builtin';
  return { manifest, origin, policy: trustPolicyOf({ origin }), path: null, moduleUrl: null, rawConfig: {}, load };
}

/** Imports a plugin and validates its configuration. Every failure is `plugin_failed` or `plugin_incompatible`. */
export async function prepare({ manifest, rawConfig, load }: LoadedPlugin, given: GivenSettings): Promise<ReadyPlugin> {
  const site = { plugin: manifest, kind: kindsOf(manifest)[0] ?? 'plugin' };
  let plugin: Plugin;
  try {
    plugin = asPlugin((await load()).default, { specifier: manifest.name, manifest });
  } catch (error) {
    throw pluginFailure(error, { ...site, stage: 'load' });
  }
  try {
    return { plugin, config: await validateConfig(plugin, written(plugin, rawConfig, given)) };
  } catch (error) {
    throw pluginFailure(error, { ...site, stage: 'configure' });
  }
}

/** What the plugin takes from kebab's own settings and its section, and over it what was written for it in `plugins`. */
function written(plugin: Plugin, rawConfig: unknown, given: GivenSettings): unknown {
  const taken = plugin.settings === undefined ? given.section : plugin.settings(given);
  return { ...(taken as object), ...(rawConfig as object) };
}

/** The kinds a manifest contributes to. */
export function kindsOf(manifest: PluginManifest): readonly PluginKind[] {
  return PLUGIN_KINDS.filter((kind) => (manifest.contributes[kind]?.length ?? 0) > 0);
}

/** What a plugin's code contributes, as ids by kind. */
export function contributedIds(plugin: Plugin): PluginManifest['contributes'] {
  return Object.fromEntries(
    PLUGIN_KINDS.flatMap((kind) => {
      const factories = plugin.contributes[kind];
      return factories === undefined ? [] : [[kind, Object.keys(factories)]];
    }),
  );
}
