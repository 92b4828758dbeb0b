import type { ResolvedConfig } from '../config/resolved-config.ts';
import { type Caller, type Scope, SCOPES } from './caller.ts';

/** The settings of the issuer of access tokens. */
export type IssuerSettings = Pick<ResolvedConfig['access'], 'issuer' | 'audience' | 'groupsClaim' | 'scopes'>;

/** What an access token proves: who sends it, that it is not valid, or nothing, since its issuer cannot be asked. */
export type ProvenCaller =
  | { readonly kind: 'caller'; readonly caller: Caller }
  | { readonly kind: 'invalid'; readonly why: string }
  | { readonly kind: 'unavailable'; readonly why: string };

/** Signatures that only the issuer can make: neither `none`, nor a secret that both sides know. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const CLOCK_SKEW_S = 30;
const TIMEOUT_MS = 5000;
/** How long a failed look-up of the issuer is remembered. */
const RETRY_MS = 5000;
const MAX_LENGTH = 16_384;

/**
 * Verifies access tokens (JWT) of one OpenID Connect issuer: signature, issuer, audience and time. Its metadata and keys are fetched with the
 * first token and kept; unknown keys are looked up again, though not more often than every thirty seconds.
 */
export class AccessTokens {
  readonly #settings: IssuerSettings;
  #verifier: Promise<Verify> | undefined;

  constructor(settings: IssuerSettings) {
    this.#settings = settings;
  }

  /** Who sends a token. Never throws. */
  async callerOf(token: string): Promise<ProvenCaller> {
    const { audience } = this.#settings;
    if (audience === '') return { kind: 'unavailable', why: 'access.audience is not set' };
    if (token.length > MAX_LENGTH || !/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token))
      return { kind: 'invalid', why: 'it is neither a token of kebab nor an access token' };
    let verify: Verify;
    try {
      this.#verifier ??= this.#discover();
      verify = await this.#verifier;
    } catch (error) {
      setTimeout(() => (this.#verifier = undefined), RETRY_MS).unref();
      return { kind: 'unavailable', why: `the issuer does not answer: ${(error as Error).message}` };
    }
    return verify(token);
  }

  async #discover(): Promise<Verify> {
    const { createRemoteJWKSet, errors, jwtVerify } = await import('jose');
    const { audience } = this.#settings;
    const { issuer, jwks_uri: jwksUri } = await metadataOf(this.#settings.issuer);
    const keys = createRemoteJWKSet(new URL(jwksUri), { timeoutDuration: TIMEOUT_MS });
    return async (token) => {
      try {
        const { payload } = await jwtVerify(token, keys, {
          issuer,
          audience,
          algorithms: ALGORITHMS,
          clockTolerance: CLOCK_SKEW_S,
          requiredClaims: ['exp', 'sub'],
        });
        return { kind: 'caller', caller: callerIn(payload, this.#settings) };
      } catch (error) {
        const isTransport = !(error instanceof errors.JOSEError) || error instanceof errors.JWKSTimeout;
        return { kind: isTransport ? 'unavailable' : 'invalid', why: (error as Error).message };
      }
    };
  }
}

type Verify = (token: string) => Promise<ProvenCaller>;

/** What an issuer says of itself: its name as it writes it, and where its keys are. */
export type IssuerMetadata = import('openid-client').ServerMetadata & { readonly jwks_uri: string };

/** Reads the metadata of an issuer. Throws when they cannot be read, or name another issuer. */
export async function metadataOf(configured: string): Promise<IssuerMetadata> {
  const bare = configured.replace(/\/+$/, '');
  const address = `${bare}/.well-known/openid-configuration`;
  const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${address} answers ${response.status}`);
  const metadata = (await response.json()) as Partial<IssuerMetadata> | null;
  const { issuer, jwks_uri: keys } = metadata ?? {};
  if (typeof issuer !== 'string' || issuer.replace(/\/+$/, '') !== bare)
    throw new Error(`${address} names another issuer`);
  if (typeof keys !== 'string' || !URL.canParse(keys)) throw new Error(`${address} names no keys`);
  if (new URL(keys).protocol !== 'https:' && bare.startsWith('https:'))
    throw new Error('its keys are not at an https address');
  return { ...metadata, issuer, jwks_uri: keys };
}

/** The scopes of kebab in the claim `scope`, `kebab:read ...`, or those that the configuration gives to everyone. */
export function callerIn(
  payload: Readonly<Record<string, unknown>>,
  { groupsClaim, scopes: otherwise }: Pick<IssuerSettings, 'groupsClaim' | 'scopes'>,
): Caller {
  const words = typeof payload['scope'] === 'string' ? payload['scope'].split(' ') : [];
  const named = words.flatMap((word) => (word.startsWith('kebab:') ? [word.slice('kebab:'.length)] : []));
  const granted: readonly string[] = named.length > 0 ? named : otherwise;
  const groups = payload[groupsClaim] ?? memberAt(payload, groupsClaim.split('.'));
  const list: readonly unknown[] = Array.isArray(groups) ? groups : [groups];
  const id = `user:${String(payload['sub'])}`;
  return {
    id,
    principals: [id, ...list.flatMap((group) => (typeof group === 'string' && group !== '' ? [`group:${group}`] : []))],
    scopes: SCOPES.filter((scope): scope is Scope => granted.includes(scope)),
  };
}

/** A member of nested claims, as `realm_access.roles`. */
function memberAt(claims: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, name) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, name)
        ? (at as Record<string, unknown>)[name]
        : undefined,
    claims,
  );
}
