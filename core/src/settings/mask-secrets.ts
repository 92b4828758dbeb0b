/** What stands where a secret was. */
export const MASK = '***';

const SECRET_NAME =
  /(?:(?:api|access|private)[-_]?key|token|secret|passw(?:or)?d|passphrase|credentials?|authorization)$/i;
const USERINFO = /(\b[a-z][a-z0-9+.-]*:\/\/)[^/?#\s"']*@/gi;
const SECRET_PARAMETER = /([?&][^=&#\s"']*(?:key|token|secret|passw(?:or)?d|signature|auth)=)[^&#\s"']+/gi;

/** A text without the credentials that addresses in it carry: user information and query parameters that carry secrets. */
export function maskAddresses(text: string): string {
  return text.includes('://') ? text.replace(USERINFO, `$1${MASK}@`).replace(SECRET_PARAMETER, `$1${MASK}`) : text;
}

/**
 * A value without its secrets, for showing: addresses as {@link maskAddresses}, and every text under a name that says
 * what it is (`api_key`, `accessToken`, `password` …). An empty text stays empty: there is nothing to hide.
 */
export function maskSecrets(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return value !== '' && SECRET_NAME.test(name) ? MASK : maskAddresses(value);
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item, name));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, maskSecrets(member, key)]));
}

/** A text shorter than this is no secret that could be told from a word. */
const MIN_SECRET_CHARS = 4;

/** The secrets in a value: every text under a name that says what it is, longest first. */
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

/** A text without these secrets, and without the credentials that addresses in it carry. */
export function maskText(text: string, secrets: readonly string[]): string {
  return maskAddresses(secrets.reduce((masked, secret) => masked.replaceAll(secret, MASK), text));
}
