import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HttpServer } from '../../src/transport/serve-http.ts';
import { serveFake } from '../fakes/serve-fake.ts';
import { STATELESS_META } from '../fakes/connection.ts';
import { fakeSurface } from '../fakes/fake-surface.ts';

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
let server: HttpServer;
let guarded: HttpServer;

beforeAll(async () => {
  server = await serveFake(fakeSurface());
  guarded = await serveFake(fakeSurface(), { token: 'secret' });
});
afterAll(() => Promise.all([server.close(), guarded.close()]));

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Unlike `fetch`, this can send any `Host` and `Origin`. */
function send(
  body: string,
  headers: Readonly<Record<string, string>> = {},
  { port = server.port, method = 'POST', path = '/mcp' } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, method, path, headers: { ...JSON_HEADERS, ...headers } });
    request.on('error', reject).on('response', (response) => {
      const parts: string[] = [];
      response
        .setEncoding('utf8')
        .on('data', (part: string) => parts.push(part))
        .on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: parts.join('') }),
        );
    });
    request.end(body);
  });
}

const post = (message: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer> =>
  send(JSON.stringify(message), headers);

describe('an unavailable port', () => {
  it.each<[string, () => number, RegExp]>([
    ['is in use', () => server.port, /^port \d+ is in use: another program listens there$/],
    ['is above the last', () => 99_999, /^port 99999 does not exist: ports go from 0 to 65535$/],
    ['is below the first', () => -1, /^port -1 does not exist/],
  ])('that %s is reported in a sentence with a remedy', async (_what, port, message) => {
    const error = await serveFake(fakeSurface(), { port: port() }).catch((reason) => reason);
    expect(error).toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(message),
      hint: expect.stringContaining('kebab mcp --port 0'),
      details: { field: 'port' },
    });
  });
});

describe('slow clients', () => {
  it('are disconnected, in the headers and in the body, while others are served', { timeout: 30_000 }, async () => {
    const limits = { headersTimeout: 1500, requestTimeout: 2000, connectionsCheckingInterval: 100 };
    const patient = await serveFake(fakeSurface(), { limits });
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${patient.port}\r\n`;
    const whole = `${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`;
    const closed = Array.from({ length: 400 }, (_, n) => {
      const socket = connect(patient.port, '127.0.0.1');
      socket.on('error', () => undefined).resume();
      socket.write(n % 2 === 0 ? head : whole);
      return new Promise((resolve) => socket.once('close', resolve));
    });
    const answer = await send(JSON.stringify(PING), {}, { port: patient.port });
    expect(answer.status).toBe(200);
    await Promise.all(closed);
    await patient.close();
  });

  it('cannot occupy more memory than four whole messages together', { timeout: 30_000 }, async () => {
    const own = await serveFake(fakeSurface());
    const half = Buffer.alloc(31 * 1024 * 1024, ' ');
    const statuses: number[] = [];
    const sockets = Array.from({ length: 6 }, () => {
      const socket = connect(own.port, '127.0.0.1');
      socket.on('error', () => undefined).on('data', (data) => statuses.push(Number(data.toString().slice(9, 12))));
      socket.write(
        `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${own.port}\r\nContent-Type: application/json\r\nContent-Length: ${half.length + 1}\r\n\r\n`,
      );
      socket.write(half);
      return socket;
    });
    await expect.poll(() => statuses.length, { timeout: 20_000 }).toBeGreaterThan(0);
    expect(statuses.every((status) => status === 503)).toBe(true);
    for (const socket of sockets) socket.destroy();
    await own.close();
  });

  it('do not delay the shutdown of the server', { timeout: 30_000 }, async () => {
    const own = await serveFake(fakeSurface());
    const socket = connect(own.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${own.port}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
    );
    await new Promise((resolve) => socket.once('connect', resolve));
    await own.close();
    socket.destroy();
    await expect(send('{}', {}, { port: own.port })).rejects.toThrow('ECONNREFUSED');
  });
});

describe('access to the server', () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ['the Origin of a web page', { origin: 'https://evil.example' }],
    ['the Origin of another server on this machine', { origin: 'http://localhost:1' }],
    ['an opaque Origin', { origin: 'null' }],
    ['a Host name that resolves to this machine', { host: 'evil.example' }],
    ['a Host that only begins like ours', { host: '127.0.0.1.evil.example' }],
    ['a Host with another port', { host: '127.0.0.1:1' }],
  ])('with %s gets 403', async (_what, headers) => {
    expect((await post(PING, headers)).status).toBe(403);
  });

  it('is open to everyone on this machine without a token', async () => {
    for (const name of ['localhost', '127.0.0.1', '[::1]']) {
      const host = `${name}:${server.port}`;
      expect((await post(PING, { host, origin: `http://${host}` })).status).toBe(200);
    }
  });

  it('requires the token if there is one', async () => {
    const ask = (headers: Readonly<Record<string, string>>): Promise<Answer> =>
      send(JSON.stringify(PING), headers, { port: guarded.port });
    const refused = await ask({});
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect((await ask({ authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await ask({ authorization: 'secret' })).status).toBe(401);
    expect((await ask({ authorization: 'Bearer secret' })).status).toBe(200);
    expect((await ask({ authorization: 'bearer secret' })).status).toBe(200);
    // RFC 9110, 11.4: only spaces, one or more, separate scheme and credentials.
    expect((await ask({ authorization: 'Bearer  secret' })).status).toBe(200);
    expect((await ask({ authorization: 'Bearer\tsecret' })).status).toBe(401);
  });

  it('is impossible from another machine: only the loopback address listens', async () => {
    expect(server.url).toBe(`http://127.0.0.1:${server.port}/mcp`);
    const outcome = await new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.2', port: server.port });
      socket.once('connect', () => resolve('connected')).once('error', () => resolve('refused'));
      socket.once('close', () => socket.destroy());
    });
    expect(outcome).toBe('refused');
  });
});

describe('a request', () => {
  it.each<[string, () => Promise<Answer>, number, number]>([
    ['invalid JSON', () => send('{'), 400, -32700],
    ['a batch', () => post([PING]), 400, -32600],
    ['another path', () => send('{}', {}, { path: '/' }), 404, -32600],
    ['another method', () => send('', {}, { method: 'GET' }), 405, -32600],
    ['another content type', () => send('{}', { 'content-type': 'text/plain' }), 415, -32600],
    ['an unsupported revision', () => post(PING, { 'mcp-protocol-version': '1900-01-01' }), 400, -32022],
  ])('with %s gets the matching status', async (_what, ask, status, code) => {
    const answer = await ask();
    expect([answer.status, (JSON.parse(answer.body) as { error: { code: number } }).error.code]).toEqual([
      status,
      code,
    ]);
  });

  it('with a notification gets 202 and nothing else', async () => {
    expect(await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).toMatchObject({
      status: 202,
      body: '',
    });
  });

  it('with a message over 32 MiB is rejected, and the server keeps running', async () => {
    await send('x'.repeat(33 * 1024 * 1024)).then(
      ({ status }) => expect(status).toBe(413),
      (error: NodeJS.ErrnoException) => expect(['EPIPE', 'ECONNRESET']).toContain(error.code),
    );
    expect((await post(PING)).status).toBe(200);
  });
});

describe('the response to an older client', () => {
  const count = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'count', _meta: { progressToken: 'p' } },
  };

  it.each([
    ['progress is requested and a stream accepted', count, JSON_HEADERS.accept, 'text/event-stream'],
    ['progress is requested and no stream accepted', count, 'application/json', 'application/json'],
    ['no progress is requested', PING, JSON_HEADERS.accept, 'application/json'],
    ['nothing in particular is accepted', PING, '*/*', 'application/json'],
  ])('when %s is of the type it can read', async (_when, message, accept, type) => {
    const { status, headers, body } = await post(message, { accept });
    expect([status, headers['content-type'], body.includes('"progress":1')]).toEqual([
      200,
      type,
      type === 'text/event-stream',
    ]);
  });

  it('to `initialize` gives out an id, by which its calls can be cancelled', async () => {
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo };
    const { headers } = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const session = { 'mcp-session-id': String(headers['mcp-session-id']) };
    const call = (name: string): Promise<Answer> =>
      post({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name } }, session);
    const running = call('wait');
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } };
    await expect
      .poll(async () => {
        await post(cancel, { 'mcp-session-id': 'another' });
        await post(cancel, session);
        return Promise.race([running, new Promise((resolve) => setTimeout(resolve, 20))]);
      })
      .toMatchObject({ status: 202, body: '' });
    expect((await call('count')).status).toBe(200);
  });
});

describe('the headers of a stateless request', () => {
  const call = {
    jsonrpc: '2.0',
    id: 5,
    method: 'tools/call',
    params: { name: 'echo', arguments: {}, _meta: STATELESS_META },
  };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'echo' };

  it('must match the body', async () => {
    const answer = await post(call, headers);
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([
      200,
      { id: 5, result: { resultType: 'complete' } },
    ]);
  });

  it('may carry the name encoded', async () => {
    const encoded = `=?base64?${Buffer.from('echo').toString('base64')}?=`;
    expect((await post(call, { ...headers, 'mcp-name': encoded })).status).toBe(200);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['lack the revision', { 'mcp-method': 'tools/call', 'mcp-name': 'echo' }],
    ['name another revision', { ...headers, 'mcp-protocol-version': '2025-11-25' }],
    ['lack the method', { 'mcp-protocol-version': '2026-07-28', 'mcp-name': 'echo' }],
    ['name another method', { ...headers, 'mcp-method': 'TOOLS/CALL' }],
    ['lack the name', { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' }],
    ['name another tool', { ...headers, 'mcp-name': 'count' }],
  ])('get 400 when they %s', async (_what, wrong) => {
    const answer = await post(call, wrong);
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([400, { id: 5, error: { code: -32020 } }]);
  });

  it('lead to 404 for a method that no longer exists', async () => {
    const ping = { ...call, method: 'ping', params: { _meta: STATELESS_META } };
    expect((await post(ping, { ...headers, 'mcp-method': 'ping' })).status).toBe(404);
  });
});

describe('a client of the official SDK', () => {
  async function connected(): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
    return client;
  }

  it('gets progress before the result', async () => {
    const client = await connected();
    const seen: number[] = [];
    const result = await client.callTool({ name: 'count', arguments: {} }, undefined, {
      onprogress: ({ progress }) => seen.push(progress),
    });
    expect([seen, result.content]).toEqual([[1, 2], [{ type: 'text', text: 'counted' }]]);
    await client.close();
  });

  it('can cancel a call, after which nothing keeps running', async () => {
    const client = await connected();
    const cancel = new AbortController();
    const running = client.callTool({ name: 'wait', arguments: {} }, undefined, { signal: cancel.signal });
    setTimeout(() => cancel.abort('enough'), 20);
    await expect(running).rejects.toThrow('enough');
    expect((await client.callTool({ name: 'echo', arguments: { a: 1 } })).structuredContent).toEqual({ a: 1 });
    await client.close();
  });

  it('is one of twenty concurrent ones, each of which gets all its responses in order', async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, connected));
    const heard = await Promise.all(
      clients.map(async (client, who) => {
        const answers: unknown[] = [];
        for (let turn = 0; turn < 10; turn++) {
          const { structuredContent } = await client.callTool({ name: 'echo', arguments: { who, turn } });
          answers.push(structuredContent);
        }
        return answers;
      }),
    );
    expect(heard).toEqual(clients.map((_, who) => Array.from({ length: 10 }, (__, turn) => ({ who, turn }))));
    await Promise.all(clients.map((client) => client.close()));
  }, 20_000);
});

describe('a client that disappears', () => {
  it('cancels its call, and the server keeps running', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait' } });
    const request = httpRequest({
      host: '127.0.0.1',
      port: server.port,
      method: 'POST',
      path: '/mcp',
      headers: JSON_HEADERS,
    });
    request.on('error', () => undefined).end(body);
    await new Promise((resolve) => setTimeout(resolve, 50));
    request.destroy();
    expect((await post(PING)).status).toBe(200);
  });
});
