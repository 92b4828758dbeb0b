import type { PluginEntry } from '../plugin/find-plugins.ts';
import type { LoadedPlugin } from '../plugin/loaded-plugin.ts';
import { locatePlugin } from '../plugin/resolve-plugin.ts';

/** Plugins as the command line names them. */
export interface FlaggedPlugins {
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
  return plugins.flatMap(({ manifest, path }) => {
    const asks = asksOf(manifest.permissions);
    if (path === null || !places.has(path) || asks.length === 0) return [];
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
