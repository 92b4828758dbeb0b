import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../src/protocol/surface.ts';
import { kebabSurface } from '../src/kebab-surface.ts';
import type { HttpServer } from '../src/transport/serve-http.ts';
import { serveFake } from './fakes/serve-fake.ts';
import { serveStdio } from '../src/transport/serve-stdio.ts';
import { call } from './fakes/call.ts';
import { STATELESS_META, type ReceivedNotification } from './fakes/connection.ts';
import { EndlessModel } from './fakes/endless-model.ts';
import { pluginWith } from './fakes/scripted-plugin.ts';
import { stuckExtractor } from './fakes/stuck-extractor.ts';
import { indexedHome, type TestHome } from './fakes/test-home.ts';

const ASK: JsonObject = { name: 'ask', arguments: { query: 'At how many degrees is tea steeped?', mode: 'lexical' } };
const INGEST: JsonObject = { name: 'ingest_file', arguments: { path: 'stuck.txt' } };
const QUERIES = Array.from({ length: 100 }, (_, n) => ({ query: `tea ${n}`, mode: 'lexical' }));
const BULK: JsonObject = { name: 'bulk_search', arguments: { queries: QUERIES } };
const ERAS: readonly (readonly [string, JsonObject])[] = [
  ['2025-11-25', {}],
  ['2026-07-28', STATELESS_META],
];

const homes: TestHome[] = [];
const servers: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((each) => each.close()));
  await Promise.all(homes.splice(0).map((each) => each.close()));
});

/**
 * A home whose model never stops writing, and in which reading a text file never ends. Its folders are neither watched nor checked before a
 * search, because reading the file would then hold the writer's lock regardless of the calls.
 */
async function endlessHome(): Promise<{ readonly home: TestHome; readonly model: EndlessModel }> {
  const model = new EndlessModel();
  const home = await indexedHome({
    plugins: [pluginWith('llm', 'scripted', model), pluginWith('extractor', 'stuck', stuckExtractor())],
    env: {
      KEBAB_MODELS_LLM_PROVIDER: 'scripted',
      KEBAB_MODELS_EMBEDDING_PROVIDER: 'none',
      KEBAB_INDEXING_WATCH_FILESYSTEM: 'false',
      KEBAB_SEARCH_REFRESH: 'off',
    },
  });
  homes.push(home);
  home.write('notes/stuck.txt', 'Read for ever.\n');
  return { home, model };
}

/** A request as sent over the wire, with a progress token. */
function message(params: JsonObject, meta: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { ...params, _meta: { ...meta, progressToken: 'p' } } };
}

const CANCEL = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7, reason: 'enough' } };

describe.each(ERAS)('a call of %s that is cancelled, twice,', (_revision, meta) => {
  it.each([
    ['ask', ASK],
    ['ingest_file', INGEST],
    ['bulk_search', BULK],
  ])('ends without a result: %s', async (_name, params) => {
    const { home, model } = await endlessHome();
    const connection = home.connection();
    const heard: ReceivedNotification[] = [];
    let heardWhenCancelled = 0;
    const response = await connection.request(message(params, meta), (notification) => {
      heard.push(notification);
      if (heard.length > 1) return;
      setImmediate(() => {
        heardWhenCancelled = heard.length;
        void connection.cancel(7);
        void connection.cancel(7);
      });
    });
    expect(response).toBeNull();
    await expect.poll(() => model.running).toBe(0);
    expect(heardWhenCancelled).toBeGreaterThan(0);
    expect(heard).toHaveLength(heardWhenCancelled); // no progress either
    expect(heard.length).toBeLessThan(QUERIES.length);
    const after = await call(connection, 'ingest_stdin', { content: 'Coffee is roasted.', title: 'Coffee' });
    expect(after).toMatchObject({ structuredContent: { new: 1, errors: 0 } }); // no lock is left
  });

  it('reports its progress only on request', async () => {
    const { home } = await endlessHome();
    const connection = home.connection();
    for (const params of [ASK, INGEST]) {
      const heard: ReceivedNotification[] = [];
      const running = connection.request(
        { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { ...params, _meta: meta } },
        (notification) => heard.push(notification),
      );
      await new Promise((resolve) => setTimeout(resolve, 100));
      await connection.cancel(7);
      expect([await running, heard]).toEqual([null, []]);
    }
  });

  it('reports the progress of an ask', async () => {
    const { home } = await endlessHome();
    const connection = home.connection();
    const heard: ReceivedNotification['params'][] = [];
    await connection.request(message(ASK, meta), ({ params }) => {
      heard.push(params);
      if (heard.length === 4) void connection.cancel(7);
    });
    expect(heard).toEqual([
      { progressToken: 'p', progress: 1, message: expect.stringMatching(/^\d+ passages found$/) as string },
      { progressToken: 'p', progress: 2, message: expect.stringMatching(/^waiting for \S+$/) as string },
      { progressToken: 'p', progress: 3, message: 'writing' },
      { progressToken: 'p', progress: 4, message: 'writing' },
    ]);
  });
});

describe('over HTTP', () => {
  async function served(): Promise<{ readonly url: string; readonly model: EndlessModel }> {
    const { home, model } = await endlessHome();
    const server = await serveFake(kebabSurface(home.live()));
    servers.push(server);
    return { url: server.url, model };
  }

  const common = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

  it.each([
    ['2025-11-25', {}, {}],
    [...(ERAS[1] ?? []), { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'ask' }],
  ] as const)('the call of a client of %s that disappears in the middle of a stream is cancelled', async (...row) => {
    const [, meta, headers] = row as readonly [string, JsonObject, Readonly<Record<string, string>>];
    const { url, model } = await served();
    const request = httpRequest(url, { method: 'POST', headers: { ...common, ...headers } });
    const streaming = new Promise((resolve) => request.on('response', (response) => response.once('data', resolve)));
    request.on('error', () => undefined).end(JSON.stringify(message(ASK, meta)));
    await streaming;
    await expect.poll(() => model.running).toBe(1);
    request.destroy();
    await expect.poll(() => model.running, { timeout: 10_000 }).toBe(0);
  });

  it('a cancellation ends the stream without a result', async () => {
    const { url, model } = await served();
    const post = (body: JsonObject): Promise<Response> =>
      fetch(url, { method: 'POST', headers: { ...common, 'mcp-session-id': 'mine' }, body: JSON.stringify(body) });
    const stream = await post(message(ASK, {}));
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    expect((await post(CANCEL)).status).toBe(202);
    expect((await post(CANCEL)).status).toBe(202);
    const events = (await stream.text()).trim().split('\n\n');
    for (const event of events) expect(event).toContain('"method":"notifications/progress"');
    expect(events.length).toBeGreaterThan(0);
    await expect.poll(() => model.running).toBe(0);
  });
});

describe('on a pipe', () => {
  it('a cancellation is read while the call runs, and the call of a client that stops reading is cancelled', async () => {
    const { home, model } = await endlessHome();
    const gone = new AbortController();
    const written: string[] = [];
    let next: (line: JsonObject | null) => void = () => undefined;
    const input = async function* (): AsyncGenerator<Uint8Array> {
      yield line(message(ASK, {}));
      for (;;) {
        const sent = await new Promise<JsonObject | null>((resolve) => (next = resolve));
        if (sent === null) return;
        yield line(sent);
      }
    };
    const ended = serveStdio({
      input: input(),
      write: (text) => written.push(text),
      surface: kebabSurface(home.live()),
      signal: gone.signal,
    });
    await expect.poll(() => model.running).toBe(1);
    next(CANCEL);
    await expect.poll(() => model.running).toBe(0);
    next(message({ ...ASK }, {}));
    await expect.poll(() => model.running).toBe(1);
    next(null);
    gone.abort();
    await ended;
    await expect.poll(() => model.running).toBe(0);
    for (const each of written) expect(each).toContain('"method":"notifications/progress"');
  });

  function line(sent: JsonObject): Uint8Array {
    return Buffer.from(`${JSON.stringify(sent)}\n`);
  }
});
