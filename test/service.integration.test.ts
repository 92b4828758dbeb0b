import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { builtins } from '@kebab/builtins';
import { openApp, serveApp, serviceStatus, stopService, type App, type OpenAppOptions } from '@kebab/core/app';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import * as impatient from '../core/src/service/service-status.ts';
import { WordEmbedder } from '../core/test/ingest/embedding/word-embedder.ts';
import { putFiles } from './put-files.ts';
import { wordsPlugin } from './words-plugin.ts';

const TEXTS = { 'salt.md': '# Salt\n\nSalt comes out of water.\n', 'sub/fire.md': '# Fire\n\nFire needs air.\n' };

/** The home of a user with notes. */
let home: string;
let embedder: WordEmbedder;
let running: { readonly ended: Promise<string>; readonly stop: AbortController }[];
let apps: App[];

beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'kebab-service-'));
  embedder = new WordEmbedder();
  running = [];
  apps = [];
  putFiles(path.join(home, 'notes'), TEXTS);
});
afterEach(async () => {
  for (const app of apps) await app.close();
  for (const { stop } of running) stop.abort();
  await Promise.all(running.map(({ ended }) => ended));
  rmSync(home, { recursive: true, force: true });
});

interface From {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: OpenAppOptions['flags'];
}

function optionsOf({ cwd = home, env = {}, flags = {} }: From = {}): OpenAppOptions {
  const variables = {
    KEBAB_WORKSPACE_ROOT: path.join(home, 'notes'),
    KEBAB_MODELS_EMBEDDING_PROVIDER: 'words',
    KEBAB_SEARCH_MIN_RELEVANCE: '0',
    ...env,
  };
  return {
    builtins: [...builtins, wordsPlugin(() => embedder)],
    environment: { cwd, homeDir: home, tmpDir: home, env: variables },
    flags,
  };
}

async function open(from: From = {}): Promise<App> {
  const app = await openApp(optionsOf(from));
  apps.push(app);
  return app;
}

/** Starts a service over ingested notes, and waits until it answers. */
async function serve(from: From = {}): Promise<(typeof running)[number]> {
  const app = await openApp(optionsOf({ ...from, env: { ...from.env, KEBAB_SERVICE: 'off' } }));
  await app.ingest();
  await app.close();
  return start(from);
}

async function start(from: From = {}): Promise<(typeof running)[number]> {
  const stop = new AbortController();
  let listening = (): void => {};
  const ready = new Promise<void>((resolve) => (listening = resolve));
  const ended = serveApp({ ...optionsOf(from), signal: stop.signal, onListening: () => listening() });
  await Promise.race([ready, ended]);
  const service = { ended, stop };
  running.push(service);
  return service;
}

const answered = async (from: From = {}): Promise<number> =>
  (await serviceStatus(optionsOf(from))).service?.answered ?? -1;
const folder = (): string => path.join(home, '.local/state/kebab/service');
const socket = (): string => {
  const [name = ''] = readdirSync(folder()).filter((one) => one.endsWith('.sock'));
  return path.join(folder(), name);
};

/** Whether the service answers an App: the service counts its requests. */
async function isServed(app: App, from: From = {}): Promise<boolean> {
  const before = await answered(from);
  await app.search({ text: 'salt' });
  return (await answered(from)) > before;
}

describe.skipIf(process.platform === 'win32')('a service', () => {
  it('answers every operation as the process itself would', async () => {
    const alone = await openApp(optionsOf({ env: { KEBAB_SERVICE: 'off' } }));
    await alone.ingest();
    await start();
    const app = await open();
    const timeless = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value, (name, member) => (/_ms$|took/.test(name) ? 0 : (member as unknown))));
    for (const question of [
      (one: App) => one.search({ text: 'salt water' }),
      (one: App) => one.search({ text: 'salt', mode: 'vector' }, { explain: true }),
      (one: App) => one.fetch({ kind: 'uri', uri: 'salt.md#L3' }),
      (one: App) => one.listDocs({}, { limit: 5 }),
      (one: App) => one.nameDocuments('sub'),
      (one: App) => one.configView(),
      (one: App) => one.status(),
      (one: App) => one.doctor(),
    ])
      expect(timeless(await question(app))).toEqual(timeless(await question(alone)));
    expect(await answered()).toBeGreaterThan(7);
    await alone.close();
  });

  it('answers many queries one after another, and an error in each that has one', async () => {
    await serve();
    const app = await open();
    const answers = [];
    for await (const one of app.bulkSearch([{ query: 'salt' }, { query: '' }, { query: 'fire' }])) answers.push(one);
    expect(answers.map(({ error }) => error?.code ?? null)).toEqual([null, 'invalid_input', null]);
  });

  it('passes on errors with code, details and hint', async () => {
    await serve();
    const app = await open();
    await expect(app.fetch({ kind: 'uri', uri: 'missing.md#L1' })).rejects.toMatchObject({
      name: 'KebabError',
      code: 'doc_not_found',
      details: { path: 'missing.md' },
      hint: expect.stringContaining('kebab'),
    });
  });

  it('resolves a path against the working directory of the caller', async () => {
    await serve();
    const app = await open({ cwd: path.join(home, 'notes/sub') });
    expect(JSON.stringify(await app.nameDocuments('fire.md'))).toContain('sub/fire.md');
    expect(await isServed(app)).toBe(true);
  });

  it('passes on events, and ends a cancelled operation as cancelled', async () => {
    await serve();
    const app = await open();
    const file = path.join(home, 'elsewhere.md');
    writeFileSync(file, '# Stone\n\nStone and water.\n');
    const kinds: string[] = [];
    const report = await app.ingestFile(file, { onProgress: ({ kind }) => kinds.push(kind) });
    expect(report).toMatchObject({ new: 1, errors: 0 });
    expect(kinds.at(-1)).toBe('completed');
    const controller = new AbortController();
    controller.abort();
    await expect(app.search({ text: 'salt' }, { signal: controller.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
  });

  it.each([
    ['another setting in its environment', { env: { KEBAB_SEARCH_RRF_K: '10' } }],
    ['another time zone', { env: { TZ: 'Asia/Seoul' } }],
    ['services switched off by a variable', { env: { KEBAB_SERVICE: 'off' } }],
    ['services switched off by a setting', { env: { KEBAB_SERVE_MODE: 'off' } }],
    ['debug messages wanted', { env: { KEBAB_LOG: 'debug' } }],
    ['a value that a flag gives', { flags: { values: [{ key: 'search.rrf_k', flag: '--x', value: 10 }] } }],
  ] satisfies [string, From][])('is not used by a process with %s', async (_what, from) => {
    await serve();
    const app = await open(from);
    expect(await isServed(app)).toBe(false);
    expect(await isServed(await open())).toBe(true);
  });

  it('is not used with a different configuration file, unless that file has the same content', async () => {
    const same = path.join(home, 'same.toml');
    const other = path.join(home, 'other.toml');
    writeFileSync(same, '[search]\nrrf_k = 60\n');
    writeFileSync(other, '[search]\nrrf_k = 61\n');
    await serve();
    expect(await isServed(await open({ flags: { config: same } }))).toBe(true);
    expect(await isServed(await open({ flags: { config: other } }))).toBe(false);
  });

  it('answers a read-only client, which still refuses to write', async () => {
    await serve();
    const app = await open({ flags: { readonly: true } });
    expect(await isServed(app)).toBe(true);
    await expect(app.ingestText('x', { title: 'x' })).rejects.toMatchObject({ code: 'readonly_mode' });
  });

  it('is separate for each knowledge base of a user', async () => {
    const second = { env: { KEBAB_STORAGE_DATA_DIR: path.join(home, 'second'), KEBAB_SEARCH_RRF_K: '7' } };
    await serve();
    const other = await open(second);
    await other.ingest();
    expect(await isServed(other, second)).toBe(false);
    await serve(second);
    expect(await isServed(await open(second), second)).toBe(true);
    expect(await isServed(await open())).toBe(true);
  });

  it('is the only one of its knowledge base: a second one is refused while it answers', async () => {
    await serve();
    const error = await start().then(
      () => null,
      (refusal: unknown) => refusal,
    );
    running.splice(1);
    expect(error).toMatchObject({ code: 'locked' });
    expect(await isServed(await open())).toBe(true);
  });

  it('is the only one even when several start at once', async () => {
    await serve().then(async ({ stop, ended }) => (stop.abort(), ended));
    const settled = await Promise.allSettled([1, 2, 3, 4].map(() => start()));
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(
      settled.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : [])),
    ).toEqual(['locked', 'locked', 'locked']);
  });

  it('replaces one that was killed and left its socket behind', async () => {
    await serve().then(async ({ stop, ended }) => (stop.abort(), ended));
    const left = path.join(folder(), '0123456789ab.sock');
    await leaveSocket(left);
    const app = await open(); // a socket that nobody answers counts as none
    expect((await app.search({ text: 'salt' })).hits).not.toEqual([]);
    const address = (await serviceStatus(optionsOf())).address;
    await leaveSocket(address);
    await start();
    expect(await isServed(await open())).toBe(true);
  });

  it('replaces one that was killed during startup', async () => {
    await serve().then(async ({ stop, ended }) => (stop.abort(), ended));
    const { address } = await serviceStatus(optionsOf());
    writeFileSync(`${address}.start`, '');
    await start();
    expect(await isServed(await open())).toBe(true);
    expect(readdirSync(folder())).toEqual([path.basename(address)]);
  });

  it('can be reached only by its user', async () => {
    await serve();
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
    expect(statSync(socket()).mode & 0o777).toBe(0o600);
  });

  it('is not trusted in a folder that others can access', async () => {
    await serve();
    chmodSync(folder(), 0o755);
    expect(await isServed(await open())).toBe(false);
  });

  it.skipIf(process.getuid?.() !== 0)('of another user is never contacted', async () => {
    await serve();
    chownSync(socket(), 12_345, 12_345);
    expect(await isServed(await open())).toBe(false);
  });

  it('of another version is not used, and exits', async () => {
    const { ended } = await serve();
    const answer = await ask(socket(), { kind: 'hello', version: '99.0.0', build: 'x', caller: {} });
    expect(answer).toMatchObject({ outcome: { kind: 'value', value: { kind: 'refused', why: 'version' } } });
    expect(await ended).toContain('another version');
  });

  it('refuses operations that it does not offer', async () => {
    await serve();
    const app = await open();
    const before = await answered();
    await app.config({ kind: 'set', key: 'search.rrf_k', values: ['60'] });
    expect(await answered()).toBe(before);
    expect(await ask(socket(), { kind: 'call', operation: 'reset', args: [{ data: 'all' }] })).toBeNull();
    expect(existsSync(path.join(home, '.local/share/kebab/kebab.sqlite'))).toBe(true);
  });

  it('survives invalid messages', async () => {
    await serve();
    expect(await ask(socket(), 'GET / HTTP/1.1\r\n\r\n')).toBeNull();
    expect(await isServed(await open())).toBe(true);
  });

  it('ends when its database is replaced, and its clients continue to work', async () => {
    const { ended } = await serve();
    const app = await open();
    expect(await isServed(app)).toBe(true);
    await (await open({ env: { KEBAB_SERVICE: 'off' } })).reset('data_only');
    await expect(app.search({ text: 'salt' })).rejects.toMatchObject({ code: 'not_indexed' });
    expect(await ended).toContain('replaced');
    await app.ingest();
    expect((await app.search({ text: 'salt' })).hits).not.toEqual([]);
  });

  it('ends when its settings have changed', async () => {
    const { ended } = await serve();
    writeFileSync(path.join(home, 'ignored'), '');
    mkdirSync(path.join(home, '.config/kebab'), { recursive: true });
    writeFileSync(path.join(home, '.config/kebab/config.toml'), '[search]\nrrf_k = 30\n');
    expect(await isServed(await open())).toBe(false);
    expect(await ended).toContain('settings');
  });

  it('ends when idle for a while', async () => {
    const { ended } = await serve({ env: { KEBAB_SERVE_IDLE_MINUTES: '0.01' } });
    expect(await ended).toBe('idle');
    expect(readdirSync(folder())).toEqual([]);
  });

  it('ends on request, after finishing pending operations', async () => {
    const { ended } = await serve();
    const app = await open();
    const search = app.search({ text: 'salt water fire' });
    expect(await stopService(optionsOf())).toMatchObject({ is_running: false, service: { is_usable: true } });
    expect((await search).hits).not.toEqual([]);
    expect(await ended).toBe('stopped');
    expect(await serviceStatus(optionsOf())).toMatchObject({ is_running: false, service: null });
  });

  it('that a command starts ends before it answers if it was stopped meanwhile; one that a user runs listens', async () => {
    await serve().then(async ({ stop, ended }) => (stop.abort(), ended));
    const { address } = await serviceStatus(optionsOf());
    const env = { KEBAB_SERVICE_AUTOSTART: '1' };
    writeFileSync(`${address}.start`, '');
    expect(await stopService(optionsOf())).toMatchObject({ is_running: false, service: null });
    const { ended } = await start({ env });
    expect(await ended).toBe('stopped');
    writeFileSync(`${address}.start`, '');
    const second = await start({ env });
    expect((await serviceStatus(optionsOf())).is_running).toBe(true);
    expect(readdirSync(folder())).toEqual([path.basename(socket())]);
    second.stop.abort();
    await second.ended;
    await start();
    expect((await serviceStatus(optionsOf())).is_running).toBe(true);
  });

  it('that disappears between two queries loses nothing: the client answers by itself', async () => {
    const { stop, ended } = await serve();
    const app = await open();
    await app.search({ text: 'salt' });
    stop.abort();
    await ended;
    expect((await app.search({ text: 'fire' })).hits).not.toEqual([]);
    const answers = [];
    for await (const one of app.bulkSearch([{ query: 'salt' }, { query: 'fire' }])) answers.push(one.error);
    expect(answers).toEqual([null, null]);
  });

  it('reports its status', async () => {
    await serve();
    await open();
    const { service, ...status } = await serviceStatus(optionsOf());
    expect(status).toMatchObject({ schema_version: 'service_status.v1', is_running: true, address: socket() });
    expect(service).toMatchObject({ pid: process.pid, is_usable: true, idle_minutes: 10, clients: 1, running: 0 });
  });

  it('that does not answer is reported as hanging, not as absent', async () => {
    const { stop, ended } = await serve();
    const address = socket();
    stop.abort();
    await ended;
    const silent = createServer().listen(address);
    onTestFinished(() => void silent.close());
    await once(silent, 'listening');
    chmodSync(address, 0o600);
    for (const look of [impatient.serviceStatus, impatient.stopService])
      await expect(look(optionsOf(), 200)).rejects.toMatchObject({
        code: 'io_error',
        details: { kind: 'ETIMEDOUT', path: address },
      });
  });

  it('is started by a lexical search only when there are so many files that scanning them takes long', async () => {
    const env = { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none', KEBAB_SEARCH_REFRESH_AFTER_MS: '60000' };
    let isIngested = false;
    const search = async (name: string, more: Readonly<Record<string, string>> = {}): Promise<void> => {
      const starts = [process.execPath, '-e', `fs.writeFileSync(${JSON.stringify(path.join(home, name))}, '')`];
      const app = await openApp({ ...optionsOf({ env: { ...env, ...more } }), serviceCommand: starts });
      if (!isIngested) await app.ingest();
      isIngested = true;
      expect((await app.search({ text: 'salt' })).hits).not.toEqual([]);
      await app.close();
    };
    await search('started-by-few');
    isIngested = false;
    putFiles(
      path.join(home, 'notes'),
      Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`many/${n}.md`, `Note ${n}.\n`])),
    );
    await search('started-without-looking', { KEBAB_SEARCH_REFRESH: 'off' });
    await search('started-where-it-is-off', { KEBAB_SERVE_MODE: 'off' });
    await search('started-by-many');
    await expect
      .poll(() => readdirSync(home).filter((name) => name.startsWith('started')))
      .toEqual(['started-by-many']);
  });
});

/** Leaves a socket behind that nobody listens on, as a killed process does. */
async function leaveSocket(address: string): Promise<void> {
  const { spawnSync } = await import('node:child_process');
  const program = `require('node:net').createServer().listen(${JSON.stringify(address)}, () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', program]);
  expect(existsSync(address)).toBe(true);
}

/** Sends a request, or a line that is none, and returns the reply; null when the connection is closed instead. */
function ask(address: string, request: unknown): Promise<unknown> {
  const message = serialize({ kind: 'ask', id: 1, isStream: false, request }).toString('base64');
  return new Promise((resolve) => {
    const connection = connect(address);
    connection.setEncoding('utf8');
    connection.once('data', (text: string) => {
      resolve(deserialize(Buffer.from(text, 'base64')));
      connection.destroy();
    });
    connection.once('close', () => resolve(null));
    connection.write(`${typeof request === 'string' ? request : message}\n`);
  });
}
