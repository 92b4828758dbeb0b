import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCli, type BuiltCli, type CliHome } from '../host-cli/test/fakes/built-cli.ts';
import { cliHere, type CliHere } from '../host-cli/test/fakes/cli-here.ts';

const NOTES = 12;
const env = { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' };

let here: CliHere;
let cli: BuiltCli;
/** Runs a command, in this process or in one of its own. */
let run: BuiltCli['run'];
let home: CliHome;
let data: string;
let whole: string;
let database: string;
let expected: readonly unknown[];

beforeAll(async () => {
  here = cliHere();
  run = here.run;
  home = here.newHome();
  for (let n = 0; n < NOTES; n++)
    home.write(
      `n${n}.md`,
      `---\ntags: [t${n}, red]\n---\n# Note ${n} of a wombat\n\nThe wombat digs burrow ${n}.\n\n## Food\n\nGrass and roots.\n`,
    );
  await run(['ingest', '--quiet'], { home, env });
  data = path.join(home.folder, 'data', 'kebab');
  database = path.join(data, 'kebab.sqlite');
  whole = path.join(home.folder, 'whole');
  cpSync(data, whole, { recursive: true });
  expected = await found();
}, 120_000);
afterAll(() => here.remove());

/** The hits of a search: places, scores and hashes. */
async function found(): Promise<readonly unknown[]> {
  const { stdout, stderr, code } = await run(['search', 'wombat burrow', '--tag', 'red', '--json', '-k', '20'], {
    home,
    env,
  });
  expect(stderr).toBe('');
  expect(code).toBe(0);
  const { hits } = JSON.parse(stdout) as { hits: readonly { citation: unknown; score: number; snippet: string }[] };
  return hits.map(({ citation, score, snippet }) => ({ citation, score, snippet }));
}

function restore(): void {
  rmSync(data, { recursive: true });
  cpSync(whole, data, { recursive: true });
}

function damage(sql: string): void {
  const db = new Sqlite(database);
  db.unsafeMode(true);
  db.exec(`PRAGMA foreign_keys = OFF; ${sql}`);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

/** Overwrites the page that a table begins at. */
function overwrite(table: string): void {
  const db = new Sqlite(database, { readonly: true });
  const page = Number(db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(table));
  const size = Number(db.pragma('page_size', { simple: true }));
  db.close();
  const bytes = readFileSync(database);
  bytes.fill('Z', (page - 1) * size, page * size);
  writeFileSync(database, bytes);
}

/** The first value of a query of the database. */
function value(sql: string): unknown {
  const db = new Sqlite(database, { readonly: true });
  try {
    return db.prepare(sql).pluck().get();
  } finally {
    db.close();
  }
}

interface Report {
  readonly damage: readonly { readonly table: string | null; readonly problem: string }[];
  readonly read_again: readonly string[];
  readonly incomplete: readonly { readonly doc_path: string; readonly lost: string }[];
  readonly failed: readonly string[];
  readonly set_aside: string | null;
}

async function repair(...flags: readonly string[]): Promise<Report> {
  const { stdout, stderr } = await run(['repair', '--json', ...flags], { home, env });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Report;
}

interface Problem {
  readonly code: string;
  readonly details: { readonly table: string | null };
  readonly hint: string;
}

/** The error of a search; null when it finds something, even if not everything. */
async function failure(): Promise<Problem | null> {
  const { stderr, code } = await run(['search', 'wombat', '--json'], { home, env });
  return code === 0 || code === 1 ? null : (JSON.parse(stderr) as Problem);
}

/** The checks that `doctor` reports as unhealthy. */
async function unhealthy(...flags: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await run(['doctor', '--json', ...flags], { home, env });
  const { checks } = JSON.parse(stdout) as { checks: readonly { name: string; ok: boolean; hint?: string }[] };
  return checks.flatMap(({ name, ok, hint }) => (ok ? [] : [`${name}: ${hint}`]));
}

/** The damage, and the table that a search names (null: the search still finds something). */
const DAMAGES: readonly (readonly [name: string, act: string | (() => void), table: string | null])[] = [
  ['the table of chunks', 'DROP TABLE chunks', 'chunks'],
  ['the table of texts', 'DROP TABLE document_texts', 'document_texts'],
  ['the table of blocks', 'DROP TABLE document_blocks', 'document_blocks'],
  ['the table of tags', 'DROP TABLE document_tags', null],
  ['the table of assets', 'DROP TABLE assets', 'assets'],
  ['the table of documents', 'DROP TABLE documents', 'documents'],
  ['the facts about the database', 'DROP TABLE schema_meta; DROP TABLE migrations; DROP TABLE kv', 'kv'],
  ['an index and a trigger', 'DROP INDEX idx_docs_asset; DROP TRIGGER documents_bd', null],
  ['spans', "UPDATE chunks SET source_spans_json = 'x'", 'chunks'],
  ['metadata', 'UPDATE documents SET metadata_json = \'{"tags":\' WHERE seq % 2 = 0', 'documents'],
  ['blocks', "UPDATE document_blocks SET blocks_json = '[[9,'", null],
  ['blocks that are JSON', "UPDATE document_blocks SET blocks_json = '[[77,1]]'", null],
  ['the segments of the full text', 'DELETE FROM chunks_fts_data WHERE id > 10', 'chunks_fts'],
  ['a part of the full text', 'DROP TABLE chunks_fts_data', 'chunks_fts'],
  ['the full text', 'DROP TABLE chunks_fts', 'chunks_fts'],
  ['some chunks', 'DELETE FROM chunks WHERE seq % 9 = 0', null],
  ['some texts', 'DELETE FROM document_texts WHERE doc_seq % 10 = 0', null],
  ['a page of chunks', () => overwrite('chunks'), ''],
  ['a page of the full text', () => overwrite('chunks_fts_data'), ''],
];

describe('kebab repair', { timeout: 120_000 }, () => {
  it.each(DAMAGES)('makes up for damage to %s, as search and doctor advise', async (_name, act, table) => {
    restore();
    if (typeof act === 'string') damage(act);
    else act();
    const problem = await failure();
    if (table === null) expect(problem).toBeNull();
    else expect(problem).toMatchObject({ code: 'store_damaged', details: { table: table === '' ? null : table } });
    if (problem !== null) expect(problem.hint).toContain('`kebab repair`');
    const isDeep = _name === 'blocks that are JSON';
    const hints = await unhealthy(...(isDeep ? ['--deep'] : []));
    expect(hints.join()).toContain('kebab repair');
    const before = readFileSync(database);
    const plan = await repair('--dry-run');
    expect(readFileSync(database).equals(before)).toBe(true);
    const report = await repair();
    expect(report.damage).toEqual(expect.arrayContaining([...plan.damage]));
    expect(report).toMatchObject({ incomplete: [], failed: [], set_aside: `${database}.damaged-1` });
    expect(report.read_again).toHaveLength(NOTES);
    expect(await unhealthy('--deep')).toEqual([]);
    expect(await found()).toEqual(expected);
  });

  it('leaves nothing to repair, and no file of its own', async () => {
    restore();
    damage('DROP TABLE chunks');
    await repair();
    expect(await repair()).toMatchObject({ damage: [], read_again: [] });
    expect(readdirSync(data).filter((name) => name.endsWith('.repair'))).toEqual([]);
  });

  it.each([
    ['missing', (): void => rmSync(database)],
    ['an empty file', (): void => writeFileSync(database, '')],
  ])('leaves a database that is %s to the next ingest', async (_what, act) => {
    restore();
    for (const suffix of ['-wal', '-shm']) rmSync(database + suffix, { force: true });
    act();
    expect((await run(['repair', '--json'], { home })).code).toBe(0);
    expect((await run(['ingest', '--quiet'], { home, env })).stderr).toBe('');
    expect(await found()).toEqual(expected);
  });
});

describe('the kebab program running `kebab repair`', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    cli = await buildCli();
    run = (args, options) => cli.run(args, options);
  });
  afterAll(() => cli.remove());

  it('sets aside a database that cannot be opened, and builds a new one from the files', async () => {
    restore();
    const bytes = readFileSync(database);
    bytes.fill('Z', 100, 8192);
    writeFileSync(database, bytes);
    expect(await failure()).toMatchObject({ code: 'store_damaged' });
    const report = await repair();
    expect(report.set_aside).toBe(`${database}.damaged-1`);
    expect(readFileSync(`${database}.damaged-1`).equals(bytes)).toBe(true);
    expect(await found()).toEqual(expected);
  });

  it('reports what it did when the folder to rebuild from is missing, and names its source', async () => {
    restore();
    writeFileSync(database, 'no database at all');
    const [notes, away] = [home.workspace, path.join(home.folder, 'away')];
    renameSync(notes, away);
    try {
      const { code, stdout } = await run(['repair'], { home, env });
      expect(code).toBe(4);
      expect(stdout).toContain(
        'failed    the folder of source "default" could not be read: restore or mount it, then kebab ingest\n',
      );
      expect(stdout).toContain(`kebab.sqlite.damaged-1 is the database as it was\n`);
      expect(stdout).toMatch(/^repaired  .*; conversations and answers cannot be kept$/m);
    } finally {
      renameSync(away, notes);
    }
    expect((await run(['ingest', '--quiet'], { home, env })).code).toBe(0);
    expect(await found()).toEqual(expected);
  });

  it('keeps conversations, answers and cached texts that can be read, and the id of the knowledge base', async () => {
    restore();
    const id = value("SELECT value FROM kv WHERE key = 'knowledge_base'");
    damage(`INSERT INTO chat_sessions VALUES ('s', 1, 2, 'kept', '{}');
      INSERT INTO chat_turns VALUES ('a', 's', 0, 'question', 'answer', '[]', '[]', 1), ('b', 's', 1, 'q', 'a', '[', '[]', 1);
      INSERT INTO derivation_cache VALUES ('page', 'ocr', x'00', '2999-01-01', '2999-01-01'); DROP TABLE chunks`);
    await repair();
    expect(value('SELECT group_concat(question) FROM chat_turns')).toBe('question');
    expect(value('SELECT title FROM chat_sessions')).toBe('kept');
    expect(value("SELECT count(*) FROM derivation_cache WHERE cache_key = 'page'")).toBe(1);
    expect(value("SELECT value FROM kv WHERE key = 'knowledge_base'")).toBe(id);
    expect(await unhealthy('--deep')).toEqual([]);
  });

  it('names a document whose file is gone', async () => {
    restore();
    damage("UPDATE chunks SET source_spans_json = 'x'");
    const file = path.join(home.workspace, 'n7.md');
    const there = readFileSync(file);
    rmSync(file);
    try {
      const { incomplete } = await repair();
      expect(incomplete).toEqual([{ doc_path: 'n7.md', source_id: 'default', lost: 'everything' }]);
    } finally {
      writeFileSync(file, there);
    }
  });

  it('loses nothing when it is killed at any moment', async () => {
    restore();
    damage("UPDATE chunks SET source_spans_json = 'x'; DELETE FROM chunks_fts_data WHERE id > 10");
    for (const afterMs of [60, 120, 180, 240, 300, 450, 600]) {
      const child = cli.start(['repair'], { home, env });
      const ended = new Promise((resolve) => child.once('close', resolve));
      setTimeout(() => child.kill('SIGKILL'), afterMs);
      await ended;
    }
    await repair();
    expect(await unhealthy('--deep')).toEqual([]);
    expect((await cli.run(['ingest', '--quiet'], { home, env })).code).toBe(0);
    expect(await found()).toEqual(expected);
  });
});
