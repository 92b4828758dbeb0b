import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { SearchResponse, ServiceStatus } from '@kebab/core/app';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildCli, type BuiltCli, type CliHome } from './fakes/built-cli.ts';

const MODEL = fileURLToPath(new URL('../../../shared/models/tiny-random-bert', import.meta.url));

const recorder = fileURLToPath(new URL('./fixtures/record-modules.cjs', import.meta.url));

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

/** Changes a bundle as if its code were other code. */
function changeBuild(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => file.startsWith('service-'))) {
    const file = path.join(folder, name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(["'`])[0-9a-f]{16}\1/g, '"0000000000000000"'));
  }
}

/** Waits until a service answers that some command has started. */
async function started(): Promise<NonNullable<ServiceStatus['service']>> {
  for (;;) {
    const { service } = await status();
    if (service !== null) return service;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Starts a service in the foreground, and waits until it answers. */
async function serve(): Promise<ChildProcessWithoutNullStreams> {
  const child = cli.start(['serve'], { home, env });
  await new Promise((resolve) => createInterface({ input: child.stderr }).once('line', resolve));
  return child;
}

async function ended(child: ChildProcessWithoutNullStreams): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once('exit', resolve));
  return child.exitCode;
}

describe.skipIf(!existsSync(MODEL) || process.platform === 'win32')(
  'kebab with a service (skipped without the models of ../shared)',
  () => {
    it('is started by a search that has loaded a model, and answers the next search the same', async () => {
      const alone = await search({ KEBAB_SERVICE: 'off' });
      expect((await status()).is_running).toBe(false);
      expect((await search()).hits).toEqual(alone.hits);
      const { answered } = await started();
      expect((await search()).hits).toEqual(alone.hits);
      const { service } = await status();
      expect(service?.answered).toBeGreaterThan(answered);
    });

    it('spares a search the database, the model and their code', async () => {
      const child = await serve();
      const record = path.join(home.folder, 'modules.json');
      const options = { home, nodeArgs: ['--require', recorder], env: { ...env, RECORD_MODULES: record } };
      expect((await cli.run(['search', 'salt', '--json'], options)).code).toBe(0);
      const loaded = (JSON.parse(readFileSync(record, 'utf8')) as string[]).filter((file) => file.includes('/bundle/'));
      const chunks = new Set(loaded.map((file) => path.basename(file).split('-')[0] ?? ''));
      expect(chunks).toEqual(new Set(['main.cjs', 'rolldown', 'service', 'thin']));
      child.kill('SIGTERM');
      await ended(child);
    });

    it('is not started by a search by words, in read-only mode, or where the settings switch it off', async () => {
      await run(['search', 'salt', '--mode', 'lexical']);
      await run(['search', 'salt', '--mode', 'vector', '--readonly']);
      await search({ KEBAB_READONLY: '1' });
      await search({ KEBAB_SERVE_MODE: 'off' });
      expect(existsSync(path.join(home.folder, 'state/kebab/service'))).toBe(false);
    });

    it('writes nothing on standard output, and what it does into the log', async () => {
      const child = await serve();
      await search();
      child.kill('SIGTERM');
      expect(await ended(child)).toBe(0);
      expect(child.stdout.read()).toBeNull();
      const logs = path.join(home.folder, 'state/kebab/logs');
      expect(readdirSync(logs)).toHaveLength(1);
      expect(readdirSync(path.join(home.folder, 'state/kebab/service'))).toEqual([]);
    });

    it('can be killed while it answers, and the command answers itself', async () => {
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
        expect([service?.answered, undefined]).toContain((await status()).service?.answered); // it may have given way
      } finally {
        other.remove();
      }
      child.kill('SIGTERM');
      await ended(child);
    });

    it('answers the tools of `kebab mcp`, which load no model and no database of their own', async () => {
      const child = await serve();
      const server = spawn(process.execPath, [cli.bin, 'mcp'], {
        env: { PATH: process.env['PATH'] ?? '', ...home.env, ...env },
        cwd: home.folder,
      });
      const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
      const request = async (method: string, params: unknown): Promise<Record<string, unknown>> => {
        server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
        return JSON.parse(String((await lines.next()).value)) as Record<string, unknown>;
      };
      const clientInfo = { name: 'test', version: '1' };
      await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
      const { answered = 0 } = (await status()).service ?? {};
      const found = await request('tools/call', { name: 'search', arguments: { query: 'salt', mode: 'vector' } });
      expect(JSON.stringify(found)).toContain('salt.md');
      expect((await status()).service?.answered).toBeGreaterThan(answered);
      child.kill('SIGKILL');
      await ended(child);
      const again = await request('tools/call', { name: 'search', arguments: { query: 'fire', mode: 'vector' } });
      expect(JSON.stringify(again)).toContain('fire.md');
      server.stdin.end();
      await ended(server);
    });

    it('refuses a second one, and says how it stands', async () => {
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
