import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../src/app/app.ts';
import { OpenedFiles } from '../../src/app/opened-files.ts';
import type { Answerer, Channel } from '../../src/plugin/process/channel.ts';
import { type Caller, channelOver, type ServiceRequest } from '../../src/service/messages.ts';
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

/** An App whose service answers hello and then as `answer` does; counts what it does by itself. */
async function callThrough(answer: Answerer<ServiceRequest>) {
  server = createServer((socket) => {
    sockets.push(socket);
    const channel: Channel<never, ServiceRequest> = channelOver(socket, {
      answer: (request, course) =>
        request.kind === 'hello' ? { kind: 'welcome', files: FILES, notices: [] } : answer(request, course),
      onEnd: () => channel.end(new Error('gone')),
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
  const ending = () => callThrough(() => void sockets[0]?.destroy());

  it('performs a read by itself, and what writes fails', async () => {
    const { app, here } = await ending();
    await expect(app.ingestText('x', { title: 'x' })).rejects.toMatchObject({ code: 'io_error' });
    await app.search({ text: 'salt' });
    expect([here, app.openedFiles.outdated]).toEqual([['search'], 'service']);
    await app.close();
  });

  it('fails when something was passed on, which must not be reported twice', async () => {
    const { app, here } = await callThrough(async function* () {
      yield 'first';
      await new Promise((resolve) => setTimeout(resolve, 60));
      sockets[0]?.destroy();
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
