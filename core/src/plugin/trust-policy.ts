import { withDeadline } from '../errors/abort.ts';
import type { PluginManifest } from './read-manifest.ts';

/** The origin of a plugin: bundled with kebab, installed as a package, or named by its path. */
export type PluginOrigin = 'builtin' | 'package' | 'path';

/** How long kebab waits for plugin code; null means no limit. */
export interface PluginLimits {
  readonly loadMs: number | null;
  readonly createMs: number | null;
  readonly closeMs: number | null;
  /** One call, or the time until a stream yields its next item. Calls that process many texts get `textMs` per text. */
  readonly callMs: number | null;
  readonly batchMs: number;
  readonly textMs: number;
}

/** The rights of a plugin, and how its failures are handled. */
export interface TrustPolicy {
  readonly limits: PluginLimits;
  /** Its precedence among plugins with the same abilities: in the order of `plugins`, or after all of those. */
  readonly place: 'as-configured' | 'last';
  /**
   * Where it runs: where its contributions choose to, or in processes with limits and the declared permissions, to which data passes as
   * copies and whose answers are checked member by member.
   */
  readonly isolation: 'as-declared' | 'sandboxed';
  /** Which hosts `context.fetch` reaches. */
  readonly fetch: 'any-host' | 'declared-hosts';
  /** Whether its failures reach the caller as they are, or with the name and version of the plugin and a remedy. */
  readonly failures: 'plain' | 'attributed';
  /** After how many crashing files a version is disabled; null never disables it. */
  readonly maxCrashes: number | null;
  /** Whether `plugin doctor` only loads its module, or creates all its contributions. */
  readonly examination: 'load' | 'make';
}

const BUNDLED: TrustPolicy = {
  limits: { loadMs: null, createMs: null, closeMs: null, callMs: null, batchMs: 0, textMs: 0 },
  place: 'last',
  isolation: 'as-declared', // copying each document of an ingest would cost as much as chunking it
  fetch: 'any-host', // users configure the servers that bundled plugins reach
  failures: 'plain',
  maxCrashes: null,
  examination: 'load', // its settings were validated along with the configuration
};

const THIRD_PARTY: TrustPolicy = {
  limits: thirdPartyLimits({ loadMs: 10_000, createMs: 60_000, callMs: 300_000 }),
  place: 'as-configured',
  isolation: 'sandboxed',
  fetch: 'declared-hosts',
  failures: 'attributed',
  maxCrashes: 3,
  examination: 'make',
};

/** Determines the policy of a plugin, the only place that depends on its origin. Custom limits apply to third-party plugins only. */
export function trustPolicyOf({
  origin,
  limits = THIRD_PARTY.limits,
}: {
  readonly origin: PluginOrigin;
  readonly limits?: PluginLimits | undefined;
}): TrustPolicy {
  return origin === 'builtin' ? BUNDLED : { ...THIRD_PARTY, limits };
}

/** The limits of a third-party plugin, from the user's settings. */
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

/** The time limit of a method for its answer, or for the next item. */
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

/** Schemes without a host: the bytes are in the URL or in memory. */
const HOSTLESS: ReadonlySet<string> = new Set(['data:', 'blob:']);

/**
 * A `fetch` restricted to the hosts a plugin declared; it rejects any other host before anything is sent. A host covers all its ports;
 * `*.example.org` covers every host below it. Redirects by a declared host are followed.
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

/** A time limit for plugin code that cannot be interrupted, only abandoned. */
interface TimeLimit {
  /** Null for none. */
  readonly ms: number | null;
  /** The beginning of the message: `its module did not finish loading`. */
  readonly what: string;
}

/**
 * Waits for a promise with a time limit: throws `<what> within <n> s` when it has passed. The timer keeps the process alive, so that a
 * promise that never settles ends in an error rather than in a silent exit.
 */
export async function withinLimit<T>(work: T | PromiseLike<T>, { ms, what }: TimeLimit): Promise<T> {
  const late = (): Error => new Error(`${what} within ${(ms ?? 0) / 1000} s`);
  return withDeadline(async () => work, { operation: what, timeoutMs: ms, late });
}
