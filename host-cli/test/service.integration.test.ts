import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { SearchResponse, ServiceStatus } from '@kebab/core/app';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildCli, type BuiltCli, type CliHome } from './fakes/built-cli.ts';

const MODEL = fileURLToPath(new URL('../../../shared/models/tiny-random-bert', import.meta.url));

/** What only a program without a service needs: the engine, the database, models and watchers. */
const ENGINE =
  /better-sqlite3|onnxruntime|core\/src\/(?:composition\/open-app|search\/search-documents|ingest\/watch\/watch-sources)\.ts$/;

const recorder = fileURLToPath(new URL('./fixtures/record-modules.cjs', import.meta.url));
const delaying = fileURLToPath(new URL('./fixtures/delay-service.cjs', import.meta.url));

let cli: BuiltCli;
let home: CliHome;
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  cli = await buildCli();
});
afterAll(() => cli.remove());

beforeEach(async () => {
  home = cli.newHome();
  env = {
    KEBAB_SERVICE: 'auto',
    KEBAB_MODELS_EMBEDDING_MODEL: MODEL,
    KEBAB_SEARCH_MIN_RELEVANCE: '0',
    KEBAB_WORKSPACE_ROOT: home.workspace,
  };
  home.write('salt.md', '# Salt\n\nSalt comes out of water.\n');
  home.write('fire.md', '# Fire\n\nFire needs air.\n');
  await run(['ingest']);
});
afterEach(async () => {
  await run(['serve', '--stop']);
  if ((await status()).is_running) throw new Error('the test leaves a service behind');
});

function run(line: readonly string[], more: Readonly<Record<string, string>> = {}) {
  return cli.run(line, { home, env: { ...env, ...more } });
}

async function status(): Promise<ServiceStatus> {
  return JSON.parse((await run(['serve', '--status', '--json'])).stdout) as ServiceStatus;
}

async function search(more: Readonly<Record<string, string>> = {}): Promise<SearchResponse> {
  const { stdout, stderr, code } = await run(['search', 'salt', '--mode', 'vector', '--json'], more);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as SearchResponse;
}

/** Changes a bundle so that it counts as another build. */
function changeBuild(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.cjs'))) {
    const file = path.join(folder, name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(["'`])[0-9a-f]{16}\1/g, '"0000000000000000"'));
  }
}

/** Waits until a service started by some command responds. */
async function started(): Promise<NonNullable<ServiceStatus['service']>> {
  for (;;) {
    const { service } = await status();
    if (service !== null) return service;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Starts a service in the foreground, and waits until it responds. */
async function serve(): Promise<ChildProcessWithoutNullStreams> {
  const child = cli.start(['serve'], { home, env });
  await new Promise((resolve) => createInterface({ input: child.stderr }).once('line', resolve));
  return child;
}

/** The parts of the engine that a process loaded. */
function engineIn(record: string): readonly string[] {
  const files = JSON.parse(readFileSync(record, 'utf8')) as readonly string[];
  const names = new Set(files.map((file) => path.basename(file)));
  const chunks = cli.chunks.filter(({ fileName }) => names.has(fileName));
  return [...files, ...chunks.flatMap(({ moduleIds }) => moduleIds)].filter((file) => ENGINE.test(file));
}

interface Message {
  readonly id?: number;
  readonly method?: string;
}

/** A `kebab mcp` on a pipe, as started by an agent. */
function agent(more: Readonly<Record<string, string>> = {}, nodeArgs: readonly string[] = []) {
  const server = cli.start(['mcp'], { home, env: { ...env, ...more }, nodeArgs });
  const messages: Message[] = [];
  let wake = (): void => {};
  createInterface({ input: server.stdout }).on('line', (line) => {
    messages.push(JSON.parse(line) as Message);
    wake();
  });
  const first = async (fits: (message: Message) => boolean): Promise<Message> => {
    for (;;) {
      const found = messages.find(fits);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  let calls = 0;
  const request = (method: string, params: unknown): Promise<Message> => {
    const id = ++calls;
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return first((message) => message.id === id);
  };
  const clientInfo = { name: 'test', version: '1' };
  return {
    initialize: () => request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }),
    search: async (query: string) =>
      JSON.stringify(await request('tools/call', { name: 'search', arguments: { query, mode: 'vector' } })),
    notified: (method: string) => first((message) => message.method === method),
    end: () => {
      server.stdin.end();
      return ended(server);
    },
  };
}

async function ended(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once('exit', resolve));
  return child.exitCode;
}

describe.skipIf(!existsSync(MODEL) || process.platform === 'win32')(
  'kebab with a service (skipped without the models of ../shared)',
  () => {
    it('is started by a search that loaded a model, and gives the next search the same results', async () => {
      const alone = await search({ KEBAB_SERVICE: 'off' });
      expect((await status()).is_running).toBe(false);
      expect((await search()).hits).toEqual(alone.hits);
      const { answered } = await started();
      expect((await search()).hits).toEqual(alone.hits);
      const { service } = await status();
      expect(service?.answered).toBeGreaterThan(answered);
    });

    it('is stopped even before it listens', async () => {
      const nodeArgs = ['--require', delaying];
      expect((await cli.run(['search', 'salt', '--mode', 'vector'], { home, env, nodeArgs })).code).toBe(0);
      expect((await run(['serve', '--stop'])).code).toBe(0);
      await cli.programsEnded();
      expect((await status()).is_running).toBe(false);
    });

    it('is stopped although its parent process does not read its exit status', async () => {
      const line = ['-c', '"$0" "$1" serve & exec sleep 60', process.execPath, cli.bin];
      const parent = spawn('sh', line, {
        cwd: home.folder,
        env: { PATH: process.env['PATH'] ?? '', ...home.env, ...env },
      });
      const { pid } = await started();
      expect((await run(['serve', '--stop'])).stdout).toBe(`stopped process ${pid}\n`);
      parent.kill();
    });

    it('saves a search from loading the database, the model and their code', async () => {
      const child = await serve();
      const record = path.join(home.folder, 'modules.json');
      const options = { home, nodeArgs: ['--require', recorder], env: { ...env, RECORD_MODULES: record } };
      expect((await cli.run(['search', 'salt', '--json'], options)).code).toBe(0);
      expect(engineIn(record)).toEqual([]);
      child.kill('SIGTERM');
      await ended(child);
    });

    it('is not started by a lexical search, in read-only mode, or if the settings switch it off', async () => {
      await run(['search', 'salt', '--mode', 'lexical']);
      await run(['search', 'salt', '--mode', 'vector', '--readonly']);
      await search({ KEBAB_READONLY: '1' });
      await search({ KEBAB_SERVE_MODE: 'off' });
      expect(existsSync(path.join(home.folder, 'state/kebab/service'))).toBe(false);
    });

    it('writes nothing to standard output, and its activity to the log', async () => {
      const child = await serve();
      await search();
      child.kill('SIGTERM');
      expect(await ended(child)).toBe(0);
      expect(child.stdout.read()).toBeNull();
      const logs = path.join(home.folder, 'state/kebab/logs');
      expect(readdirSync(logs)).toHaveLength(1);
      expect(readdirSync(path.join(home.folder, 'state/kebab/service'))).toEqual([]);
    });

    it('can be killed during a request, which the command then answers itself', async () => {
      const child = await serve();
      child.kill('SIGSTOP');
      const waiting = search();
      setTimeout(() => child.kill('SIGKILL'), 200);
      expect((await waiting).hits).not.toEqual([]);
      await ended(child);
      expect((await search()).hits).not.toEqual([]);
    });

    it('is no longer used by a build other than its own', async () => {
      const child = await serve();
      const other = await buildCli();
      try {
        changeBuild(other.bundleFolder);
        const line = ['search', 'salt', '--json', '--mode', 'vector'];
        const options = { home, env };
        const { service } = await status();
        expect(JSON.parse((await other.run(line, options)).stdout)).toHaveProperty('hits');
        expect([service?.answered, undefined]).toContain((await status()).service?.answered); // it may have ended
      } finally {
        await other.run(['serve', '--stop'], { home, env }); // it may have started its own
        await other.remove();
      }
      child.kill('SIGTERM');
      await ended(child);
    });

    it('serves the tools of `kebab mcp`, which then loads neither model nor database', async () => {
      const child = await serve();
      const server = agent();
      await server.initialize();
      const { answered = 0 } = (await status()).service ?? {};
      expect(await server.search('salt')).toContain('salt.md');
      expect((await status()).service?.answered).toBeGreaterThan(answered);
      child.kill('SIGKILL');
      await ended(child);
      expect(await server.search('fire')).toContain('fire.md');
      await server.end();
    });

    it('watches the folders for all servers, which load no code for watching or searching', async () => {
      const child = await serve();
      const records = ['one.json', 'two.json'].map((name) => path.join(home.folder, name));
      const servers = records.map((record) => agent({ RECORD_MODULES: record }, ['--require', recorder]));
      for (const server of servers) {
        await server.initialize();
        await server.search('salt');
      }
      home.write('tide.md', '# Tide\n\nThe tide comes twice a day.\n');
      for (const server of servers) await server.notified('notifications/resources/list_changed');
      for (const server of servers) await server.end();
      for (const record of records) expect(engineIn(record)).toEqual([]);
      child.kill('SIGTERM');
      await ended(child);
    });

    it('ends when idle although servers listen; their next call starts another one that watches', async () => {
      env = { ...env, KEBAB_SERVE_IDLE_MINUTES: '0.03' };
      const child = await serve();
      const server = agent();
      await server.initialize();
      await server.search('salt');
      expect((await status()).service?.running).toBe(0);
      expect(await ended(child)).toBe(0);
      env = { ...env, KEBAB_SERVE_IDLE_MINUTES: '10' };
      const next = agent();
      await next.initialize();
      await next.search('salt');
      const { pid } = await started();
      process.kill(pid, 'SIGKILL');
      await next.search('salt');
      await next.search('fire');
      home.write('tide.md', '# Tide\n\nThe tide comes twice a day.\n');
      await next.notified('notifications/resources/list_changed');
      await server.end();
      await next.end();
    });

    it('finds a file that was saved just before a search', async () => {
      const child = await serve();
      await search();
      for (const word of ['quaternion', 'sourdough', 'isotherm']) {
        home.write(`${word}.md`, `# A note\n\nabout ${word}\n`);
        const { stdout } = await run(['search', word, '--mode', 'lexical', '--json']);
        const { hits, index } = JSON.parse(stdout) as SearchResponse;
        expect([hits[0]?.doc_path, index ?? null]).toEqual([`${word}.md`, null]);
      }
      await run(['ingest', '--summary-only']);
      child.kill('SIGTERM');
      await ended(child);
    });

    it('reports ingested files to `kebab watch`, which watches by itself when the service ends', async () => {
      const child = await serve();
      const watch = cli.start(['watch', '--json'], { home, env });
      const events = createInterface({ input: watch.stdout })[Symbol.asyncIterator]();
      const ingested = async (name: string): Promise<void> => {
        for (let line = ''; !line.includes(name); line = String((await events.next()).value));
      };
      const following = async (): Promise<void> => {
        for (let line = ''; !line.includes('"watching"'); line = String((await events.next()).value));
      };
      await following();
      expect((await status()).service?.clients).toBe(1);
      home.write('tide.md', '# Tide\n\nThe tide comes twice a day.\n');
      await ingested('tide.md');
      child.kill('SIGTERM');
      await ended(child);
      await following();
      home.write('moon.md', '# Moon\n\nThe moon pulls.\n');
      await ingested('moon.md');
      watch.kill('SIGINT');
      await ended(watch);
    });

    it('rejects a second service, and reports its state', async () => {
      const child = await serve();
      const second = await run(['serve']);
      expect(second).toMatchObject({ code: 2, stdout: '' });
      expect(second.stderr).toContain('kebab serve --status');
      expect((await run(['serve', '--status'])).stdout).toContain(`process ${child.pid}`);
      expect((await run(['serve', '--stop'])).stdout).toBe(`stopped process ${child.pid}\n`);
      expect(await run(['serve', '--status'])).toMatchObject({
        code: 1,
        stdout: expect.stringContaining('no service'),
      });
    });
  },
);
