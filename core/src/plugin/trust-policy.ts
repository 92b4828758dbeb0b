import type { PluginManifest } from './read-manifest.ts';

/** Where a plugin was found: it came with kebab, is installed as a package, or was named by its path. */
export type PluginOrigin = 'builtin' | 'package' | 'path';

/** How long kebab waits for code of a plugin; null waits as long as it takes. */
export interface PluginLimits {
  readonly loadMs: number | null;
  readonly createMs: number | null;
  readonly closeMs: number | null;
  /** One call, or the time until a stream yields its next item. Calls that process many texts get `textMs` for each of them. */
  readonly callMs: number | null;
  readonly batchMs: number;
  readonly textMs: number;
}

/** What kebab allows a plugin, and how it treats its failures. */
export interface TrustPolicy {
  readonly limits: PluginLimits;
  /** Where its extractors and chunkers run: where they ask to, or always in a process with limits and the declared permissions. */
  readonly isolation: 'as-declared' | 'fenced';
  /** What its extractors and chunkers are given and answer: kebab's own objects, or copies, every member of which is looked at. */
  readonly data: 'shared' | 'copied';
  /** Which hosts `context.fetch` reaches. */
  readonly fetch: 'any-host' | 'declared-hosts';
  /** Its failures reach the caller as they are, or with the name of the plugin, its version and a remedy. */
  readonly failures: 'plain' | 'attributed';
  /** How many files may crash a version before it is switched off; null never switches it off. */
  readonly maxCrashes: number | null;
  /** What `plugin doctor` does with it: load its module, or make everything it contributes. */
  readonly examination: 'load' | 'make';
}

const BUNDLED: TrustPolicy = {
  limits: { loadMs: null, createMs: null, closeMs: null, callMs: null, batchMs: 0, textMs: 0 },
  isolation: 'as-declared',
  data: 'shared', // a copy of each document of an ingest would cost as much as cutting it
  fetch: 'any-host', // the user configures the servers that bundled plugins reach
  failures: 'plain',
  maxCrashes: null,
  examination: 'load', // its settings were validated with the configuration
};

const THIRD_PARTY: TrustPolicy = {
  limits: thirdPartyLimits({ loadMs: 10_000, createMs: 60_000, callMs: 300_000 }),
  isolation: 'fenced',
  data: 'copied',
  fetch: 'declared-hosts',
  failures: 'attributed',
  maxCrashes: 3,
  examination: 'make',
};

/** The one place that decides by where a plugin comes from. Limits other than the usual ones concern third-party plugins. */
export function trustPolicyOf({
  origin,
  limits = THIRD_PARTY.limits,
}: {
  readonly origin: PluginOrigin;
  readonly limits?: PluginLimits | undefined;
}): TrustPolicy {
  return origin === 'builtin' ? BUNDLED : { ...THIRD_PARTY, limits };
}

/** The limits of a third-party plugin, from those that a user sets. */
export function thirdPartyLimits({
  loadMs,
  createMs,
  callMs,
}: {
  readonly loadMs: number;
  readonly createMs: number;
  readonly callMs: number;
}): PluginLimits {
  return {
    loadMs,
    createMs,
    closeMs: Math.min(5000, callMs),
    callMs,
    batchMs: Math.min(60_000, callMs),
    textMs: Math.min(10_000, callMs),
  };
}

/** How long a method may take to answer, or to yield the next item. */
export function callLimit(
  { callMs, batchMs, textMs }: PluginLimits,
  method: string,
  args: readonly unknown[],
): number | null {
  const texts = method === 'embed' ? args[0] : method === 'rerank' ? args[1] : undefined;
  return Array.isArray(texts) ? batchMs + texts.length * textMs : callMs;
}

/** The `fetch` of a plugin's context: present only when its manifest declares hosts. */
export function permittedFetch(
  { manifest, policy }: { readonly manifest: Pick<PluginManifest, 'permissions'>; readonly policy: TrustPolicy },
  fetchAnything: typeof fetch = globalThis.fetch,
): { readonly fetch?: typeof fetch } {
  const { net } = manifest.permissions;
  if (net.length === 0) return {};
  return { fetch: policy.fetch === 'any-host' ? fetchAnything : limitedFetch(net, fetchAnything) };
}

/** A connector that reaches nothing: the bytes are at hand already. */
const HOSTLESS: ReadonlySet<string> = new Set(['data:', 'blob:']);

/**
 * A `fetch` that reaches the hosts a plugin declared, and rejects for every other before anything is sent. A host stands for
 * itself on every port; `*.example.org` for every host below it. Where a declared host redirects to is its own business.
 */
export function limitedFetch(hosts: readonly string[], fetchAnything: typeof fetch = globalThis.fetch): typeof fetch {
  return async (input, init) => {
    const { protocol, hostname } = new URL(input instanceof Request ? input.url : input);
    if (!HOSTLESS.has(protocol) && !hosts.some((host) => covers(host, hostname)))
      throw new Error(`it did not declare that it reaches ${hostname}: add it to permissions.net`);
    return fetchAnything(input, init);
  };
}

function covers(declared: string, hostname: string): boolean {
  const host = declared.toLowerCase().replace(/:\d+$/, '');
  return host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host;
}
