import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { Clock } from '../contracts/contribution.ts';
import { AccessTokens } from './access-token.ts';
import type { Caller } from './caller.ts';
import { callerOfToken, tokensOf } from './tokens.ts';

/** Who sends a request, or why it is not answered. `anyone` needs no token: that is the user of this machine. */
export type Identity =
  | { readonly kind: 'anyone' }
  | { readonly kind: 'caller'; readonly caller: Caller }
  | { readonly kind: 'unknown'; readonly why: string }
  | { readonly kind: 'limited'; readonly afterS: number }
  | { readonly kind: 'unavailable'; readonly why: string };

/** What identifying takes. */
export interface IdentifyPorts {
  readonly config: Pick<ResolvedConfig, 'access' | 'storage'>;
  readonly clock: Clock;
}

/**
 * Opens the identification of requests by their bearer tokens, or by the sessions of browsers that were logged in, which counts them. Tokens are asked for as soon as there are any, an issuer,
 * or rules. Throws `io_error` when the list of tokens cannot be read.
 */
export function openIdentification({
  config,
  clock,
}: IdentifyPorts): (secret: string | null, kind?: 'bearer' | 'session') => Promise<Identity> {
  const { access } = config;
  const hasIssuer = access.issuer !== '';
  // Without an audience, the issuer only logs browsers in.
  const isLoginOnly = access.audience === '' && access.clientId !== '';
  const issued = hasIssuer && !isLoginOnly ? new AccessTokens(access) : null;
  const rates = new Rates(access.requestsPerMinute);
  const limited = (caller: Caller): Identity => {
    const afterS = rates.count(keyOf(caller), clock.now());
    return afterS === 0 ? { kind: 'caller', caller } : { kind: 'limited', afterS };
  };
  return async (bearer, kind = 'bearer') => {
    if (kind === 'session' && bearer !== null) {
      const { callerOfSession } = await import('./browser-login.ts');
      const caller = await callerOfSession(bearer, { config, clock });
      return caller === null ? { kind: 'unknown', why: 'this login has ended' } : limited(caller);
    }
    const tokens = tokensOf(config);
    if (tokens.length === 0 && !hasIssuer && access.rules.length === 0) return { kind: 'anyone' };
    if (bearer === null) return { kind: 'unknown', why: 'this server asks for a bearer token' };
    const own = callerOfToken(bearer, tokens, clock.now());
    if (own === 'expired') return { kind: 'unknown', why: 'this token has expired' };
    const proven = own === null ? await issued?.callerOf(bearer) : ({ kind: 'caller', caller: own } as const);
    if (proven === undefined) return { kind: 'unknown', why: 'this token is unknown, or was revoked' };
    if (proven.kind === 'invalid') return { kind: 'unknown', why: `this token is not valid: ${proven.why}` };
    return proven.kind === 'unavailable' ? proven : limited(proven.caller);
  };
}

function keyOf({ id, principals }: Caller): string {
  return principals.find((principal) => principal.startsWith('token:')) ?? id;
}

const MINUTE_MS = 60_000;
const MAX_COUNTED = 10_000;

/** Counts requests by token, or by user where that has several access tokens, in each minute of the clock. */
class Rates {
  readonly #limit: number;
  readonly #counts = new Map<string, number>();
  #minute = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts one more; returns in how many seconds the next is accepted, 0 for this one. */
  count(key: string, now: Date): number {
    if (this.#limit === 0) return 0;
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    if (minute !== this.#minute || this.#counts.size > MAX_COUNTED) this.#counts.clear();
    this.#minute = minute;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count <= this.#limit ? 0 : Math.ceil(((minute + 1) * MINUTE_MS - now.getTime()) / 1000);
  }
}
