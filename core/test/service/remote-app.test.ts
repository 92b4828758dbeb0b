import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../src/app/app.ts';
import { OpenedFiles } from '../../src/app/opened-files.ts';
import type { Caller, ClientMessage, ServiceMessage } from '../../src/service/messages.ts';
import { remoteApp } from '../../src/service/remote-app.ts';
import { ServiceClient } from '../../src/service/service-client.ts';

const CALLER: Caller = { cwd: '/', homeDir: '/', env: {}, config: null, user: false, readonly: false };
const FILES = { database: '/none.sqlite', configuration: [] };
let folder: string;
let server: Server;
let sockets: Socket[];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kebab-remote-'));
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

/** An App whose service answers hello and then returns what `answer` gives; counts what it does by itself. */
async function callThrough(answer: (message: ClientMessage) => ServiceMessage | 'end' | null) {
  server = createServer((socket) => {
    sockets.push(socket);
    createInterface({ input: socket }).on('line', (line) => {
      const message = JSON.parse(line) as ClientMessage;
      const welcome = { kind: 'welcome', files: FILES, notices: [] } as const;
      const said = message.kind === 'hello' ? welcome : answer(message);
      if (said === 'end') socket.destroy();
      else if (said !== null) socket.write(`${JSON.stringify(said)}\n`);
    });
  });
  const address = path.join(folder, 'a.sock');
  await new Promise<void>((resolve) => server.listen(address, resolve));
  const client = await ServiceClient.connect(address);
  if (client === null) throw new Error('nobody answers');
  expect(await client.hello(CALLER, 5000)).toMatchObject({ kind: 'welcome' });
  const here: string[] = [];
  const app = remoteApp({
    client,
    files: new OpenedFiles(FILES),
    readonly: false,
    openHere: async () =>
      ({
        notices: [],
        search: async () => here.push('search'),
        ingestText: async () => here.push('ingest'),
        close: async () => {},
      }) as unknown as App,
  });
  return { app, here };
}

describe('the App of a service that ends during a call', () => {
  const ending = () => callThrough((message) => (message.kind === 'call' ? 'end' : null));

  it('performs a read by itself, and what writes fails', async () => {
    const { app, here } = await ending();
    await expect(app.ingestText('x', { title: 'x' })).rejects.toMatchObject({ code: 'io_error' });
    await app.search({ text: 'salt' });
    expect([here, app.openedFiles.outdated]).toEqual([['search'], 'service']);
    await app.close();
  });

  it('fails when something was passed on, which must not be reported twice', async () => {
    const { app, here } = await callThrough((message) => {
      if (message.kind !== 'call') return null;
      setTimeout(() => sockets[0]?.destroy(), 60);
      return { kind: 'item', id: 1, value: 'first' };
    });
    const answers: unknown[] = [];
    const all = async (): Promise<void> => {
      for await (const answer of app.bulkSearch(['salt', 'fire'])) answers.push(answer);
    };
    await expect(all()).rejects.toMatchObject({ code: 'io_error' });
    expect([answers, here]).toEqual([['first'], []]);
    await app.close();
  });
});
