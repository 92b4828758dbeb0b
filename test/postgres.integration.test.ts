import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCli, finished, type BuiltCli, type CliHome } from '../host-cli/test/fakes/built-cli.ts';
import { hasPostgres, testServerUrl } from '../scripts/postgres-cluster.ts';

const INTERRUPTIONS = 10;
/** Of few documents, not so many that are gone at once are removed. */
const OTHERS = ['bread.md', 'cake.md', 'jam.md', 'milk.md'];

let cli: BuiltCli;
let url: string;
const schemas: string[] = [];

/** A home whose knowledge base is in a schema of its own. */
function newHome(): CliHome & { readonly schema: string } {
  const home = cli.newHome();
  const schema = `t_${randomBytes(8).toString('hex')}`;
  schemas.push(schema);
  const env = {
    ...home.env,
    KEBAB_STORAGE_DOCUMENT_STORE: 'postgres',
    KEBAB_STORAGE_POSTGRES_URL: url,
    KEBAB_STORAGE_POSTGRES_SCHEMA: schema,
    KEBAB_MODELS_EMBEDDING_PROVIDER: 'none',
    KEBAB_SEARCH_REFRESH_BUDGET_MS: '60000',
  };
  return { ...home, env, schema };
}

async function query<Row extends pg.QueryResultRow>(
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

async function runJson(line: readonly string[], home: CliHome): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await cli.run([...line, '--json'], { home });
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
}

async function pathsIn(home: CliHome): Promise<readonly string[]> {
  const { stdout } = await cli.run(['list', 'docs', '--json'], { home });
  return [...stdout.matchAll(/"doc_path":"([^"]+)"/g)].map(([, name = '']) => name).toSorted();
}

function madeUp(files: number): readonly string[] {
  return Array.from({ length: files }, (_, at) => `note-${String(at).padStart(3, '0')}.md`);
}

function textOf(name: string): string {
  return Array.from({ length: 30 }, (_, at) => `## ${name} ${at}\n\nLine ${at} of ${name} about bread.\n`).join('\n');
}

describe.skipIf(!hasPostgres())('kebab on a PostgreSQL server', () => {
  beforeAll(async () => {
    cli = await buildCli();
    url = await testServerUrl();
  });

  afterAll(async () => {
    for (const schema of schemas) await query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    await cli.remove();
  });

  it('ingests, reads, notices what has changed, and resets', async () => {
    const home = newHome();
    home.write('tea.md', '# Tea\n\nGreen tea is brewed at 80 degrees.\n');
    home.write('odd/nul.txt', 'plain\0text with nul\n');
    for (const name of OTHERS) home.write(name, `# ${name}\n\nMore of it.\n`);
    expect(await runJson(['ingest'], home)).toMatchObject({ new: 6, unchanged: 0, errors: 0 });
    expect(await pathsIn(home)).toEqual([...OTHERS, 'odd/nul.txt', 'tea.md']);
    const { stdout } = await cli.run(['fetch', 'tea.md'], { home });
    expect(stdout).toContain('Green tea is brewed at 80 degrees.');
    expect(await runJson(['ingest'], home)).toMatchObject({ new: 0, unchanged: 6 });
    home.write('tea.md', '# Tea\n\nOolong is brewed at 90 degrees.\n');
    expect(await runJson(['search', 'oolong'], home)).toMatchObject({ hits: [{ doc_path: 'tea.md' }] });
    rmSync(path.join(home.workspace, 'odd/nul.txt'));
    expect(await runJson(['ingest'], home)).toMatchObject({ unchanged: 5, purged: 1 });
    expect(await pathsIn(home)).toEqual([...OTHERS, 'tea.md']);
    const status = await runJson(['status'], home);
    expect(status).toMatchObject({
      documents: 5,
      database: expect.stringContaining(`?schema=${home.schema}`) as string,
    });
    expect((await cli.run(['doctor'], { home })).stdout).toMatch(/✓ database_open +postgres:\/\/127\.0\.0\.1/);
    // With an embedder, but without Qdrant, there are no vectors: nothing waits for them.
    const withModel = { ...home, env: { ...home.env, KEBAB_MODELS_EMBEDDING_PROVIDER: 'transformers' } };
    expect(await runJson(['status'], withModel)).toMatchObject({
      embedding: { state: 'off' },
      next: 'kebab search "…"',
    });
    expect((await cli.run(['doctor'], { home: withModel })).stdout).toMatch(/✓ embeddings_complete +nothing embeds/);
    const reset = await runJson(['reset', '--data-only', '--yes'], home);
    expect(reset).toMatchObject({ removed_paths: [expect.stringContaining(home.schema) as string] });
    expect(await query('SELECT FROM pg_namespace WHERE nspname = $1', [home.schema])).toEqual([]);
  });

  it('finds documents by their words, and refuses what none of them says', async () => {
    const home = newHome();
    home.write('tea.md', '# Tea\n\nGreen tea is brewed at 80 degrees.\n');
    home.write('coffee.md', '# Coffee\n\nEspresso needs nine bars of pressure.\n');
    await runJson(['ingest'], home);
    const { stdout } = await cli.run(['search', 'pressure of espresso', '--mode', 'lexical', '--json'], { home });
    expect(stdout).toContain('coffee.md');
    expect(stdout).not.toContain('tea.md');
    const refused = await cli.run(['ask', 'how far is Jupiter'], { home });
    expect(refused.stdout).toContain('Not enough evidence');
  });

  it('says in one line that the server cannot be reached, without the password', async () => {
    const home = newHome();
    const env = { ...home.env, KEBAB_STORAGE_POSTGRES_URL: 'postgres://me:hidden-word@127.0.0.1:1/kebab' };
    for (const line of [['ingest'], ['search', 'tea'], ['list', 'docs'], ['status'], ['doctor'], ['config', 'show']]) {
      const { stdout, stderr } = await cli.run(line, { home, env });
      expect(stdout + stderr).not.toContain('hidden-word');
      if (line[0] !== 'config') expect(stdout + stderr).toContain('PostgreSQL at 127.0.0.1:1 cannot be reached');
    }
  });

  it('refuses a lease that a worker, which reports each second, cannot keep', async () => {
    const home = newHome();
    const env = { ...home.env, KEBAB_STORAGE_POSTGRES_JOB_LEASE_S: '2' };
    const { code, stderr } = await cli.run(['worker', '--until-empty'], { home, env });
    expect([code, stderr]).toEqual([2, expect.stringContaining('must be a whole number from 3, not 2')]);
  });

  it('refuses to write while another machine writes, and names it', async () => {
    const home = newHome();
    home.write('a.md', 'text\n');
    await runJson(['ingest'], home);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("SELECT pg_advisory_lock(hashtext('kebab writer'), hashtext($1))", [home.schema]);
    const { code, stderr } = await cli.run(['ingest'], { home });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/is being written by another process/)]);
    await client.end();
    expect(await runJson(['ingest'], home)).toMatchObject({ unchanged: 1 });
  });

  it('loses and duplicates nothing when ingests are killed', async () => {
    const home = newHome();
    const names = madeUp(40);
    for (const name of names) home.write(name, textOf(name));
    for (let kill = 0; kill < INTERRUPTIONS; kill++) {
      const child = cli.start(['ingest'], { home });
      const ended = finished(child, '');
      await sleep(300 + kill * 60);
      child.kill('SIGKILL');
      await ended;
      await assertWhole(home, names);
    }
    expect(await runJson(['ingest'], home)).toMatchObject({ errors: 0 });
    expect(await pathsIn(home)).toEqual(names);
    await assertWhole(home, names);
  });

  it('loses and duplicates nothing when the server ends the connections of ingests', async () => {
    const home = newHome();
    const names = madeUp(40);
    for (const name of names) home.write(name, textOf(name));
    for (let loss = 0; loss < INTERRUPTIONS; loss++) {
      home.write(names[loss] ?? '', `${textOf('changed')}${loss}\n`);
      const ended = finished(cli.start(['ingest'], { home }), '');
      await sleep(300 + loss * 40);
      await query(
        `SELECT pg_terminate_backend(backend) FROM "${home.schema}".writer WHERE to_regclass($1) IS NOT NULL`,
        [`${home.schema}.writer`],
      ).catch(() => {}); // the tables are not made yet
      const { code, stderr } = await ended;
      expect(code === 0 || /was lost|could not be|PostgreSQL/.test(stderr), stderr).toBe(true);
      await assertWhole(home, names);
    }
    expect(await runJson(['ingest'], home)).toMatchObject({ errors: 0 });
    expect(await pathsIn(home)).toEqual(names);
    await assertWhole(home, names);
  });

  /** What is visible is a set of whole documents, each once. */
  async function assertWhole(home: CliHome & { readonly schema: string }, names: readonly string[]): Promise<void> {
    const { code, stdout } = await cli.run(['doctor', '--json'], { home });
    const { checks } = JSON.parse(stdout) as {
      readonly checks: readonly { readonly name: string; readonly ok: boolean }[];
    };
    const database = checks.find(({ name }) => name === 'database_open');
    if (!stdout.includes('nothing has been indexed yet'))
      expect({ code, database }).toMatchObject({ database: { ok: true } });
    const paths = await pathsIn(home);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths.filter((name) => !names.includes(name))).toEqual([]);
  }
});
