import { PLUGIN_KINDS } from './contributions.ts';
import type { LoadedPlugin } from './loaded-plugin.ts';

/**
 * A line for each contribution that a plugin in front of it takes the place of, by claiming the same id. `plugins` are in
 * order of preference.
 */
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
