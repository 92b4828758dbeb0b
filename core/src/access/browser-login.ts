import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { Clock } from '../contracts/contribution.ts';
import { makeFolder } from '../files/write-atomically.ts';
import { callerIn, metadataOf } from './access-token.ts';
import type { Caller } from './caller.ts';

/** A step of the login of a browser: to the issuer, and back from it. */
export type LoginRequest =
  | {
      readonly kind: 'begin';
      /** Where the issuer sends the browser back to. */
      readonly redirectUri: string;
      /** The path of the page that the user wants, with its query. */
      readonly page: string;
    }
  | {
      readonly kind: 'end';
      /** The query with which the browser comes back. */
      readonly query: string;
      /** What `begin` returned for the browser to keep. */
      readonly transaction: string;
    };

/** What to do next. `transaction` and `session` are sealed: only servers with this data folder can read or make them. */
export type LoginStep =
  | { readonly kind: 'away'; readonly url: string; readonly transaction: string }
  | { readonly kind: 'in'; readonly session: string; readonly page: string }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'unavailable'; readonly why: string };

/** What a login takes. */
export interface LoginPorts {
  readonly config: Pick<ResolvedConfig, 'access' | 'storage'>;
  readonly clock: Clock;
}

/** A login that takes longer begins again. */
const TRANSACTION_S = 600;
/** Afterwards the issuer says again who the user is, and in which groups. */
const SESSION_S = 8 * 3600;
/** Browsers drop longer cookies. */
const MAX_SESSION_CHARACTERS = 3800;
const TIMEOUT_S = 5;
const KEY_BYTES = 32;
/** How long a failed look-up of the issuer is remembered. */
const RETRY_MS = 5000;

interface Transaction {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly page: string;
}

/** Logs browsers in by the issuer: authorization code with PKCE. Nothing is remembered here, so that any server can end what another began. */
export function openLogin(ports: LoginPorts): (request: LoginRequest) => Promise<LoginStep> {
  let provider: Promise<Provider> | undefined;
  return async (request) => {
    try {
      keyIn(ports.config);
    } catch (error) {
      return { kind: 'unavailable', why: `the key of logins cannot be used: ${(error as Error).message}` };
    }
    if (provider === undefined) {
      provider = Provider.discover(ports.config.access);
      provider.catch(() => setTimeout(() => (provider = undefined), RETRY_MS).unref());
    }
    try {
      return await (request.kind === 'begin'
        ? begin(request, await provider, ports)
        : end(request, await provider, ports));
    } catch (error) {
      return { kind: 'unavailable', why: `the issuer does not answer: ${(error as Error).message}` };
    }
  };
}

async function begin(
  { redirectUri, page }: Extract<LoginRequest, { kind: 'begin' }>,
  provider: Provider,
  ports: LoginPorts,
): Promise<LoginStep> {
  const { url, ...secrets } = await provider.authorization(redirectUri);
  const transaction: Transaction = { ...secrets, redirectUri, page };
  return {
    kind: 'away',
    url,
    transaction: await seal('login', { ...transaction }, { ...ports, seconds: TRANSACTION_S }),
  };
}

async function end(
  { query, transaction }: Extract<LoginRequest, { kind: 'end' }>,
  provider: Provider,
  ports: LoginPorts,
): Promise<LoginStep> {
  const begun = (await unseal('login', transaction, ports)) as unknown as Transaction | null;
  if (begun === null) return { kind: 'refused', why: 'this login was not begun in this browser, or took too long' };
  const proven = await provider.claims(new URL(`${begun.redirectUri}${query}`), begun);
  if (typeof proven === 'string') return { kind: 'refused', why: `the login was not completed: ${proven}` };
  const { access } = ports.config;
  const caller = callerIn(proven, access);
  const sealed = (of: Caller): Promise<string> => seal('session', { ...of }, { ...ports, seconds: SESSION_S });
  const whole = await sealed(caller);
  const named = new Set(access.rules.flatMap(({ readers }) => readers));
  const principals = caller.principals.filter((principal) => principal === caller.id || named.has(principal));
  const session = whole.length <= MAX_SESSION_CHARACTERS ? whole : await sealed({ ...caller, principals });
  return { kind: 'in', session, page: begun.page };
}

/** Whose session this is; null for none that a server of this knowledge base began, or one that has ended. */
export async function callerOfSession(session: string, ports: LoginPorts): Promise<Caller | null> {
  return (await unseal('session', session, ports)) as unknown as Caller | null;
}

type Library = typeof import('openid-client');

/** The issuer, as `openid-client` knows it. */
class Provider {
  readonly #library: Library;
  readonly #client: import('openid-client').Configuration;
  readonly #scope: string;

  private constructor(library: Library, client: import('openid-client').Configuration, scope: string) {
    this.#library = library;
    this.#client = client;
    this.#scope = scope;
  }

  static async discover({ issuer, clientId, clientSecret, loginScopes }: ResolvedConfig['access']): Promise<Provider> {
    const [library, metadata] = await Promise.all([import('openid-client'), metadataOf(issuer)]);
    const authentication = clientSecret === '' ? library.None() : library.ClientSecretPost(clientSecret);
    const client = new library.Configuration(metadata, clientId, undefined, authentication);
    client.timeout = TIMEOUT_S;
    library.enableNonRepudiationChecks(client);
    if (issuer.startsWith('http:')) library.allowInsecureRequests(client);
    return new Provider(library, client, [...new Set(['openid', ...loginScopes])].join(' '));
  }

  async authorization(
    redirectUri: string,
  ): Promise<{ readonly url: string } & Pick<Transaction, 'state' | 'nonce' | 'verifier'>> {
    const { randomState, randomNonce, randomPKCECodeVerifier, calculatePKCECodeChallenge } = this.#library;
    const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
    const url = this.#library.buildAuthorizationUrl(this.#client, {
      redirect_uri: redirectUri,
      scope: this.#scope,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, state, nonce, verifier };
  }

  /** The claims of the ID token for which the issuer exchanges a code, or why it is not accepted. Throws when the issuer does not answer. */
  async claims(
    callback: URL,
    { state, nonce, verifier }: Transaction,
  ): Promise<Readonly<Record<string, unknown>> | string> {
    try {
      const tokens = await this.#library.authorizationCodeGrant(this.#client, callback, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      return { ...tokens.claims() };
    } catch (error) {
      const { code, error: refusal, cause } = error as Error & { readonly code?: string; readonly error?: unknown };
      if (code === undefined || code === 'OAUTH_TIMEOUT') throw error;
      return typeof refusal === 'string' && /^[a-z_]{1,40}$/.test(refusal)
        ? refusal
        : (cause instanceof Error ? cause : (error as Error)).message;
    }
  }
}

async function seal(
  purpose: 'login' | 'session',
  content: Record<string, unknown>,
  { config, clock, seconds }: LoginPorts & { readonly seconds: number },
): Promise<string> {
  const { EncryptJWT } = await import('jose');
  return new EncryptJWT({ content })
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setAudience(audienceOf(purpose, config))
    .setExpirationTime(new Date(clock.now().getTime() + seconds * 1000))
    .encrypt(keyIn(config));
}

/** What was sealed for a purpose; null for anything else. */
async function unseal(
  purpose: 'login' | 'session',
  sealed: string,
  { config, clock }: LoginPorts,
): Promise<Readonly<Record<string, unknown>> | null> {
  const { jwtDecrypt } = await import('jose');
  try {
    const { payload } = await jwtDecrypt(sealed, keyIn(config), {
      audience: audienceOf(purpose, config),
      currentDate: clock.now(),
      requiredClaims: ['exp'],
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    return payload['content'] as Readonly<Record<string, unknown>>;
  } catch {
    return null;
  }
}

/** Another issuer or client ends the sessions of the former. */
function audienceOf(purpose: string, { access }: LoginPorts['config']): string {
  return `${purpose} ${access.clientId} ${access.issuer}`;
}

/** The key of the servers that share a data folder, made by the first of them. */
function keyIn({ storage }: LoginPorts['config']): Uint8Array {
  const file = path.join(storage.dataDir, 'login.key');
  if (!existsSync(file)) {
    makeFolder(storage.dataDir);
    try {
      writeFileSync(file, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another server was first
    }
  }
  const key = readFileSync(file);
  if (key.length !== KEY_BYTES) throw new Error(`remove ${file}, which does not have ${KEY_BYTES} bytes`);
  return key;
}
