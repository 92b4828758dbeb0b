import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../src/app/app.ts';
import type { Asker, ClientMessage, ServiceMessage } from '../../src/service/messages.ts';
import { remoteApp } from '../../src/service/remote-app.ts';
import { ServiceClient } from '../../src/service/service-client.ts';

const ASKER: Asker = { cwd: '/', homeDir: '/', env: {}, config: null, user: false, readonly: false };
const SILENCE_MS = 120;
let folder: string;
let server: Server;
let sockets: Socket[];
let heard: string[];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kebab-remote-'));
  sockets = [];
  heard = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

/** An App whose service answers hello and then returns what `answer` gives; counts what it does by itself. */
async function askThrough(answer: (message: ClientMessage) => ServiceMessage | null) {
  server = createServer((socket) => {
    sockets.push(socket);
    createInterface({ input: socket }).on('line', (line) => {
      const message = JSON.parse(line) as ClientMessage;
      heard.push(message.kind);
      const welcome = { kind: 'welcome', pid: 4711, knowledgeBase: 'k', settings: 's', notices: [] } as const;
      const said = message.kind === 'hello' ? welcome : answer(message);
      if (said !== null) socket.write(`${JSON.stringify(said)}\n`);
    });
  });
  const address = path.join(folder, 'a.sock');
  await new Promise<void>((resolve) => server.listen(address, resolve));
  const client = await ServiceClient.connect(address, SILENCE_MS);
  if (client === null) throw new Error('nobody answers');
  expect(await client.hello(ASKER, 5000)).toMatchObject({ kind: 'welcome' });
  const here: string[] = [];
  const app = remoteApp({
    client,
    readonly: false,
    openHere: async () =>
      ({
        notices: [],
        search: async () => here.push('search'),
        ingestText: async () => here.push('ingest'),
        close: async () => {},
      }) as unknown as App,
    reachAgain: async () => {
      here.push('reached again');
      return null;
    },
  });
  return { app, here };
}

describe('the App of a service that hangs after hello', () => {
  it('performs reads by itself, does not contact the service again, and names it', async () => {
    const { app, here } = await askThrough(() => null);
    await app.search({ text: 'salt' });
    await app.search({ text: 'salt' });
    expect(here).toEqual(['search', 'search']);
    expect(app.notices).toEqual([
      {
        kind: 'service',
        text: expect.stringMatching(/^the kebab service \(process 4711\) has not answered for \d+ s/),
      },
    ]);
    await app.close();
  });

  it('fails writes, because the service may have started them, naming its process', async () => {
    const { app, here } = await askThrough(() => null);
    await expect(app.ingestText('x', { title: 'x' })).rejects.toMatchObject({
      code: 'io_error',
      message: expect.stringContaining('4711'),
    });
    expect(here).toEqual([]);
    await app.close();
  });
});

describe('the App of a slow service', () => {
  it('waits as long as the service responds', async () => {
    let pings = 0;
    const { app, here } = await askThrough((message) => {
      if (message.kind !== 'ping') return null;
      return ++pings < 8 ? { kind: 'pong' } : { kind: 'result', id: 1, value: 'found' };
    });
    expect(await app.search({ text: 'salt' })).toBe('found');
    expect([here, app.notices, heard.slice(0, 2)]).toEqual([[], [], ['hello', 'call']]);
    await app.close();
  });

  it('does not mistake its own suspension for silence of the service', async () => {
    let pings = 0;
    const { app, here } = await askThrough((message) => {
      if (message.kind !== 'ping') return null;
      if (++pings === 2) for (const until = performance.now() + 2 * SILENCE_MS; performance.now() < until;);
      return pings < 4 ? { kind: 'pong' } : { kind: 'result', id: 1, value: 'found' };
    });
    expect(await app.search({ text: 'salt' })).toBe('found');
    expect([here, app.notices]).toEqual([[], []]);
    await app.close();
  });
});
