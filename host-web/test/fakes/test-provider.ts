import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** What a provider does differently from a good one. */
export interface Misbehaviour {
  /** Replaces claims of the ID token. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Signs with a key that it does not publish. */
  readonly foreignKey?: boolean;
  /** Seconds from now at which the ID token ends. */
  readonly expiresIn?: number;
  /** Answers the exchange of a code with this status. */
  readonly status?: number;
}

/** An OpenID provider in this process. */
export interface TestProvider {
  readonly issuer: string;
  /** Logs a user in who was sent to `address`, and returns the query with which the browser is sent back. */
  login(address: string, user: Readonly<Record<string, unknown>>, misbehaviour?: Misbehaviour): URLSearchParams;
  close(): void;
}

/** Starts a provider that knows one client, `kebab`, with the secret `s3cret`, and exchanges each code once, with PKCE. */
export async function startProvider(): Promise<TestProvider> {
  const [own, foreign] = [await generateKeyPair('RS256', { extractable: true }), await generateKeyPair('RS256')];
  const jwk = { ...(await exportJWK(own.publicKey)), kid: 'k', alg: 'RS256', use: 'sig' };
  const codes = new Map<string, { asked: URLSearchParams; user: object } & Misbehaviour>();
  let issuer = '';
  const exchanged = async (form: URLSearchParams): Promise<readonly [number, object]> => {
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    if (code?.status !== undefined) return [code.status, { error: 'server_error' }];
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (form.get('client_secret') !== 's3cret') return [401, { error: 'invalid_client' }];
    if (code === undefined || challenge !== code.asked.get('code_challenge')) return [400, { error: 'invalid_grant' }];
    if (form.get('redirect_uri') !== code.asked.get('redirect_uri')) return [400, { error: 'invalid_grant' }];
    const { asked, user, claims = {}, foreignKey = false, expiresIn = 60 } = code;
    const now = Math.floor(Date.now() / 1000);
    const idToken = await new SignJWT({ nonce: asked.get('nonce'), iss: issuer, aud: 'kebab', ...user, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'k' })
      .setIssuedAt(now + Math.min(0, expiresIn - 60))
      .setExpirationTime(now + expiresIn)
      .sign(foreignKey ? foreign.privateKey : own.privateKey);
    return [200, { access_token: 'unused', token_type: 'Bearer', id_token: idToken }];
  };
  const server = createServer((request, response) => {
    const answer = async (): Promise<readonly [number, object]> => {
      if (request.url === '/token') return exchanged(new URLSearchParams(await bodyOf(request)));
      if (request.url === '/keys') return [200, { keys: [jwk] }];
      const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` };
      return [200, { issuer, jwks_uri: `${issuer}/keys`, ...endpoints }];
    };
    void answer().then(([status, body]) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    login: (address, user, misbehaviour = {}) => {
      const asked = new URL(address).searchParams;
      const code = randomUUID();
      codes.set(code, { asked, user, ...misbehaviour });
      return new URLSearchParams({ code, state: asked.get('state') ?? '' });
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += String(part);
  return text;
}
