/** What reaches nobody: the bytes are at hand already. */
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
