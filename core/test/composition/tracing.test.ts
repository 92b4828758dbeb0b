import { buffer } from 'node:stream/consumers';
import { builtins } from '@kebab/builtins';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openAppHere } from '../../src/composition/open-app.ts';
import { HttpGate } from '../../src/hosting/http-gate.ts';
import { type LoopbackServer, startLoopbackServer } from '@kebab/testing';
import { ConfigWorld } from '../config/config-world.ts';

let collector: LoopbackServer;
let world: ConfigWorld;
let received: { readonly path: string; readonly text: string; readonly bytes: Buffer }[];

beforeEach(async () => {
  world = new ConfigWorld();
  received = [];
  collector = await startLoopbackServer(async (request, response) => {
    const bytes = await buffer(request);
    received.push({ path: request.url ?? '', text: bytes.toString(), bytes });
    response.end();
  });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  world.remove();
  await collector.close();
});

async function searchIn(isLasting: boolean, endpoint = collector.url) {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', endpoint);
  vi.stubEnv('OTEL_SERVICE_NAME', 'our-kebab');
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
  const environment = { cwd: world.cwd, env, homeDir: world.home, tmpDir: world.root };
  const app = await openAppHere({ builtins, environment, isLasting });
  await app.search({ text: 'the salary of zoë' }).catch(() => null);
  const caller = await app.as({ id: 'user:zoë', principals: ['user:zoë', 'group:staff'], scopes: ['read'] });
  await caller.fetch({ kind: 'uri', uri: 'secret-plan.md' }).catch(() => null);
  await app.close();
}

/** Has a gate track a request with this header, and searches for it. */
async function searchFor(traceparent: string): Promise<void> {
  const gate = await HttpGate.open({
    use: () => Promise.reject(new Error('there is no App')),
    server: 'mcp',
    endpoint: '/mcp',
    ownToken: null,
  });
  const server = await startLoopbackServer(async (request, response) => {
    gate.track(request, response);
    await searchIn(true);
    response.end();
  });
  await fetch(server.url, { headers: { traceparent } });
  await server.close();
}

describe('traces', () => {
  it('have a span for each operation with its name and the code of its error, and neither users nor texts', async () => {
    await searchIn(true);
    expect(received.map(({ path }) => path)).toEqual(['/v1/traces']);
    const [{ text } = { text: '' }] = received;
    for (const word of ['search', 'fetch', 'error.type', 'not_indexed', 'our-kebab']) expect(text).toContain(word);
    expect(text).not.toMatch(/salary|zo|staff|secret-plan/);
  });

  it.each([
    ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', true],
    ['cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more', true],
    ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more', false],
    ['ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', false],
    ['00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01', false],
  ])('continue the trace of the request that came with traceparent %s: %s', async (traceparent, isContinued) => {
    await searchFor(traceparent);
    const sent = Buffer.concat(received.map(({ bytes }) => bytes));
    expect(sent.includes(Buffer.from('4bf92f3577b34da6a3ce929d0e0e4736', 'hex'))).toBe(isContinued);
    expect(sent.includes(Buffer.from('00f067aa0ba902b7', 'hex'))).toBe(isContinued);
  });

  it('are sent by servers only, not by commands', async () => {
    await searchIn(false);
    expect(received).toEqual([]);
  });

  it('hold nothing up when the collector is away', async () => {
    await expect(searchIn(true, 'http://127.0.0.1:9')).resolves.toBeUndefined();
  });
});
