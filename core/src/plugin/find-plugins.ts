import { isKebabError } from '../errors/kebab-error.ts';
import { asPlugin, contributedIds, kindsOf, type LoadedPlugin } from './loaded-plugin.ts';
import { PLUGIN_KINDS, type PluginKind } from './contributions.ts';
import { importPlugin } from './import-plugin.ts';
import { PLUGIN_API, type PluginPermissions } from './define-plugin.ts';
import { type PluginManifest, packageLabel, readManifest } from './read-manifest.ts';
import { firstLine } from './plugin-failure.ts';
import { isPath, locatePlugin } from './resolve-plugin.ts';
import { type PluginLimits, type PluginOrigin, trustPolicyOf, withinLimit } from './trust-policy.ts';

/** A plugin as named in a configuration or by a flag. */
export interface PluginEntry {
  /** A package name, or a path. */
  readonly name: string;
  readonly config: unknown;
  readonly enabled: boolean;
}

/** The result of looking up the configured plugins. */
export interface FoundPlugins {
  readonly plugins: readonly LoadedPlugin[];
  /** Those that cannot be used, with the reason; the rest of the program works. */
  readonly rejected: readonly PluginReport[];
}

/** The permitted origins of third-party plugins, and their restrictions. */
interface PluginSearch {
  /** kebab's own plugin folder: a package name is resolved in its `node_modules`, and nowhere else. */
  readonly pluginFolder: string;
  /** Names that third-party plugins may not use. */
  readonly builtins?: ReadonlySet<string>;
  /** Called before code of any of them runs in this process. */
  readonly beforeLoad?: ((plugin: string) => void) | undefined;
  /** Their limits; the default ones if absent. */
  readonly limits?: PluginLimits | undefined;
  /** Reads the declarations of a single-file plugin in another process; without it the file is imported here. */
  readonly describe?: ((entry: Omit<PluginEntry, 'enabled'>, moduleUrl: string) => Promise<PluginManifest>) | undefined;
}

/** Finds third-party plugins, in the order given, without running the code of any package that has a manifest. */
export async function findPlugins(entries: readonly PluginEntry[], search: PluginSearch): Promise<FoundPlugins> {
  const { pluginFolder, builtins = new Set() } = search;
  // Awaiting the imports one by one would leave a second rejection unhandled, which ends the process.
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

/** The reason of a plugin disabled in the configuration, which needs no warning because it is intended. */
export const SWITCHED_OFF = 'switched off in the configuration';

/** The report of a usable plugin. */
export function reportOf(
  { manifest, origin }: Pick<LoadedPlugin, 'manifest' | 'origin'>,
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

/** A top-level `await` may never settle. */
const LOAD_TIMEOUT = 'its module did not finish loading';

/**
 * Finds one third-party plugin. Throws the reason why it cannot be used: it does not exist, the module of a single file threw, or
 * `plugin_incompatible`.
 */
export async function findPlugin(
  { name, config }: Omit<PluginEntry, 'enabled'>,
  { pluginFolder, beforeLoad = () => {}, limits, describe }: Omit<PluginSearch, 'builtins'>,
): Promise<LoadedPlugin> {
  const place = locatePlugin(name, pluginFolder);
  const origin = originOf(name);
  const policy = trustPolicyOf({ origin, limits });
  const load = async (): Promise<{ readonly default: unknown }> => {
    const url = await place.moduleUrl();
    beforeLoad(place.path);
    return withinLimit(importPlugin(url), { ms: policy.limits.loadMs, what: LOAD_TIMEOUT });
  };
  const { path, moduleUrl } = place;
  const describeFile = async (): Promise<PluginManifest> =>
    describe?.({ name, config }, await moduleUrl()) ?? describedHere(name, load);
  const manifest = (await readManifest(place)) ?? (isPath(name) ? await describeFile() : noPlugin());
  return { manifest, origin, policy, path, moduleUrl, rawConfig: config ?? {}, load };
}

/** A single file has no package.json to read: the user named it explicitly, so it may run. A package without a manifest may not. */
async function describedHere(name: string, load: LoadedPlugin['load']): Promise<PluginManifest> {
  const plugin = await asPlugin((await load()).default, { specifier: name, manifest: null });
  return {
    name: plugin.name,
    version: plugin.version,
    apiVersion: plugin.apiVersion,
    contributes: contributedIds(plugin),
    permissions: plugin.permissions,
  };
}

function noPlugin(): never {
  throw new Error(NO_PLUGIN);
}

/** For an unusable plugin, only the name and version in its package.json are known. */
function rejection({ name }: PluginEntry, pluginFolder: string, error: unknown): PluginReport {
  const isIncompatible = isKebabError(error, 'plugin_incompatible');
  return {
    ...unknown(name, pluginFolder),
    apiVersion: isIncompatible ? (error.details.api_version ?? PLUGIN_API) : PLUGIN_API,
    state: isIncompatible ? 'incompatible' : 'failed',
    reason: firstLine(error),
  };
}

/** A disabled plugin is not run, not even to read the name of a single file, and need not exist. */
async function switchedOff({ name }: PluginEntry, pluginFolder: string): Promise<PluginReport> {
  const manifest = await readManifest(locatePlugin(name, pluginFolder)).catch(() => null);
  return manifest === null
    ? { ...unknown(name, pluginFolder), state: 'disabled', reason: SWITCHED_OFF }
    : reportOf({ manifest, origin: originOf(name) }, 'disabled', SWITCHED_OFF);
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

/** The state of a plugin: running, disabled, made for another kebab version, broken, or named by an untrusted file. */
type PluginState = 'active' | 'disabled' | 'incompatible' | 'failed' | 'untrusted';

/** The status of one plugin. */
export interface PluginReport {
  readonly name: string;
  readonly version: string;
  readonly apiVersion: number;
  readonly kinds: readonly PluginKind[];
  readonly permissions: PluginPermissions;
  readonly state: PluginState;
  readonly reason: string | null;
  readonly origin: PluginOrigin;
}

/** Facts about a configured plugin before any of its code has run. */
export interface DeclaredPlugin {
  /** The name in its package.json, or the name in the configuration where that cannot be read. */
  readonly name: string;
  readonly version: string | null;
  readonly kinds: readonly PluginKind[];
  /** The permissions in its manifest; null when there is no manifest. */
  readonly permissions: PluginPermissions | null;
  /** Why nothing is known; null when the manifest was read. */
  readonly reason: string | null;
}

/** Reads the declarations of a plugin without running code; a package is resolved in kebab's own plugin folder. */
export async function declaredPlugin(
  { name }: Pick<PluginEntry, 'name'>,
  pluginFolder: string,
): Promise<DeclaredPlugin> {
  const undeclared = (reason: string): DeclaredPlugin => ({
    name,
    version: null,
    kinds: [],
    reason,
    permissions: null,
  });
  try {
    const manifest = await readManifest(locatePlugin(name, pluginFolder));
    if (manifest === null) return undeclared(isPath(name) ? SINGLE_FILE : NO_PLUGIN);
    const { version, permissions } = manifest;
    return { name: manifest.name, version, kinds: kindsOf(manifest), reason: null, permissions };
  } catch (error) {
    return undeclared(firstLine(error));
  }
}

const SINGLE_FILE = 'a single file says in its code what it touches, and that has not run';
const NO_PLUGIN = 'it is not a kebab plugin: its package.json has no "kebab" member';

/** One line per contribution that is overridden by an earlier plugin with the same id. `plugins` are in order of preference. */
export function shadowedContributions(plugins: readonly Pick<LoadedPlugin, 'manifest'>[]): readonly string[] {
  const owners = new Map<string, string>();
  return plugins.flatMap(({ manifest }) =>
    PLUGIN_KINDS.flatMap((kind) =>
      (manifest.contributes[kind] ?? []).flatMap((id) => {
        const owner = owners.get(`${kind}/${id}`);
        if (owner === undefined) owners.set(`${kind}/${id}`, manifest.name);
        return owner === undefined
          ? []
          : [`${kind} "${id}" of ${owner} takes the place of that of ${manifest.name}; the order in plugins decides`];
      }),
    ),
  );
}
