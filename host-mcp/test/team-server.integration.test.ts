import { readFileSync, rmSync } from 'node:fs';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { servePort, type HttpServer } from '../src/index.ts';
import { DOCUMENTS, teamHome } from './team-home.ts';

const RULES = [
  { path: 'hr/**', readers: ['group:hr'] },
  { source: 'default', readers: ['everyone'] },
  { source: 'team', readers: ['user:zoë', 'group:crew'] },
];

let issuer: string;
let issuing: Server;
let key: CryptoKey;
let home: Awaited<ReturnType<typeof teamHome>>;
let server: HttpServer;
let alone: HttpServer;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  const pair = await generateKeyPair('RS256', { extractable: true });
  key = pair.privateKey;
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'RS256' };
  issuing = createServer(({ url = '' }, response) =>
    response.end(JSON.stringify(url.includes('well-known') ? { issuer, jwks_uri: `${issuer}/keys` } : { keys: [jwk] })),
  );
  await new Promise<void>((resolve) => issuing.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(issuing.address() as AddressInfo).port}`;
  const access = `[access]\nissuer = "${issuer}"\naudience = "kebab"\npublic_url = "https://kb.example.org"\nrequests_per_minute = 100000\n`;
  home = await teamHome(DOCUMENTS, RULES, access);
  const create = async (name: string, scopes: string[], principals: string[] = []): Promise<void> => {
    const { token = '' } = await home.app.tokens({ kind: 'create', name, scopes, principals });
    tokens[name] = token;
  };
  await create('reader', ['read']);
  await create('hr', ['read', 'ask'], ['group:hr', 'user:ann']);
  await create('crew', ['read', 'ask'], ['group:crew']);
  await create('root', ['admin']);
  const options = { open: () => home.openAgain(), cwd: home.folder, readonly: false };
  server = await servePort({ ...options, port: 0, token: 'the-own-token' });
  alone = await servePort({ ...options, port: 0, token: null });
});
afterAll(async () => {
  await Promise.all([server.close(), alone.close()]);
  await home.close();
  issuing.close();
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

function send(
  path: string,
  {
    method = 'GET',
    headers = {},
    body = '',
    of = server,
  }: { method?: string; headers?: Record<string, string | string[]>; body?: string; of?: HttpServer } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port: of.port, path, method, headers });
    request.on('error', reject).on('response', (response) => {
      let text = '';
      response
        .setEncoding('utf8')
        .on('data', (part: string) => (text += part))
        .on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    request.end(body);
  });
}

/** The members of results that these tests read. */
interface Result {
  readonly isError?: boolean;
  readonly content?: unknown;
  readonly structuredContent?: { readonly docs: readonly { readonly source_id: string; readonly doc_path: string }[] };
  readonly completion?: { readonly values: readonly string[] };
  readonly tools?: readonly { readonly name: string }[];
}

/** Calls a method of MCP with a bearer token. */
async function call(
  token: string | null,
  method: string,
  params: object = {},
  more: Record<string, string> = {},
  of = server,
) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...more,
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await send('/mcp', { method: 'POST', headers, body, of });
  const json = JSON.parse(answer.body) as { result?: Result; error?: { message: string } };
  return { ...answer, result: json.result ?? {}, error: json.error };
}

const tool = (token: string | null, name: string, args: object = {}) =>
  call(token, 'tools/call', { name, arguments: args });
const paths = async (token: string) => {
  const { result } = await tool(token, 'list_docs', { limit: 100, detail: 'full' });
  return (result.structuredContent?.docs ?? []).map(({ source_id: source, doc_path: place }) => `${source}:${place}`);
};
const signed = (claims: object, { sub = 'zoë', audience = 'kebab' } = {}) =>
  new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'k' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject(sub)
    .setExpirationTime('5m')
    .sign(key);

describe('a server with rules and tokens', () => {
  it('shows everyone what they may read, and the administrator and the own token everything', async () => {
    const indexed = DOCUMENTS.filter(({ path: place }) => !place.endsWith('.xyz')).length;
    expect((await paths(tokens['reader'] ?? '')).filter((place) => /hr\/|team:/.test(place))).toEqual([]);
    expect((await paths(tokens['hr'] ?? '')).filter((place) => place.includes('hr/'))).toHaveLength(2);
    expect((await paths(tokens['crew'] ?? '')).filter((place) => place.startsWith('team:'))).toHaveLength(4);
    expect(await paths(tokens['root'] ?? '')).toHaveLength(indexed);
    expect(await paths('the-own-token')).toHaveLength(indexed);
  });

  it('lists documents as agents ask for them, with what is not indexed', async () => {
    const brief = async (token: string) => JSON.stringify((await tool(token, 'list_docs')).result);
    expect(await brief(tokens['reader'] ?? '')).toContain('handbook.md');
    expect(await brief(tokens['reader'] ?? '')).not.toMatch(/quokka|wages|isError/);
    expect(await brief(tokens['hr'] ?? '')).toMatch(/quokka\.xyz/);
  });

  it('answers a reader with every tool that it offers', async () => {
    const uri = 'handbook.md';
    const args: Record<string, object> = {
      search: { query: 'dawn' },
      bulk_search: { queries: [{ query: 'dawn' }] },
      grep: { pattern: 'dawn' },
      fetch: { uri },
      symbol: { name: 'caulk' },
      list_docs: {},
      schema: {},
      verify_citation: { uri, content_hash: '0'.repeat(16) },
      related: { uri },
    };
    for (const [name, given] of Object.entries(args)) {
      const { status, result } = await tool(tokens['reader'] ?? '', name, given);
      const error = result.isError === true ? result.content : null;
      expect({ name, status, error }).toEqual({ name, status: 200, error: null });
      expect(JSON.stringify(result)).not.toMatch(/zloty|quokka|Vltava|hr\/|team:/);
    }
  });

  it('shows the holder of an access token what their user and groups may read', async () => {
    expect(await paths(await signed({}))).toContain('team:plan.md');
    expect(await paths(await signed({ groups: ['hr'] }, { sub: 'ann' }))).toContain('default:hr/wages.md');
    expect(await paths(await signed({ groups: ['HR'] }, { sub: 'ann' }))).not.toContain('default:hr/wages.md');
  });

  it('offers as resources and completions only what may be read', async () => {
    const listed = JSON.stringify((await call(tokens['reader'] ?? '', 'resources/list')).result);
    expect(listed).toContain('handbook.md');
    expect(listed).not.toMatch(/wages|plan\.md/);
    const typed = { ref: { type: 'ref/prompt', name: 'explain_miss' }, argument: { name: 'expected', value: 'wag' } };
    expect((await call(tokens['reader'] ?? '', 'completion/complete', typed)).result.completion?.values).toEqual([]);
    expect((await call(tokens['hr'] ?? '', 'completion/complete', typed)).result.completion?.values).toEqual([
      'hr/wages.md',
    ]);
  });

  it('lists only the tools that a token allows, and answers 403 for any other', async () => {
    const names = async (token: string) =>
      ((await call(token, 'tools/list')).result.tools ?? []).map(({ name }) => name);
    expect(await names(tokens['reader'] ?? '')).toEqual([
      'search',
      'bulk_search',
      'grep',
      'fetch',
      'symbol',
      'list_docs',
      'schema',
      'verify_citation',
      'related',
    ]);
    expect(await names(tokens['root'] ?? '')).toHaveLength(13);
    const refused = await tool(tokens['reader'] ?? '', 'ask', { question: 'who rows?' });
    expect(refused).toMatchObject({ status: 403, error: { message: expect.stringContaining('scope ask') } });
    expect(refused.headers['www-authenticate']).toContain('error="insufficient_scope", scope="kebab:ask"');
    for (const name of ['doctor', 'ingest_file', 'ingest_stdin'])
      expect((await tool(tokens['hr'] ?? '', name)).status).toBe(403);
    expect((await tool(await signed({ scope: 'kebab:ask' }), 'search', { query: 'dawn' })).status).toBe(403);
  });

  it('records what it refuses with 403 as well', async () => {
    const recorded = await teamHome(DOCUMENTS, [], '[access]\naudit = true\n');
    const { token = '' } = await recorded.app.tokens({ kind: 'create', name: 'few', scopes: ['ask'], principals: [] });
    const open = () => recorded.openAgain();
    const of = await servePort({ open, cwd: recorded.folder, readonly: false, port: 0, token: null });
    const refused: readonly [string, object, string][] = [
      ['tools/call', { name: 'ingest_stdin' }, 'ingest-stdin'],
      ['tools/call', { name: 'doctor' }, 'doctor'],
      ['tools/call', { name: 'no_such_tool' }, 'search'],
      ['resources/list', {}, 'fetch'],
    ];
    for (const [method, params] of refused) expect((await call(token, method, params, {}, of)).status).toBe(403);
    await of.close();
    await recorded.close(false);
    const log = readFileSync(join(recorded.folder, 'data/kebab/audit/audit-2026-03-04.jsonl'), 'utf8');
    rmSync(recorded.folder, { recursive: true });
    expect(
      log
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toMatchObject(refused.map(([, , operation]) => ({ caller: 'token:few', operation, error: 'invalid_input' })));
  });

  it.each<[string, () => Promise<string | null> | string | null]>([
    ['no token', () => null],
    ['an unknown token', () => `kebab_${'A'.repeat(43)}`],
    ['a token for another audience', () => signed({}, { audience: 'wiki' })],
    ['a part of the own token', () => 'the-own-toke'],
    [
      'an unsigned token',
      () =>
        `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify({ iss: issuer, aud: 'kebab', sub: 'root', exp: 9e9 })).toString('base64url')}.`,
    ],
  ])('refuses %s, and says where tokens come from', async (_what, token) => {
    const answer = await call(await token(), 'tools/list');
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toContain(
      'resource_metadata="https://kb.example.org/.well-known/oauth-protected-resource"',
    );
  });

  it('is asked for tokens even without one of its own, as there are rules', async () => {
    expect((await send('/mcp', { method: 'POST', of: alone })).status).toBe(401);
  });

  it('refuses two Authorization headers, whichever comes first', async () => {
    const headers = { 'content-type': 'application/json', authorization: [`Bearer ${tokens['root']}`, 'Bearer x'] };
    expect((await send('/mcp', { method: 'POST', headers, body: '{}' })).status).toBe(400);
  });

  it('refuses a revoked token at once', async () => {
    const { token = '' } = await home.app.tokens({ kind: 'create', name: 'brief', scopes: ['read'], principals: [] });
    expect((await call(token, 'ping')).status).toBe(200);
    await home.app.tokens({ kind: 'revoke', name: 'brief' });
    expect((await call(token, 'ping')).status).toBe(401);
  });

  it('is told after how many seconds it may send again, when it has sent too many requests', async () => {
    const limited = await teamHome(DOCUMENTS, [], '[access]\nrequests_per_minute = 1\n');
    const { token = '' } = await limited.app.tokens({
      kind: 'create',
      name: 'often',
      scopes: ['admin'],
      principals: [],
    });
    const open = () => limited.openAgain();
    const of = await servePort({ open, cwd: limited.folder, readonly: true, port: 0, token: null });
    const ask = () => send('/metrics', { of, headers: { authorization: `Bearer ${token}` } });
    await ask();
    expect(await ask()).toMatchObject({
      status: 429,
      headers: { 'retry-after': '53' },
      body: '{"message":"this token has sent too many requests: send the next in 53 s"}\n',
    });
    await of.close();
    await limited.close();
  });

  it('accepts its public address as Host and Origin, and no other', async () => {
    const at = async (host: string, origin?: string) =>
      (await call(tokens['reader'] ?? '', 'ping', {}, { host, ...(origin === undefined ? {} : { origin }) })).status;
    expect(await at('kb.example.org', 'https://kb.example.org')).toBe(200);
    expect(await at('kb.example.org.evil.example')).toBe(403);
    expect(await at('kb.example.org', 'http://kb.example.org')).toBe(403);
    expect(await at('kb.example.org', 'https://evil.example')).toBe(403);
  });

  it('describes itself as a protected resource', async () => {
    const { status, body } = await send('/.well-known/oauth-protected-resource/mcp');
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ resource: 'https://kb.example.org/mcp', authorization_servers: [issuer] });
    const foreign = await send('/.well-known/oauth-protected-resource', { headers: { host: 'evil.example' } });
    expect(foreign.status).toBe(403);
  });
});

describe('a server that ends', () => {
  it('answers what is under way, and sends new requests elsewhere', async () => {
    const ending = await servePort({
      open: () => home.openAgain(),
      cwd: home.folder,
      readonly: false,
      port: 0,
      token: null,
    });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const head = [
      'POST /mcp HTTP/1.1',
      `Host: 127.0.0.1:${ending.port}`,
      `Authorization: Bearer ${tokens['reader']}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ].join('\r\n');
    const socket = connect(ending.port, '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8').on('data', (part: string) => (received += part));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(`${head}\r\n\r\n${body.slice(0, 5)}`);
    await vi.waitFor(async () =>
      expect(
        (await send('/metrics', { of: ending, headers: { authorization: `Bearer ${tokens['root']}` } })).body,
      ).toMatch(/requests_running\{server="mcp"\} 2/),
    );
    const ended = ending.close();
    socket.write(`${body.slice(5)}${head}\r\n\r\n${body}`);
    await Promise.all([ended, closed]);
    expect(received).toMatch(/^HTTP\/1\.1 200 [\s\S]*"result":\{/);
    expect(received).not.toMatch(/200 OK[\s\S]*200 OK/);
    // Reset where the client still has a connection of before.
    const refused = { code: expect.stringMatching(/^ECONN(?:REFUSED|RESET)$/) };
    await expect(send('/healthz', { of: ending })).rejects.toMatchObject(refused);
  });
});

describe('the probes of a server', () => {
  it('say that it is up and ready, to anyone and at any address', async () => {
    const headers = { host: '10.0.0.7:8765' };
    expect(await send('/healthz', { headers })).toMatchObject({ status: 200, body: '{"status":"up"}\n' });
    expect(await send('/readyz', { headers })).toMatchObject({ status: 200, body: '{"status":"ready"}\n' });
    expect((await send('/healthz', { method: 'POST', headers })).status).toBe(403);
  });

  it('count requests for an administrator only', async () => {
    const scrape = (token: string) => send('/metrics', { headers: { authorization: `Bearer ${token}` } });
    expect((await send('/metrics')).status).toBe(401);
    expect((await scrape(tokens['reader'] ?? '')).status).toBe(403);
    const { status, body, headers } = await scrape(tokens['root'] ?? '');
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('text/plain');
    expect(body).toMatch(/kebab_http_request_seconds_count\{server="mcp",status="200"\} \d+/);
    expect(body).toMatch(/kebab_corpus_revision [1-9]/);
  });

  it('are not ready without an index, and say why', async () => {
    const empty = await teamHome([], [], '');
    const open = () => Promise.reject(Object.assign(new Error('gone'), { code: 'EIO', syscall: 'open' }));
    const broken = await servePort({ open, cwd: empty.folder, readonly: true, port: 0, token: null });
    expect(await send('/readyz', { of: broken })).toMatchObject({
      status: 503,
      body: expect.stringContaining('"reason"'),
    });
    expect((await send('/healthz', { of: broken })).status).toBe(200);
    await broken.close();
    await empty.close();
  });
});
