/** The replacement for a secret. */
export const MASK = '***';

const SECRET_NAME =
  /(?:(?:api|access|private)[-_]?key|token|secret|passw(?:or)?d|passphrase|credentials?|authorization)$/i;
const USERINFO = /(\b[a-z][a-z0-9+.-]*:\/\/)[^/?#\s"']*@/gi;
const SECRET_PARAMETER = /([?&][^=&#\s"']*(?:key|token|secret|passw(?:or)?d|signature|auth)=)[^&#\s"']+/gi;

/** Masks the credentials in the URLs of a text: user information, and query parameters with secret names. */
export function maskAddresses(text: string): string {
  return text.includes('://') ? text.replace(USERINFO, `$1${MASK}@`).replace(SECRET_PARAMETER, `$1${MASK}`) : text;
}

/**
 * Masks the secrets in a value for display: URLs as in {@link maskAddresses}, and every text under a secret-looking name (`api_key`,
 * `accessToken`, `password` …). An empty text stays empty: there is nothing to hide.
 */
export function maskSecrets(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return value !== '' && SECRET_NAME.test(name) ? MASK : maskAddresses(value);
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item, name));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, maskSecrets(member, key)]));
}

/** Shorter secrets cannot be distinguished from words. */
const MIN_SECRET_CHARS = 4;

/** The secrets in a value: every text under a secret-looking name, longest first. */
export function secretsIn(value: unknown): readonly string[] {
  return [...new Set(findSecrets(value, ''))].toSorted((a, b) => b.length - a.length);
}

function* findSecrets(value: unknown, name: string): Generator<string> {
  if (typeof value === 'string') {
    if (value.length >= MIN_SECRET_CHARS && SECRET_NAME.test(name)) yield value;
  } else if (Array.isArray(value)) {
    for (const item of value) yield* findSecrets(item, name);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) yield* findSecrets(member, key);
  }
}

/** Masks these secrets, and the credentials in URLs, in a text. */
export function maskText(text: string, secrets: readonly string[]): string {
  return maskAddresses(secrets.reduce((masked, secret) => masked.replaceAll(secret, MASK), text));
}
