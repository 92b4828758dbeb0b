import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CLIENT_CAPABILITIES_META_KEY,
  isJSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import { initialize } from '../fakes/call.ts';
import { Connection, STATELESS_META, type ReceivedNotification } from '../fakes/connection.ts';
import { fakeSurface } from '../fakes/fake-surface.ts';
import type { JsonObject } from '../../src/protocol/surface.ts';
import { serveStdio } from '../../src/transport/serve-stdio.ts';

/** The messages of a server that reads one line, and after it a ping; `goes` tells whether the client then stops reading. */
async function answersTo(message: unknown, { goes = false } = {}): Promise<readonly JsonObject[]> {
  const lines: string[] = [];
  async function* input(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(
      `${JSON.stringify(message)}\n${JSON.stringify({ jsonrpc: '2.0', id: 'next', method: 'ping' })}\n`,
    );
  }
  const gone = new AbortController();
  const write = (line: string): void => {
    lines.push(line);
    if (goes && line.includes('"next"')) setImmediate(() => gone.abort());
  };
  await serveStdio({ surface: fakeSurface(), input: input(), write, signal: gone.signal });
  return lines.map((line) => JSON.parse(line) as JsonObject).filter(({ id }) => id !== 'next');
}

describe('an older client', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'of %s is served in its revision',
    async (revision) => {
      const params = { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'client', version: '1' } };
      const [answer] = await answersTo({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
      expect(answer).toMatchObject({ result: { protocolVersion: revision } });
    },
  );
});

const METHODS = [
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/subscribe',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
];

describe.each(['2025-06-18', '2025-11-25', '2026-07-28'])('a transcript of %s', (revision) => {
  const file = new URL(`../golden/${revision}.jsonl`, import.meta.url);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const pairs = lines
    .filter((line) => line.startsWith('> '))
    .map((line) => [line.slice(2), lines[lines.indexOf(line) + 1]]);

  it.each(pairs)('answers %s as recorded', async (sent, received) => {
    expect(await answersTo(JSON.parse(sent ?? ''))).toEqual(JSON.parse((received ?? '').slice(2)));
  });
});

describe('a message that is not a request', () => {
  it.each<[string, unknown, number]>([
    ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'ping' }], -32600],
    ['a text', 'ping', -32600],
    ['null', null, -32600],
    ['another version', { jsonrpc: '1.0', id: 1, method: 'ping' }, -32600],
    ['no method', { jsonrpc: '2.0', id: 1 }, -32600],
    ['a method of another type', { jsonrpc: '2.0', id: 1, method: 5 }, -32600],
    ['params that are a list of something', { jsonrpc: '2.0', id: 1, method: 'ping', params: [1] }, -32600],
    ['an id that is null', { jsonrpc: '2.0', id: null, method: 'ping' }, -32600],
    ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'constructor' }, -32601],
    ['an unknown tool', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'nope' } }, -32602],
    [
      'arguments that are a list',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: ['tea'] } },
      -32602,
    ],
    ['an unknown prompt', { jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: 'nope' } }, -32602],
    [
      'a prompt without its argument',
      { jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: 'greet' } },
      -32602,
    ],
    [
      'an unknown argument of a prompt',
      { jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: 'greet', arguments: { nam: 'x' } } },
      -32602,
    ],
    [
      'an unknown resource',
      { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'file:///etc/passwd' } },
      -32002,
    ],
  ])('%s gets a precise error', async (_what, message, code) => {
    expect(await answersTo(message)).toMatchObject([{ error: { code } }]);
  });

  it.each([null, '', ' {} ', [], '[]'])('has no arguments where a client writes %j', async (args) => {
    const params = { name: 'echo', arguments: args };
    expect(await answersTo({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })).toMatchObject([
      { result: { structuredContent: {} } },
    ]);
  });

  it('gets no response if it is a notification or a response', async () => {
    expect(await answersTo({ jsonrpc: '2.0', method: 'notifications/initialized' })).toEqual([]);
    expect(await answersTo({ jsonrpc: '2.0', method: 'notifications/nonsense' })).toEqual([]);
    expect(await answersTo({ jsonrpc: '2.0', id: 1, result: {} })).toEqual([]);
  });
});

describe('any message of a client', () => {
  const method = fc.oneof(fc.string(), fc.constantFrom(...METHODS, '__proto__', 'constructor'));
  const members = {
    jsonrpc: fc.constant('2.0'),
    id: fc.oneof(fc.integer(), fc.string()),
    method,
    params: fc.jsonValue(),
  };
  const meta = fc.constantFrom<JsonObject>({}, { _meta: STATELESS_META }, { _meta: 5 });
  const request = fc.oneof(
    fc.record(members, { requiredKeys: ['jsonrpc'] }),
    fc
      .tuple(
        fc.record(members),
        fc.dictionary(fc.constantFrom('name', 'arguments', 'uri', 'cursor', 'ref'), fc.jsonValue()),
        meta,
      )
      .map(([message, params, more]) => ({ ...message, params: { ...params, ...more } })),
  );

  it('gets exactly one result or error with a code, unless it is not a request', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), request), async (message) => {
        const answers = await answersTo(message);
        if (isJSONRPCRequest(message)) expect(answers).toHaveLength(1);
        expect(answers.length).toBeLessThanOrEqual(1);
        for (const { jsonrpc, result, error } of answers)
          expect([jsonrpc, typeof (result ?? (error as { code?: unknown }).code)]).toEqual([
            '2.0',
            error === undefined ? 'object' : 'number',
          ]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a stateless request', () => {
  const ask = (method: string, meta: JsonObject): Promise<readonly JsonObject[]> =>
    answersTo({ jsonrpc: '2.0', id: 1, method, params: { _meta: meta } });

  it('must carry the capabilities of its client', async () => {
    expect(await ask('server/discover', { [PROTOCOL_VERSION_META_KEY]: '2026-07-28' })).toMatchObject([
      { error: { code: -32602 } },
    ]);
  });

  it('of a client that discovers without naming a revision is not understood', async () => {
    for (const meta of [{}, { [CLIENT_CAPABILITIES_META_KEY]: {} }])
      expect(await ask('server/discover', meta)).toMatchObject([{ error: { code: expect.any(Number) as number } }]);
  });

  it('of an unknown revision gets a list of the supported ones', async () => {
    expect(await ask('tools/list', { ...STATELESS_META, [PROTOCOL_VERSION_META_KEY]: '1900-01-01' })).toMatchObject([
      { error: { code: -32022, data: { requested: '1900-01-01', supported: ['2026-07-28'] } } },
    ]);
  });

  it('finds no method of the older revisions', async () => {
    for (const method of ['ping', 'logging/setLevel', 'resources/subscribe'])
      expect(await ask(method, STATELESS_META)).toMatchObject([{ error: { code: -32601 } }]);
  });
});

describe('cancelling', () => {
  const slow = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'wait', _meta: { progressToken: 't' } } };
  const ping = { jsonrpc: '2.0', id: 7, method: 'ping' };

  it('ends the call without a response, even when repeated', async () => {
    const connection = new Connection(fakeSurface());
    const running = connection.request(slow);
    await connection.cancel(7);
    await connection.cancel(7);
    expect(await running).toBeNull();
    expect(await connection.request(ping)).toMatchObject({ result: {} });
  });

  it('has no effect on a call that has ended or never existed', async () => {
    const connection = new Connection(fakeSurface());
    await connection.cancel('never');
    await connection.cancel(undefined);
    expect(await connection.request(ping)).toMatchObject({ result: {} });
  });

  it('happens automatically when the answers can no longer be read', async () => {
    expect(await answersTo(slow, { goes: true })).toEqual([]);
  });

  it('still works for a running request when another one reuses its id', async () => {
    const lines: string[] = [];
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
    async function* input(): AsyncGenerator<Uint8Array> {
      for (const message of [slow, ping, cancel, ping]) yield Buffer.from(`${JSON.stringify(message)}\n`);
    }
    await serveStdio({ surface: fakeSurface(), input: input(), write: (line) => lines.push(line) });
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { id: 7, error: { code: -32600 } },
      { id: 7, result: {} },
    ]);
  });
});

describe('an exception inside the server', () => {
  it('does not reveal internals', async () => {
    const answers = await answersTo({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'break' } });
    expect(answers).toEqual([{ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'internal error' } }]);
  });
});

describe('a client that does not open properly', () => {
  it('learns that its parameters are wrong', async () => {
    for (const params of [{}, { protocolVersion: '2025-11-25' }, { protocolVersion: 5, capabilities: {} }])
      expect(await answersTo({ jsonrpc: '2.0', id: 1, method: 'initialize', params })).toMatchObject([
        { error: { code: -32602 } },
      ]);
  });
});

describe('a client that subscribes', () => {
  it('is told of changes only after it has opened', async () => {
    let change = (): void => undefined;
    const surface = { ...fakeSurface(), onChange: (listener: () => void) => (change = listener) };
    const heard: ReceivedNotification[] = [];
    const connection = new Connection(surface, (notification) => heard.push(notification));
    await connection.request({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    change();
    expect(heard).toEqual([]);
    await initialize(connection);
    change();
    expect(heard).toMatchObject([{ method: 'notifications/resources/list_changed' }]);
  });
});
