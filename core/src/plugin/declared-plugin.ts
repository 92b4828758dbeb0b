import type { PluginKind } from './contributions.ts';
import type { PluginPermissions } from './define-plugin.ts';
import type { PluginEntry } from './find-plugins.ts';
import { kindsOf } from './loaded-plugin.ts';
import { firstLine } from './plugin-failure.ts';
import { readManifest } from './read-manifest.ts';
import { isPath, locatePlugin } from './resolve-plugin.ts';

/** What can be known of a plugin that a configuration names before any of its code has run. */
export interface DeclaredPlugin {
  /** As the package calls itself, or as it was named where that cannot be told. */
  readonly name: string;
  readonly version: string | null;
  readonly kinds: readonly PluginKind[];
  /** What its manifest declares; null where there is no manifest to read. */
  readonly permissions: PluginPermissions | null;
  /** Why nothing is known; null when the manifest was read. */
  readonly reason: string | null;
}

/** Reads what a plugin declares, without running code; a package is looked for in kebab's own plugin folder. */
export async function declaredPlugin(
  { name }: Pick<PluginEntry, 'name'>,
  pluginFolder: string,
): Promise<DeclaredPlugin> {
  const unknown = { name, version: null, kinds: [], permissions: null };
  try {
    const manifest = await readManifest(locatePlugin(name, pluginFolder));
    if (manifest === null) return { ...unknown, reason: isPath(name) ? SINGLE_FILE : NO_PLUGIN };
    const { version, permissions } = manifest;
    return { name: manifest.name, version, kinds: kindsOf(manifest), permissions, reason: null };
  } catch (error) {
    return { ...unknown, reason: firstLine(error) };
  }
}

const SINGLE_FILE = 'a single file says in its code what it touches, and that has not run';
const NO_PLUGIN = 'it is not a kebab plugin: its package.json has no "kebab" member';
