import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callerOfSession, openLogin, type LoginPorts, type LoginStep } from '../../src/access/browser-login.ts';

let server: Server;
let origin: string;
let key: CryptoKey;
let reads = 0;
let nonce = '';
const folder = mkdtempSync(path.join(tmpdir(), 'kebab-login-'));
const START = Date.now();
const MINUTE = 60_000;
let now = START;

beforeAll(async () => {
  const pair = await generateKeyPair('ES256', { extractable: true });
  key = pair.privateKey;
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'ES256' };
  const idToken = (issuer: string) =>
    new SignJWT({ nonce })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setIssuer(issuer)
      .setAudience('kebab')
      .setSubject('ann')
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(key);
  server = createServer(({ url = '' }, response) => {
    reads++;
    const realm = /^\/(?:bare|slash)/.exec(url)?.[0];
    const issuer = `${origin}${realm}${realm === '/slash' ? '/' : ''}`;
    const at = (name: string): string => `${origin}${realm}/${name}`;
    response.setHeader('content-type', 'application/json');
    if (realm === undefined) response.writeHead(500).end();
    else if (url.endsWith('/keys')) response.end(JSON.stringify({ keys: [jwk] }));
    else if (url.endsWith('/token'))
      void idToken(issuer).then((token) =>
        response.end(JSON.stringify({ access_token: 'x', token_type: 'bearer', id_token: token })),
      );
    else {
      const endpoints = { authorization_endpoint: at('authorize'), token_endpoint: at('token') };
      response.end(
        JSON.stringify({
          issuer,
          jwks_uri: at('keys'),
          id_token_signing_alg_values_supported: ['ES256'],
          ...endpoints,
        }),
      );
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

function portsOf(issuer: string, more: object = {}): LoginPorts {
  const access = { issuer: `${origin}${issuer}`, clientId: 'kebab', clientSecret: '', groupsClaim: 'groups', ...more };
  const config = { access: { loginScopes: [], scopes: ['read'], rules: [], ...access }, storage: { dataDir: folder } };
  return { config, clock: { now: () => new Date(now) } } as unknown as LoginPorts;
}

const begin = (login: ReturnType<typeof openLogin>): Promise<LoginStep> =>
  login({ kind: 'begin', redirectUri: 'https://kb.example.org/auth/callback', page: '/' });

/** Logs in, with a pause between the steps. */
async function loggedIn(ports: LoginPorts, pauseMs = 0): Promise<LoginStep> {
  const login = openLogin(ports);
  const step = await begin(login);
  if (step.kind !== 'away') return step;
  const asked = new URL(step.url).searchParams;
  nonce = asked.get('nonce') ?? '';
  now += pauseMs;
  const query = `?code=c&state=${asked.get('state')}`;
  return login({ kind: 'end', query, transaction: step.transaction });
}

it.each(['/bare', '/bare/', '/slash', '/slash/'])(
  'logs in at the issuer %s, whichever way its name ends',
  async (issuer) => {
    const step = await loggedIn(portsOf(issuer));
    const session = step.kind === 'in' ? step.session : '';
    expect(await callerOfSession(session, portsOf(issuer))).toEqual({
      id: 'user:ann',
      principals: ['user:ann'],
      scopes: ['read'],
    });
  },
);

it('ends a login that takes longer than ten minutes, and a session after eight hours', async () => {
  const ports = portsOf('/bare');
  expect(await loggedIn(ports, 11 * MINUTE)).toMatchObject({
    kind: 'refused',
    why: expect.stringContaining('too long'),
  });
  now = START;
  const step = await loggedIn(ports);
  const session = step.kind === 'in' ? step.session : '';
  now = START + 479 * MINUTE;
  expect(await callerOfSession(session, ports)).not.toBeNull();
  expect(await callerOfSession(session, portsOf('/bare', { clientId: 'other' }))).toBeNull();
  now = START + 481 * MINUTE;
  expect(await callerOfSession(session, ports)).toBeNull();
  now = START;
});

it('keeps its key to its user', () => {
  expect(statSync(path.join(folder, 'login.key')).mode & 0o077).toBe(0);
});

it('does not blame the issuer for a key that is damaged', async () => {
  const file = path.join(folder, 'login.key');
  writeFileSync(file, 'short');
  expect(await begin(openLogin(portsOf('/bare')))).toEqual({
    kind: 'unavailable',
    why: `the key of logins cannot be used: remove ${file}, which does not have 32 bytes`,
  });
  rmSync(file);
});

it('asks an issuer that does not answer once in a while only', async () => {
  const login = openLogin(portsOf('/broken'));
  const before = reads;
  for (let n = 0; n < 5; n++) expect(await begin(login)).toMatchObject({ kind: 'unavailable' });
  expect(reads - before).toBe(1);
});
