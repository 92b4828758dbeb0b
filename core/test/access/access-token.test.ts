import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type CryptoKey } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccessTokens } from '../../src/access/access-token.ts';
import { startLoopbackServer, type LoopbackServer } from '@kebab/testing';

let server: LoopbackServer;
let issuer: string;
let key: CryptoKey;
let otherKey: CryptoKey;
let reads = 0;

beforeAll(async () => {
  const pair = await generateKeyPair('ES256', { extractable: true });
  key = pair.privateKey;
  otherKey = (await generateKeyPair('ES256')).privateKey;
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'ES256' };
  server = await startLoopbackServer(({ url }, response) => {
    reads++;
    if (url === '/realm/.well-known/openid-configuration')
      response.end(JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` }));
    else if (url === '/liar/.well-known/openid-configuration')
      response.end(JSON.stringify({ issuer: 'https://else.example', jwks_uri: `${issuer}/keys` }));
    else if (url === '/realm/keys') response.end(JSON.stringify({ keys: [jwk] }));
    else response.writeHead(404).end();
  });
  issuer = `${server.url}/realm`;
});
afterAll(() => server.close());

const settings = (more: object = {}) =>
  ({ issuer, audience: 'kebab', groupsClaim: 'groups', scopes: ['read', 'ask'], ...more }) as const;

interface Signing {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly with?: CryptoKey | Uint8Array;
  readonly alg?: string;
  readonly kid?: string;
  readonly audience?: string;
  readonly from?: string;
  readonly expires?: number;
  readonly sub?: string | null;
}

function signed({ claims = {}, alg = 'ES256', kid = 'one', audience = 'kebab', sub = 'ann', ...more }: Signing = {}) {
  const jwt = new SignJWT(claims)
    .setProtectedHeader({ alg, kid })
    .setIssuer(more.from ?? issuer)
    .setAudience(audience)
    .setExpirationTime(Math.floor(Date.now() / 1000) + (more.expires ?? 60));
  return (sub === null ? jwt : jwt.setSubject(sub)).sign(more.with ?? key);
}

describe('an access token', () => {
  it('names its user and groups, and the scopes that it has or the configuration gives', async () => {
    const tokens = new AccessTokens(settings());
    expect(await tokens.callerOf(await signed({ sub: 'zoë', claims: { groups: ['crew', '관리자', 7] } }))).toEqual({
      kind: 'caller',
      caller: { id: 'user:zoë', principals: ['user:zoë', 'group:crew', 'group:관리자'], scopes: ['read', 'ask'] },
    });
    const scoped = await signed({ claims: { scope: 'openid kebab:read kebab:everything' } });
    expect(await tokens.callerOf(scoped)).toMatchObject({ caller: { scopes: ['read'], principals: ['user:ann'] } });
  });

  it('has its groups in the claim that the configuration names, nested ones too', async () => {
    const nested = await signed({ claims: { realm_access: { roles: ['crew'] }, 'https://kb/groups': 'staff' } });
    const at = async (groupsClaim: string) => {
      const proven = await new AccessTokens(settings({ groupsClaim })).callerOf(nested);
      return proven.kind === 'caller' ? proven.caller.principals.slice(1) : proven;
    };
    expect(await at('realm_access.roles')).toEqual(['group:crew']);
    expect(await at('https://kb/groups')).toEqual(['group:staff']);
    expect(await at('__proto__.constructor')).toEqual([]);
  });

  it.each<[string, () => Promise<string> | string]>([
    [
      'without a signature',
      () => new UnsecuredJWT({ sub: 'ann' }).setIssuer(issuer).setAudience('kebab').setExpirationTime('1h').encode(),
    ],
    ['signed by somebody else', () => signed({ with: otherKey })],
    ['signed with a shared secret', () => signed({ alg: 'HS256', with: new TextEncoder().encode('s'.repeat(32)) })],
    ['signed with a key that nobody published', () => signed({ kid: 'two' })],
    ['that has expired', () => signed({ expires: -60 })],
    ['for another audience', () => signed({ audience: 'wiki' })],
    ['of another issuer', () => signed({ from: 'https://id.example' })],
    ['of nobody', () => signed({ sub: null })],
    [
      'with a changed payload',
      async () => (await signed()).replace(/\.[^.]+\./, `.${Buffer.from('{"sub":"root"}').toString('base64url')}.`),
    ],
    ['that is none', () => 'a.b.c'],
    ['that is empty', () => ''],
    ['that is very long', () => `${'a'.repeat(20_000)}.b.c`],
  ])('%s proves nothing', async (_what, token) => {
    expect(await new AccessTokens(settings()).callerOf(await token())).toMatchObject({ kind: 'invalid' });
  });

  it('that expired a moment ago by another clock is accepted', async () => {
    expect(await new AccessTokens(settings()).callerOf(await signed({ expires: -5 }))).toMatchObject({
      kind: 'caller',
    });
  });

  it('is verified with keys that are read once', async () => {
    const tokens = new AccessTokens(settings({ issuer: `${issuer}/` }));
    const before = reads;
    for (let n = 0; n < 5; n++) expect(await tokens.callerOf(await signed())).toMatchObject({ kind: 'caller' });
    expect(reads - before).toBe(2);
  });

  it('cannot be verified when the issuer does not answer, names another, or no audience is set', async () => {
    const why = async (more: object) => {
      const proven = await new AccessTokens(settings(more)).callerOf(await signed());
      return proven.kind === 'unavailable' ? proven.why : proven;
    };
    expect(await why({ issuer: issuer.replace('realm', 'nowhere') })).toContain('404');
    expect(await why({ issuer: issuer.replace('realm', 'liar') })).toContain('names another issuer');
    expect(await why({ issuer: 'http://127.0.0.1:1' })).toContain('does not answer');
    expect(await why({ audience: '' })).toContain('access.audience');
  });
});
