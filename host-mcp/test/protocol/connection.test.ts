import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Connection, METHODS } from '../../src/protocol/connection.ts';
import { META, type JsonObject, type OutgoingNotification } from '../../src/protocol/json-rpc.ts';
import { fakeSurface } from '../fakes/fake-surface.ts';

const silent = { notify: () => undefined };
const stateless = { [META.protocolVersion]: '2026-07-28', [META.clientCapabilities]: {} };

function handle(message: unknown, connection = new Connection(fakeSurface())): Promise<unknown> {
  return connection.handle(message, silent).then(({ response }) => response);
}

describe.each(['2025-06-18', '2025-11-25', '2026-07-28'])('a transcript of %s', (revision) => {
  const file = new URL(`../golden/${revision}.jsonl`, import.meta.url);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const pairs = lines
    .filter((line) => line.startsWith('> '))
    .map((line) => [line.slice(2), lines[lines.indexOf(line) + 1]]);

  it.each(pairs)('answers %s as recorded', async (sent, received) => {
    const connection = new Connection(fakeSurface());
    const notified: OutgoingNotification[] = [];
    const { response } = await connection.handle(JSON.parse(sent ?? ''), {
      notify: (message) => notified.push(message),
    });
    expect(`< ${JSON.stringify([...notified, response])}`).toBe(received);
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
    ['params that are a list', { jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, -32600],
    ['an id that is null', { jsonrpc: '2.0', id: null, method: 'ping' }, -32600],
    ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'constructor' }, -32601],
    ['an unknown tool', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'nope' } }, -32602],
    [
      'arguments that are a list',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: [] } },
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
    expect(await handle(message)).toMatchObject({ error: { code } });
  });

  it('gets no response if it is a notification or a response', async () => {
    expect(await handle({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBeNull();
    expect(await handle({ jsonrpc: '2.0', method: 'notifications/nonsense' })).toBeNull();
    expect(await handle({ jsonrpc: '2.0', id: 1, result: {} })).toBeNull();
  });
});

describe('any message of a client', () => {
  const method = fc.oneof(fc.string(), fc.constantFrom(...Object.keys(METHODS), '__proto__', 'constructor'));
  const members = {
    jsonrpc: fc.constant('2.0'),
    id: fc.oneof(fc.integer(), fc.string()),
    method,
    params: fc.jsonValue(),
  };
  const meta = fc.constantFrom<JsonObject>({}, { _meta: stateless }, { _meta: 5 });
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
        const connection = new Connection(fakeSurface());
        const gone = new AbortController();
        const handled = connection.handle(message, { ...silent, signal: gone.signal });
        setImmediate(() => gone.abort()); // one tool waits for it
        const { response } = await handled;
        expect(connection.running).toBe(0);
        if (response !== null)
          expect([response.jsonrpc, typeof (response.result ?? response.error?.code)]).toEqual([
            '2.0',
            response.error === undefined ? 'object' : 'number',
          ]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a stateless request', () => {
  const ask = (method: string, meta: JsonObject): Promise<unknown> =>
    handle({ jsonrpc: '2.0', id: 1, method, params: { _meta: meta } });

  it('must carry revision and capabilities', async () => {
    for (const meta of [{}, { [META.protocolVersion]: '2026-07-28' }, { [META.clientCapabilities]: {} }])
      expect(await ask('server/discover', meta)).toMatchObject({ error: { code: -32602 } });
  });

  it('of an unknown revision gets a list of the supported ones', async () => {
    expect(await ask('tools/list', { ...stateless, [META.protocolVersion]: '1900-01-01' })).toMatchObject({
      error: { code: -32022, data: { requested: '1900-01-01', supported: ['2026-07-28'] } },
    });
  });

  it('finds no method of the older revisions', async () => {
    for (const method of ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe'])
      expect(await ask(method, stateless)).toMatchObject({ error: { code: -32601 } });
  });
});

describe('cancelling', () => {
  const slow = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'wait', _meta: { progressToken: 't' } } };
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7, reason: 'enough' } };

  it('ends the call without a response, even when repeated', async () => {
    const connection = new Connection(fakeSurface());
    const running = connection.handle(slow, silent);
    await connection.handle(cancel, silent);
    await connection.handle(cancel, silent);
    expect((await running).response).toBeNull();
    expect(connection.running).toBe(0);
    expect(await handle({ jsonrpc: '2.0', id: 7, method: 'ping' }, connection)).toMatchObject({ result: {} });
  });

  it('has no effect on a call that has ended or never existed', async () => {
    const connection = new Connection(fakeSurface());
    await connection.handle({ ...cancel, params: { requestId: 'never' } }, silent);
    await connection.handle({ ...cancel, params: {} }, silent);
    expect(await handle({ jsonrpc: '2.0', id: 7, method: 'ping' }, connection)).toMatchObject({ result: {} });
  });

  it('happens automatically when the client disconnects', async () => {
    const gone = new AbortController();
    const running = new Connection(fakeSurface()).handle(slow, { ...silent, signal: gone.signal });
    gone.abort();
    expect((await running).response).toBeNull();
  });

  it('still works for a running request when another one reuses its id', async () => {
    const connection = new Connection(fakeSurface());
    const running = connection.handle(slow, silent);
    expect(await handle({ jsonrpc: '2.0', id: 7, method: 'ping' }, connection)).toMatchObject({
      error: { code: -32600 },
    });
    await connection.handle(cancel, silent);
    expect((await running).response).toBeNull();
  });
});

describe('an exception inside the server', () => {
  it('does not reveal internals', async () => {
    const response = await handle({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'break' } });
    expect(response).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'internal error' } });
  });
});
