import { text as textOf } from 'node:stream/consumers';
import { builtins } from '@kebab/builtins';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openAppHere } from '../../src/composition/open-app.ts';
import { type LoopbackServer, startLoopbackServer } from '@kebab/testing';
import { ConfigWorld } from '../config/config-world.ts';

let collector: LoopbackServer;
let world: ConfigWorld;
let received: { readonly path: string; readonly text: string }[];

beforeEach(async () => {
  world = new ConfigWorld();
  received = [];
  collector = await startLoopbackServer(async (request, response) => {
    received.push({ path: request.url ?? '', text: await textOf(request) });
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

describe('traces', () => {
  it('have a span for each operation with its name and the code of its error, and neither users nor texts', async () => {
    await searchIn(true);
    expect(received.map(({ path }) => path)).toEqual(['/v1/traces']);
    const [{ text } = { text: '' }] = received;
    for (const word of ['search', 'fetch', 'error.type', 'not_indexed', 'our-kebab']) expect(text).toContain(word);
    expect(text).not.toMatch(/salary|zo|staff|secret-plan/);
  });

  it('are sent by servers only, not by commands', async () => {
    await searchIn(false);
    expect(received).toEqual([]);
  });

  it('hold nothing up when the collector is away', async () => {
    const started = performance.now();
    await searchIn(true, 'http://127.0.0.1:9');
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
