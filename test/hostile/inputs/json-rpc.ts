import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Area, Outcome } from '../harness/area.ts';
import { McpServer } from '../harness/mcp-server.ts';
import { endTree, stackTraceIn } from '../harness/watched-process.ts';
import { inKnowledgeBase, LEXICAL } from './knowledge-base.ts';

const request = (members: object): string => JSON.stringify({ jsonrpc: '2.0', id: 'x', ...members });
const nested = (open: string, close: string): string => open.repeat(100_000) + close.repeat(100_000);

/** Messages sent as a line on the pipe, or as the body of a request. */
const MESSAGES: Readonly<Record<string, string | Uint8Array>> = {
  'nothing': '',
  'white space': '   \t  ',
  'no JSON': 'hello',
  'half a message': '{"jsonrpc":"2.0","id":1,"method":"pi',
  'two messages on a line': `${request({ method: 'ping' })}${request({ method: 'ping' })}`,
  'a batch': `[${request({ method: 'ping' })}]`,
  'an empty batch': '[]',
  'a number': '1',
  'a text': '"ping"',
  'null': 'null',
  'no version': '{"id":"x","method":"ping"}',
  'version 1': '{"jsonrpc":"1.0","id":"x","method":"ping"}',
  'an id that is an object': request({ id: {}, method: 'ping' }),
  'an id that is null': request({ id: null, method: 'ping' }),
  'an id that is a fraction': request({ id: 1.5, method: 'ping' }),
  'an id of 1e999': '{"jsonrpc":"2.0","id":1e999,"method":"ping"}',
  'an id of a megabyte': request({ id: 'x'.repeat(1_000_000), method: 'ping' }),
  'no method': request({}),
  'a method that is a number': request({ method: 7 }),
  'a method that is not there': request({ method: 'shutdown' }),
  'a method of the prototype': request({ method: '__proto__' }),
  'a method named constructor': request({ method: 'constructor' }),
  'a method of a megabyte': request({ method: 'x'.repeat(1_000_000) }),
  'parameters that are a list': request({ method: 'tools/call', params: [] }),
  'parameters that are a text': request({ method: 'tools/call', params: 'search' }),
  'no tool': request({ method: 'tools/call', params: {} }),
  'a tool that is an object': request({ method: 'tools/call', params: { name: {} } }),
  'arguments with a prototype': '{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"search","arguments":{"__proto__":{"query":"x"}}}}',
  'the same member twice': '{"jsonrpc":"2.0","id":"x","id":"y","method":"ping","method":"tools/list"}',
  'nested lists': nested('[', ']'),
  'nested objects': '{"a":'.repeat(100_000),
  'nested parameters': `{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"search","arguments":{"query":${nested('[', ']')}}}}`,
  'bytes that are no UTF-8': Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0xc3, 0x28, 0x22, 0x7d),
  'a NUL': '\0\0\0',
  'a BOM': `\uFEFF${request({ method: 'ping' })}`,
  'a line separator': `{"jsonrpc":"2.0","id":"x","method":"ping","params":{"a":"\u2028"}}`,
  'carriage returns': '\r\r\r',
  'a message of 33 MB': request({ method: 'x'.repeat(33 * 2 ** 20) }),
  'a response to nothing': '{"jsonrpc":"2.0","id":"x","result":{}}',
  'an error to nothing': '{"jsonrpc":"2.0","id":"x","error":{"code":1,"message":"x"}}',
  'a notification that is not there': '{"jsonrpc":"2.0","method":"notifications/nothing"}',
  'a cancellation of nothing': '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"nothing"}}',
  'a cancellation without parameters': '{"jsonrpc":"2.0","method":"notifications/cancelled"}',
  'a cancellation of an object': '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}',
  'a second initialize': request({ method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: {} } }),
  'an initialize of nothing': request({ method: 'initialize' }),
  'a revision of the future': request({ method: 'initialize', params: { protocolVersion: '9999-99-99', capabilities: {}, clientInfo: { name: 'x', version: '1' } } }),
  'a stateless request with a strange meta': request({ method: 'tools/list', params: { _meta: { 'io.modelcontextprotocol/protocolVersion': 7 } } }),
  'a meta that is a list': request({ method: 'tools/list', params: { _meta: [] } }),
  'a progress token that is an object': request({ method: 'tools/call', params: { name: 'schema', arguments: {}, _meta: { progressToken: {} } } }),
  'a cursor of a list of tools': request({ method: 'tools/list', params: { cursor: 'x'.repeat(10_000) } }),
  'a cursor of resources': request({ method: 'resources/list', params: { cursor: '../../x' } }),
  'a resource of the system': request({ method: 'resources/read', params: { uri: 'file:///etc/passwd' } }),
  'a resource upwards': request({ method: 'resources/read', params: { uri: 'kebab://doc/../../../etc/passwd' } }),
  'a resource that is no address': request({ method: 'resources/read', params: { uri: '\0' } }),
  'a resource without an address': request({ method: 'resources/read' }),
  'a prompt that is not there': request({ method: 'prompts/get', params: { name: '__proto__' } }),
  'a prompt with an object': request({ method: 'prompts/get', params: { name: 'ask_kb', arguments: { question: {} } } }),
  'a completion of nothing': request({ method: 'completion/complete', params: {} }),
  'a completion with a glob': request({ method: 'completion/complete', params: { ref: { type: 'ref/resource', uri: 'kebab://doc/{id}' }, argument: { name: 'id', value: '%_*\0' } } }),
  'a subscription': request({ method: 'resources/subscribe', params: { uri: 'kebab://doc/x' } }),
  'a level of logging': request({ method: 'logging/setLevel', params: { level: 'x' } }),
  'ten thousand pings': Array.from({ length: 10_000 }, (_, id) => request({ id, method: 'ping' })).join('\n'),
  'a thousand searches': Array.from({ length: 1000 }, (_, id) => request({ id: `s${id}`, method: 'tools/call', params: { name: 'search', arguments: { query: 'wombat', k: 1 } } })).join('\n'),
  'the same id twice at once': [1, 2].map(() => request({ id: 'same', method: 'tools/call', params: { name: 'search', arguments: { query: 'wombat' } } })).join('\n'),
}; // prettier-ignore

const OVER_PIPE: Area = {
  name: 'JSON-RPC over a pipe',
  replay: (bench) =>
    inKnowledgeBase(bench, async function* (home): AsyncGenerator<Outcome> {
      const server = new McpServer(bench.cli, home, LEXICAL);
      try {
        for (const [name, bytes] of bench.pick(Object.entries(MESSAGES)))
          yield { name, problem: await server.survives(bytes) };
      } finally {
        server.close();
      }
    }),
};

const TOKEN = 'a-token-of-the-replay';
const BODY = request({ method: 'ping' });

/** A request on the wire, without its content length. */
interface Wire {
  readonly start?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: string | Uint8Array;
  /** Sent verbatim, instead of everything else. */
  readonly raw?: string;
  /** The accepted statuses. Without them, any response or a closed connection is accepted. */
  readonly statuses?: readonly number[];
}

const REFUSED = [400, 401, 403, 404, 405, 413, 415];

const REQUESTS: Readonly<Record<string, Wire>> = {
  ...Object.fromEntries(Object.entries(MESSAGES).slice(0, -3).map(([name, body]) => [`a body: ${name}`, { body }])),
  ...Object.fromEntries(
    ['evil.example', 'evil.example:PORT', '127.0.0.1.evil.example:PORT', 'localhost.evil.example:PORT', '127.0.0.1:1', '0.0.0.0:PORT', '', '[::]:PORT', '127.0.0.1:PORT@evil.example', 'localhost:PORT,evil.example']
      .map((host) => [`Host: ${host}`, { headers: { host }, statuses: REFUSED }]),
  ),
  ...Object.fromEntries(
    ['http://evil.example', 'https://127.0.0.1:PORT', 'null', 'file://', 'http://127.0.0.1:1', 'http://localhost.evil.example:PORT', 'http://127.0.0.1:PORT.evil.example', 'chrome-extension://x', 'HTTP://evil.example:PORT/x']
      .map((origin) => [`Origin: ${origin}`, { headers: { origin }, statuses: REFUSED }]),
  ),
  ...Object.fromEntries(
    [null, 'Bearer', 'Bearer x', `bearer-${TOKEN}`, `Basic ${TOKEN}`, `Bearer ${TOKEN}x`, `Bearer\t${TOKEN}`, `Bearer ${TOKEN.slice(0, -1)}`]
      .map((authorization) => [`Authorization: ${String(authorization)}`, { headers: { authorization }, statuses: REFUSED }]),
  ),
  ...Object.fromEntries(
    ['GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'].map((method) => [method, { start: `${method} /mcp HTTP/1.1`, body: '', statuses: REFUSED }]),
  ),
  ...Object.fromEntries(
    ['/', '/mcp/../etc/passwd', '//mcp', '/mcp%00', '/MCP', 'http://evil.example/mcp', '/%6dcp', `/${'a'.repeat(9000)}`].map((path) => [`the path ${path.slice(0, 40)}`, { start: `POST ${path} HTTP/1.1`, statuses: [...REFUSED, 431] }]),
  ),
  ...Object.fromEntries(
    ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonp', ''].map((type) => [`Content-Type: ${type}`, { headers: { 'content-type': type }, statuses: REFUSED }]),
  ),
  'a revision that is none': { headers: { 'mcp-protocol-version': '\u00ff' } },
  'a session of a megabyte': { headers: { 'mcp-session-id': 'x'.repeat(1_000_000) } },
  'ten thousand headers': { headers: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`x-${i}`, 'y'])) },
  'a length that is a word': { raw: 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: many\r\n\r\n' },
  'two lengths': { raw: 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\n{}' },
  'a length and chunks': { raw: 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n' },
  'a chunk without end': { raw: 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx' },
  'two hosts': { raw: 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nHost: evil.example\r\n\r\n' },
  'no host': { raw: 'POST /mcp HTTP/1.1\r\n\r\n' },
  'HTTP/0.9': { raw: 'GET /mcp\r\n\r\n' },
  'HTTP/2': { raw: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' },
  'TLS': { raw: '\u0016\u0003\u0001\u0002\u0000\u0001\u0000' },
  'rubbish': { raw: `${'\u00ff\u0000'.repeat(5000)}\r\n\r\n` },
  'half a request, then nothing': { raw: 'POST /mcp HTTP/1.1\r\nHost: 127' },
  'half a body, then nothing': { raw: 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nAuthorization: Bearer TOKEN\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{' },
}; // prettier-ignore

const OVER_HTTP: Area = {
  name: 'JSON-RPC over HTTP',
  replay: (bench) =>
    inKnowledgeBase(bench, async function* (home): AsyncGenerator<Outcome> {
      const env = { ...LEXICAL, KEBAB_MCP_TOKEN: TOKEN };
      const child = bench.cli.start(['mcp', '--port', '0'], { home, env });
      let stderr = '';
      child.stderr.on('data', (part: Buffer) => (stderr += part.toString('utf8')));
      const ended = once(child, 'close').then(() => true);
      try {
        const port = await portSaidOn(() => stderr);
        for (const [name, wire] of bench.pick(Object.entries(REQUESTS))) {
          const problem = problemOfReply(wire, await exchange(port, wire));
          const [next] = await exchange(port, {});
          const alive = next === 200 ? null : `the next request is answered with ${String(next)}`;
          const died = (await Promise.race([ended, Promise.resolve(false)])) ? 'the server died' : null;
          yield { name, problem: died ?? problem ?? alive ?? stackTraceIn(stderr) };
        }
      } finally {
        endTree(child.pid);
      }
    }),
};

async function portSaidOn(said: () => string): Promise<number> {
  for (let waited = 0; waited < 200; waited++) {
    const port = /127\.0\.0\.1:(\d+)/.exec(said())?.[1];
    if (port !== undefined) return Number(port);
    await delay(50);
  }
  throw new Error(`the server names no port: ${said()}`);
}

/** The status (null when the connection was closed or timed out) and the body. */
type Reply = readonly [status: number | null, text: string];

function problemOfReply({ statuses }: Wire, [status, text]: Reply): string | null {
  if (status !== null && status >= 500) return `status ${status}: ${text.slice(0, 200)}`;
  if (statuses !== undefined && status !== null && !statuses.includes(status)) return `status ${status}`;
  if (text.includes('-32603')) return text.slice(0, 300);
  return stackTraceIn(text);
}

const PATIENCE_MS = 8000;
const SILENCE_MS = 400;

/** Sends one request on its own connection. */
async function exchange(port: number, wire: Wire): Promise<Reply> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (part: Buffer) => (text += part.toString('latin1')));
  socket.on('error', () => undefined); // a connection closed by the server counts as an answer
  const over = new AbortController();
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(bytesOf(wire, port));
  const silence = wire.raw === undefined ? PATIENCE_MS : SILENCE_MS;
  const late = delay(silence, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([closed, late]);
  over.abort();
  socket.destroy();
  const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
  return [status === undefined ? null : Number(status), text];
}

function bytesOf({ start = 'POST /mcp HTTP/1.1', headers, body = BODY, raw }: Wire, port: number): Buffer {
  const filled = (text: string): string => text.replaceAll('PORT', String(port)).replaceAll('TOKEN', TOKEN);
  if (raw !== undefined) return Buffer.from(filled(raw), 'latin1');
  const content = Buffer.from(body);
  const all = {
    host: `127.0.0.1:${port}`,
    authorization: `Bearer ${TOKEN}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    connection: 'close',
    'content-length': String(content.length),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${filled(value)}`]));
  return Buffer.concat([Buffer.from(`${start}\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1'), content]);
}

/** Messages to `kebab mcp`, on both transports. */
export const JSON_RPC_AREAS: readonly Area[] = [OVER_PIPE, OVER_HTTP];
