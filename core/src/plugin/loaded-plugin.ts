import { PLUGIN_KINDS, type PluginKind } from './contributions.ts';
import type { GivenSettings, Plugin, PluginPermissions, SchemaIssue } from './define-plugin.ts';
import { type BuiltinPlugin, type PluginManifest, checkedKind, checkFit, permissionsOf } from './read-manifest.ts';
import { pluginFailure } from './plugin-failure.ts';
import { type PluginOrigin, type TrustPolicy, trustPolicyOf } from './trust-policy.ts';

/** A usable plugin: its manifest is known; its code is imported when a contribution is first requested. */
export interface LoadedPlugin {
  readonly manifest: PluginManifest;
  readonly origin: PluginOrigin;
  /** The policy that follows from its origin. */
  readonly policy: TrustPolicy;
  /** The folder of its package, or its file; null for built-ins. */
  readonly path: string | null;
  /** The URL from which another process imports it; null for built-ins, which that process bundles. Throws when it does not exist. */
  readonly moduleUrl: (() => Promise<string>) | null;
  /** Its raw configuration. */
  readonly rawConfig: unknown;
  readonly load: () => Promise<{ readonly default: unknown }>;
}

/** A plugin's code and its validated configuration. */
export interface ReadyPlugin {
  readonly plugin: Plugin;
  readonly config: unknown;
}

/** Wraps a bundled plugin like any other. */
export function loadedBuiltin({ manifest, load }: BuiltinPlugin): LoadedPlugin {
  const origin = 'builtin';
  return { manifest, origin, policy: trustPolicyOf({ origin }), path: null, moduleUrl: null, rawConfig: {}, load };
}

/** Imports a plugin and validates its configuration. Every failure is `plugin_failed` or `plugin_incompatible`. */
export async function prepare(
  { manifest, rawConfig, load }: Pick<LoadedPlugin, 'manifest' | 'rawConfig' | 'load'>,
  given: GivenSettings,
): Promise<ReadyPlugin> {
  const site = { plugin: manifest, kind: kindsOf(manifest)[0] ?? 'plugin' };
  let plugin: Plugin;
  try {
    plugin = await asPlugin((await load()).default, { specifier: manifest.name, manifest });
  } catch (error) {
    throw pluginFailure(error, { ...site, stage: 'load' });
  }
  try {
    return { plugin, config: await validateConfig(plugin, written(plugin, rawConfig, given)) };
  } catch (error) {
    throw pluginFailure(error, { ...site, stage: 'configure' });
  }
}

/** The plugin's configuration from kebab's own settings and its section, overridden by what `plugins` sets for it. */
function written(plugin: Plugin, rawConfig: unknown, given: GivenSettings): unknown {
  const taken = plugin.settings === undefined ? given.section : plugin.settings(given);
  return { ...(taken as object), ...(rawConfig as object) };
}

/** The kinds that a manifest contributes. */
export function kindsOf(manifest: PluginManifest): readonly PluginKind[] {
  return PLUGIN_KINDS.filter((kind) => (manifest.contributes[kind]?.length ?? 0) > 0);
}

/** The ids that a plugin's code contributes, by kind. */
export function contributedIds(plugin: Plugin): PluginManifest['contributes'] {
  return Object.fromEntries(
    PLUGIN_KINDS.flatMap((kind) => {
      const factories = plugin.contributes[kind];
      return factories === undefined ? [] : [[kind, Object.keys(factories)]];
    }),
  );
}

/** A plugin with the declarations of its package.json or its code. */
interface NamedPlugin extends Plugin {
  readonly name: string;
  readonly version: string;
  readonly apiVersion: number;
  readonly permissions: PluginPermissions;
}

/** The origin of the default export of a module. */
interface PluginSite {
  readonly specifier: string;
  /** The declarations in its package.json; null for a single file, which declares them in its code. */
  readonly manifest: Pick<PluginManifest, 'name' | 'version' | 'apiVersion' | 'permissions'> | null;
}

/**
 * Validates the default export of a module as a plugin. Throws `plugin_incompatible` when its API version or its range of kebab versions
 * does not fit, which is checked first, and a plain error when it is not a plugin at all.
 */
export async function asPlugin(value: unknown, { specifier, manifest }: PluginSite): Promise<NamedPlugin> {
  if (typeof value !== 'object' || value === null)
    throw new Error('its default export is not a plugin: write `export default definePlugin({ … })`');
  const plugin = value as Partial<Plugin>;
  const name = plugin.name ?? manifest?.name;
  const version = plugin.version ?? manifest?.version;
  const apiVersion = plugin.apiVersion ?? manifest?.apiVersion;
  await checkFit(typeof name === 'string' ? name : specifier, { apiVersion, kebab: plugin.kebab });
  if (typeof name !== 'string' || typeof version !== 'string')
    throw new Error('its default export has no name and version, and no package.json declares them');
  if (typeof plugin.contributes !== 'object' || plugin.contributes === null)
    throw new Error('its default export contributes nothing');
  for (const [kind, factories] of Object.entries(plugin.contributes)) requireFactories(checkedKind(kind), factories);
  return {
    ...plugin,
    name,
    version,
    apiVersion: apiVersion as number,
    permissions: permissionsOf(plugin.permissions ?? manifest?.permissions),
    contributes: plugin.contributes,
  };
}

/** Without a type checker, authors may pass the contribution itself, or a single factory without an id. */
function requireFactories(kind: PluginKind, factories: unknown): void {
  const isContribution = typeof (factories as { readonly id?: unknown } | null)?.id === 'string';
  if (typeof factories !== 'object' || factories === null || isContribution)
    throw new Error(
      `its ${kind} is not an object of factories by id: contribute { ${kind}: { 'my-id': (context) => … } }`,
    );
  for (const [id, factory] of Object.entries(factories))
    if (typeof factory !== 'function')
      throw new Error(`its ${kind} "${id}" is not a factory: contribute { ${kind}: { '${id}': (context) => … } }`);
}

/** Validates a plugin's configuration by its own schema and returns the schema's output. Throws, naming each bad key. */
export async function validateConfig(plugin: Plugin, raw: unknown): Promise<unknown> {
  if (plugin.config === undefined) return raw;
  const result = await plugin.config['~standard'].validate(raw);
  if (result.issues === undefined) return result.value;
  throw new Error(
    `bad configuration (${result.issues.map((issue) => `${where(issue)}: ${issue.message}`).join('; ')})`,
  );
}

function where({ path = [] }: SchemaIssue): string {
  return path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.') || 'value';
}
