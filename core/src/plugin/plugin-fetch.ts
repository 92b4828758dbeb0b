import { limitedFetch } from './limited-fetch.ts';
import type { LoadedPlugin } from './loaded-plugin.ts';

/**
 * The `fetch` of a plugin's context: there only when its manifest declares hosts, and limited to them unless it came with kebab.
 */
export function pluginFetch(
  { manifest, origin }: Pick<LoadedPlugin, 'manifest' | 'origin'>,
  fetchAnything: typeof fetch = globalThis.fetch,
): { readonly fetch?: typeof fetch } {
  const { net } = manifest.permissions;
  if (net.length === 0) return {};
  return { fetch: origin === 'builtin' ? fetchAnything : limitedFetch(net, fetchAnything) };
}
