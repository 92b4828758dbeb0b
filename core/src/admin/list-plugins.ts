import type { PluginReport } from '../plugin/find-plugins.ts';
import type { PluginList } from '../wire/index.ts';

/** Tells how every plugin stands, in the order of preference, as plugin_list.v1. */
export function listPlugins(reports: readonly PluginReport[]): PluginList {
  return {
    schema_version: 'plugin_list.v1',
    plugins: reports.map(({ name, version, apiVersion, kinds, permissions, state, reason, origin }) => ({
      name,
      version,
      api_version: apiVersion,
      kinds: [...kinds],
      permissions: { fs: permissions.fs, net: [...permissions.net], spawn: [...permissions.spawn] },
      state,
      reason,
      origin,
    })),
  };
}
