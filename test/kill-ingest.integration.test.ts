import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCli, jsonLines, type BuiltCli, type CliHome } from '../host-cli/test/fakes/built-cli.ts';

const KILLS = 5;
const FILES = 40;
let cli: BuiltCli;

beforeAll(async () => {
  cli = await buildCli();
}, 60_000);

afterAll(() => cli.remove());

const MODEL = fileURLToPath(new URL('../../shared/models/potion-base-4M-int8', import.meta.url));
const CONTEXTUAL = fileURLToPath(new URL('../../shared/models/all-MiniLM-L6-v2', import.meta.url));
/** Texts per embedding batch. */
const BATCH = 32;

type Env = Readonly<Record<string, string>>;

/** The files: Markdown of a few sections each, with a word that no other file has, which `search` finds it by. */
const NAMES = Array.from({ length: FILES }, (_, file) => `folder-${file % 7}/file-${file}.md`);
const markOf = (file: number): string =>
  `zq${String(file).padStart(6, '0')}qz`.replaceAll(/\d/g, (digit) => 'bcdfghjklm'[Number(digit)] ?? '');

function textOf(file: number): string {
  const sections = [1, 2, 3, 4].map((part) => {
    const sentences = `file ${file} tells about subject ${part * file}. `.repeat(40);
    return `## Part ${part}\n\n${sentences}\n\n- a list\n`;
  });
  return `# File ${file}\n\n${sections.join('\n')}\n\nThis file is ${markOf(file)}.\n`;
}

/**
 * Kills ingests at random moments, each after some files have changed, and lets one run to its end. A kill that comes after the end of its
 * ingest does not count, and the next one comes earlier. Returns what stands in the database then.
 */
async function killIngests(env: Env = {}) {
  const home = cli.newHome();
  const database = path.join(home.folder, 'data/kebab/kebab.sqlite');
  for (const [file, name] of NAMES.entries()) home.write(name, textOf(file));
  const started = performance.now();
  await cli.run(['ingest', '--quiet'], { home, env });
  let limitMs = performance.now() - started;
  rmSync(path.dirname(database), { recursive: true });
  let killed = 0;
  for (let attempt = 0; killed < KILLS && attempt < 5 * KILLS; attempt++) {
    for (const [file, name] of NAMES.entries())
      if (attempt > 0 && file % 3 === attempt % 3) home.write(name, `Change ${attempt}.\n\n${textOf(file)}`);
    if (await isKilledAfter(Math.random() * limitMs, home, env)) killed++;
    else limitMs = Math.max(100, limitMs * 0.8);
  }
  const { stdout } = await cli.run(['ingest', '--json', '--summary-only'], { home, env });
  const { errors } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { readonly errors: number };
  const found = await foundByMark(home, env);
  return { killed, errors, found, ...countsIn(database) };
}

async function isKilledAfter(afterMs: number, home: CliHome, env: Env): Promise<boolean> {
  const child = cli.start(['ingest', '--quiet'], { home, env });
  const ended = new Promise<boolean>((resolve) => child.once('exit', (_, signal) => resolve(signal === 'SIGKILL')));
  await Promise.race([delay(afterMs), ended]);
  child.kill('SIGKILL');
  return ended;
}

/** For each file, those in which a search finds its word. */
async function foundByMark(home: CliHome, env: Env): Promise<readonly unknown[]> {
  const queries = NAMES.map((_, file) => `${JSON.stringify({ query: markOf(file), mode: 'lexical' })}\n`);
  const { stdout } = await cli.run(['search', '--bulk', '--json'], { home, env, stdin: queries.join('') });
  return jsonLines(stdout).map((item) => {
    const { response } = item as { readonly response?: { readonly hits: readonly { readonly doc_path: string }[] } };
    return response?.hits.map((hit) => hit.doc_path).join();
  });
}

function countsIn(database: string) {
  const db = new Sqlite(database, { readonly: true });
  const one = (sql: string): unknown => db.prepare(sql).pluck().get();
  const withStatus = (status: string): unknown =>
    one(`SELECT count(*) FROM embedding_records WHERE status = '${status}'`);
  try {
    const hasStore = one("SELECT count(*) FROM sqlite_schema WHERE name = 'vector_slots'") === 1;
    return {
      integrity: one('PRAGMA integrity_check'),
      foreignKeys: db.pragma('foreign_key_check'),
      documents: one('SELECT count(*) FROM documents'),
      places: one('SELECT count(DISTINCT source_id || char(0) || workspace_path) FROM documents'),
      chunks: one('SELECT count(*) FROM chunks'),
      chunkCounts: one('SELECT total(chunk_count) FROM documents'),
      fullTextRows: one('SELECT count(*) FROM chunks_fts'),
      chunksWithoutFullText: one('SELECT count(*) FROM chunks WHERE seq NOT IN (SELECT rowid FROM chunks_fts)'),
      twins: one('SELECT count(*) FROM (SELECT 1 FROM chunks GROUP BY doc_seq, ordinal HAVING count(*) > 1)'),
      vectors: {
        committed: withStatus('committed'),
        pending: withStatus('pending'),
        tombstones: withStatus('tombstone'),
        stored: hasStore ? one('SELECT count(*) FROM vector_slots') : 0,
        documentsWithout: one('SELECT count(*) FROM documents WHERE embedding_fingerprint IS NULL'),
      },
    };
  } finally {
    db.close();
  }
}

/** The outcome if everything exists exactly once. */
const wholeWith = (chunks: unknown) => ({
  killed: KILLS,
  errors: 0,
  found: NAMES,
  integrity: 'ok',
  foreignKeys: [],
  documents: FILES,
  places: FILES,
  chunkCounts: chunks,
  fullTextRows: chunks,
  chunksWithoutFullText: 0,
  twins: 0,
});

/**
 * The number of texts that an ingest passed to the model, by its events; with `isKilled`, it is killed after the first answer of the model.
 */
async function embeddedBy(home: CliHome, { isKilled }: { readonly isKilled: boolean }) {
  const env = { ...home.env, KEBAB_SERVICE: 'off', KEBAB_MODELS_EMBEDDING_MODEL: CONTEXTUAL };
  const child = spawn(process.execPath, [cli.bin, 'ingest', '--json'], { cwd: home.folder, env });
  const counts = { started: 0, finished: 0 };
  child.stderr.resume();
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('close', (_, signal) => resolve(signal)));
  for await (const line of createInterface({ input: child.stdout })) {
    const { kind, n_chunks: texts } = JSON.parse(line) as { readonly kind?: string; readonly n_chunks?: number };
    if (kind === 'embed_batch_started') counts.started += texts ?? 0;
    if (kind === 'embed_batch_finished') counts.finished += texts ?? 0;
    if (isKilled && counts.finished > 0) child.kill('SIGKILL');
  }
  return { ...counts, signal: await ended };
}

describe('an ingest that is killed', { timeout: 120_000 }, () => {
  it('loses and duplicates nothing, and the next one completes it', async () => {
    const outcome = await killIngests();
    expect(outcome).toMatchObject(wholeWith(outcome.chunks));
  });

  it.skipIf(!existsSync(MODEL))(
    'ends with one vector per chunk (skipped without the model in ../shared/models)',
    async () => {
      const { vectors, ...outcome } = await killIngests({ KEBAB_MODELS_EMBEDDING_MODEL: MODEL });
      const { chunks } = outcome;
      expect(outcome).toMatchObject(wholeWith(chunks));
      expect(vectors).toEqual({ committed: chunks, stored: chunks, pending: 0, tombstones: 0, documentsWithout: 0 });
    },
  );

  it.skipIf(!existsSync(CONTEXTUAL))(
    'embeds again at most the last batch of its model (skipped without the model in ../shared/models)',
    async () => {
      const home = cli.newHome();
      for (let note = 0; note < 3 * BATCH; note++) home.write(`note-${note}.md`, `Dough number ${note} rises.\n`);
      const killed = await embeddedBy(home, { isKilled: true });
      expect(killed).toMatchObject({ signal: 'SIGKILL' });
      const { started, signal } = await embeddedBy(home, { isKilled: false });
      expect(signal).toBeNull();
      expect(started).toBeLessThanOrEqual(3 * BATCH - killed.finished);
      expect(started).toBeGreaterThan(0);
      expect((await embeddedBy(home, { isKilled: false })).started).toBe(0);
    },
  );
});
