import type { PluginReport } from '../plugin/find-plugins.ts';
import type { PluginList, PluginSearch } from '../wire/index.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import { runNpm } from './installing/run-npm.ts';

/** Says how every plugin stands, in the order of preference, as plugin_list.v1. */
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

/** Every plugin carries it. */
const KEYWORD = 'kebab-plugin';
const MAX_PLUGINS = 50;

interface FoundPackage {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly date?: string;
  readonly keywords?: readonly string[];
}

/** Plugins that the configured npm registry knows, by words. Throws `io_error` when it cannot be reached. */
export async function searchPlugins(
  { env, cwd }: { readonly env: Readonly<Record<string, string | undefined>>; readonly cwd: string },
  query: string,
  { signal }: AbortOptions = {},
): Promise<PluginSearch> {
  const words = query.split(/\s+/).filter((word) => word !== '' && !word.startsWith('-'));
  const args = ['search', '--json', `--searchlimit=${MAX_PLUGINS}`, `keywords:${KEYWORD}`, ...words];
  const printed = await runNpm(args, { cwd, env, signal });
  const found = JSON.parse(printed.trim() === '' ? '[]' : printed) as readonly FoundPackage[];
  return {
    schema_version: 'plugin_search.v1',
    query: words.join(' '),
    plugins: found
      .filter(({ keywords = [] }) => keywords.includes(KEYWORD))
      .map(({ name, version, description = '', date }) => ({ name, version, description, date: date ?? null })),
  };
}
