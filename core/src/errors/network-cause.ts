const CUT = 'the connection broke off in the middle of the answer';
/** By the messages of Node for a connection that closed. */
const CLOSED = new Map([
  ['aborted', CUT],
  ['terminated', CUT],
  ['socket hang up', 'the connection broke off'],
]);

/**
 * The reason why a network request failed, as one text: the message of the innermost cause; of the first one where several addresses were
 * tried. The error of `fetch` itself only says that it failed.
 */
export function networkCause(error: unknown): string {
  const seen = new Set<unknown>();
  for (let link = error; link instanceof Error && !seen.has(link);) {
    seen.add(link);
    const inner: unknown = link instanceof AggregateError ? link.errors[0] : link.cause;
    if (inner === undefined) return plainText(link);
    link = inner;
  }
  return String(error);
}

function plainText({ message, name }: Error): string {
  if (/wrong version number|packet length too long/.test(message)) return NO_TLS;
  return CLOSED.get(message) ?? (message || name);
}

const PROXY_REMEDY =
  'correct HTTP_PROXY or HTTPS_PROXY (http://USER:PASSWORD@HOST:PORT), or name the server in NO_PROXY to reach it directly';
const NO_TLS = 'what answers there does not speak TLS';

/** The remedy for a request that failed though something listens; undefined if none is known. `key` names the setting with the address. */
export function networkRemedy(error: unknown, key: string): string | undefined {
  const cause = networkCause(error);
  if (cause.startsWith('it redirects')) return `set ${key} to the address of the API to which it redirects`;
  if (cause === CUT) return 'look at the log of the server, then try again';
  if (cause === NO_TLS) return `begin ${key} with http:// instead of https://`;
  if (/self-signed|issuer|unable to verify/.test(cause))
    return `name the certificate of its authority in the variable NODE_EXTRA_CA_CERTS, as a PEM file, or correct ${key}`;
  if (/certificate/.test(cause)) return `renew the certificate of the server, or correct ${key}`;
  return /the proxy|_PROXY/.test(cause) ? PROXY_REMEDY : undefined;
}
