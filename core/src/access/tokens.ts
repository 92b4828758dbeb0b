import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import path from 'node:path';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import { readOwnList } from '../config/trust-store.ts';
import type { Clock } from '../contracts/contribution.ts';
import { readAgo, type Ago, dayOf } from '../domain/period.ts';
import { invalidInput, nearestName } from '../errors/invalid-input.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import type { TokenReport } from '../wire/index.ts';
import { type Caller, isPrincipal, type Scope, SCOPES } from './caller.ts';

/** A change to the tokens of a knowledge base, or none. */
export type TokenRequest =
  | { readonly kind: 'list' }
  | { readonly kind: 'revoke'; readonly name: string }
  | {
      readonly kind: 'create';
      readonly name: string;
      readonly scopes: readonly string[];
      readonly principals: readonly string[];
      /** How long it is valid, as `90d`, `12w`, `6m` or `1y`; for ever when absent. */
      readonly expires?: string | undefined;
    };

/** A token as it is stored: its secret cannot be computed from its hash. */
interface StoredToken {
  readonly name: string;
  /** SHA-256 of the whole token, 64 hex digits. */
  readonly hash: string;
  readonly scopes: readonly Scope[];
  readonly principals: readonly string[];
  readonly created_at: string;
  readonly expires_at: string | null;
}

/** What managing tokens takes. */
export interface TokenPorts {
  readonly config: Pick<ResolvedConfig, 'storage'>;
  readonly clock: Clock;
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{0,63}$/u;
const SECRET_BYTES = 32;
/** By which people, and scanners of repositories, recognise a token. */
const PREFIX = 'kebab_';

/**
 * Lists the tokens of a knowledge base, revokes one, or creates one, whose secret only this report contains. Throws `invalid_input` for an
 * unsuitable or unknown name, scope, principal or period, and `io_error` for a list that cannot be read.
 */
export function manageTokens(request: TokenRequest, { config, clock }: TokenPorts): TokenReport {
  const file = tokenFile(config);
  const tokens = readTokens(file);
  const now = clock.now();
  switch (request.kind) {
    case 'list':
      return reportOf(tokens, now);
    case 'revoke': {
      const revoked = tokens.find(({ name }) => name === request.name);
      if (revoked === undefined) throw unknownToken(request.name, tokens);
      writeTokens(
        file,
        tokens.filter((token) => token !== revoked),
      );
      return reportOf([revoked], now);
    }
    case 'create': {
      const secret = `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64url')}`;
      const token = { ...checked(request, tokens, now), hash: hashOf(secret) };
      writeTokens(file, [...tokens, token]);
      return { ...reportOf([token], now), token: secret };
    }
    default:
      return request satisfies never;
  }
}

/** The caller whose token this is: `expired` for one that is no longer valid, null for no token of this knowledge base. */
export function callerOfToken(sent: string, tokens: readonly StoredToken[], now: Date): Caller | 'expired' | null {
  const hash = Buffer.from(hashOf(sent));
  const token = tokens.find((one) => timingSafeEqual(Buffer.from(one.hash), hash));
  if (token === undefined) return null;
  if (isExpired(token, now)) return 'expired';
  const own = `token:${token.name}`;
  const id = token.principals.find((principal) => principal.startsWith('user:')) ?? own;
  return { id, principals: [...token.principals, own], scopes: token.scopes };
}

/** The tokens of a knowledge base, in the order in which they were created. Throws `io_error` for a list that cannot be read. */
export function tokensOf(config: TokenPorts['config']): readonly StoredToken[] {
  return readTokens(tokenFile(config));
}

function tokenFile({ storage }: TokenPorts['config']): string {
  return path.join(storage.dataDir, 'tokens.json');
}

function readTokens(file: string): readonly StoredToken[] {
  return readOwnList<readonly StoredToken[]>(file, {
    what: 'tokens',
    hint: `remove ${file}, then create the tokens again with \`kebab token create\``,
    empty: [],
    parse: (json) => {
      const { tokens } = json as { readonly tokens?: unknown };
      if (!Array.isArray(tokens) || !tokens.every(isStored)) throw new TypeError('it has no "tokens"');
      return tokens;
    },
  });
}

function isStored(value: unknown): value is StoredToken {
  const {
    name,
    hash,
    scopes,
    principals,
    expires_at: end,
  } = (value ?? {}) as Partial<Record<keyof StoredToken, unknown>>;
  return (
    typeof name === 'string' &&
    typeof hash === 'string' &&
    /^[0-9a-f]{64}$/.test(hash) &&
    Array.isArray(scopes) &&
    Array.isArray(principals) &&
    (end === null || (typeof end === 'string' && !Number.isNaN(Date.parse(end))))
  );
}

function writeTokens(file: string, tokens: readonly StoredToken[]): void {
  writeAtomically(file, `${JSON.stringify({ schema_version: 1, tokens }, null, 2)}\n`, { mode: 0o600 });
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function isExpired({ expires_at: end }: Pick<StoredToken, 'expires_at'>, now: Date): boolean {
  return end !== null && Date.parse(end) <= now.getTime();
}

function checked(
  { name, scopes, principals, expires }: Extract<TokenRequest, { readonly kind: 'create' }>,
  tokens: readonly StoredToken[],
  now: Date,
): Omit<StoredToken, 'hash'> {
  const field = 'name';
  if (!NAME.test(name))
    throw invalidInput('the name of a token has 1 to 64 letters, digits, dots, dashes and underscores', {
      field,
      value: name,
    });
  if (tokens.some((token) => token.name.normalize('NFC') === name.normalize('NFC')))
    throw invalidInput(`there is a token ${JSON.stringify(name)} already`, {
      field,
      value: name,
      hint: `choose another name, or revoke it with \`kebab token revoke ${name}\``,
    });
  const unknown = scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope));
  if (unknown !== undefined)
    throw invalidInput(`there is no scope ${JSON.stringify(unknown)}`, {
      field: 'scope',
      value: unknown,
      allowed: [...SCOPES],
      suggestion: nearestName(unknown, SCOPES),
    });
  const nobody = principals.find((principal) => !isPrincipal(principal) || principal.startsWith('token:'));
  if (nobody !== undefined)
    throw invalidInput(`a principal is user:NAME or group:NAME, not ${JSON.stringify(nobody)}`, {
      field: 'principal',
      value: nobody,
    });
  return {
    name,
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    principals: [...new Set(principals)],
    created_at: now.toISOString(),
    expires_at: expires === undefined ? null : endAfter(expires, now).toISOString(),
  };
}

const MS_PER_DAY = 86_400_000;

/** The moment so long after another: as long as the period reaches back, in days. */
function endAfter(period: string, now: Date): Date {
  const ago: Ago | undefined = /^\d/.test(period) ? readAgo(period) : undefined;
  const days =
    ago === undefined
      ? 0
      : Math.round((dayOf({ ...ago, count: 0 }, now).start.getTime() - dayOf(ago, now).start.getTime()) / MS_PER_DAY);
  if (days > 0) return new Date(now.getTime() + days * MS_PER_DAY);
  throw invalidInput(`a token expires after a time such as 90d, 12w, 6m or 1y, not ${JSON.stringify(period)}`, {
    field: 'expires',
    value: period,
  });
}

function unknownToken(name: string, tokens: readonly StoredToken[]): Error {
  const names = tokens.map((token) => token.name);
  return invalidInput(`there is no token ${JSON.stringify(name)}`, {
    field: 'name',
    value: name,
    suggestion: nearestName(name, names),
    hint: 'see `kebab token list`',
  });
}

function reportOf(tokens: readonly StoredToken[], now: Date): TokenReport {
  return {
    schema_version: 'token_report.v1',
    tokens: tokens.map(({ hash: _hash, ...token }) => ({ ...token, is_expired: isExpired(token, now) })),
  };
}
