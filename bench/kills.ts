// Kills parts of a team's knowledge base while it indexes, and fails if something is lost, twice, or shown before it is committed: workers,
// ingests, connections in a transaction, PostgreSQL as a whole, and a double of Qdrant that is away for a while.
//   npm run build && node --import ./scripts/run-ts.mjs bench/kills.ts
// KEBAB_KILLS says how many parts are killed (20).
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import driver from 'pg';
import { startFakeQdrant } from '../plugins/vectors-qdrant/test/fake-qdrant.ts';
import { findPostgres, restartCluster, startCluster, stopCluster } from '../scripts/postgres-cluster.ts';

const KILLS = Number(process.env['KEBAB_KILLS'] ?? 20);
const FILES = 120;
const WORKERS = 2;
const KILLS_A_ROUND = 10;
const SETTLE_MS = 180_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const program = path.join(root, 'host-cli/bin/kebab.cjs');
const model = path.join(root, '../shared/models/potion-base-4M-int8');

if (findPostgres() === null) {
  console.log('skipped: PostgreSQL is not installed');
  process.exit(0);
}

const folder = mkdtempSync(path.join(tmpdir(), 'kebab-kills-'));
const docs = path.join(folder, 'docs');
const cluster = path.join(folder, 'postgres');
for (const made of [docs, cluster]) mkdirSync(made);
const url = await startCluster(cluster);
let qdrant = await startFakeQdrant();
const embeds = existsSync(model);
const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: folder,
  KEBAB_WORKSPACE_ROOT: docs,
  KEBAB_SERVE_MODE: 'off',
  KEBAB_STORAGE_DOCUMENT_STORE: 'postgres',
  KEBAB_STORAGE_POSTGRES_URL: url,
  KEBAB_STORAGE_POSTGRES_JOB_LEASE_S: '3',
  KEBAB_STORAGE_VECTOR_STORE: 'qdrant',
  KEBAB_STORAGE_QDRANT_URL: qdrant.url,
  ...(embeds ? { KEBAB_MODELS_EMBEDDING_MODEL: model } : { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' }),
};
const failures = new Set<string>();
const workers = new Set<ChildProcess>();
const over = new AbortController();
let version = 0;
/** How many snapshots have been compared. */
let checks = 0;
/** The versions of each file that have been on the disk. */
const versions = new Map<string, number>();

function start(...line: readonly string[]): ChildProcess {
  return spawn(process.execPath, [program, ...line], { env, cwd: folder, stdio: 'ignore' });
}

function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once('exit', resolve));
}

/** Keeps a worker running, whatever ends it. */
async function employ(): Promise<void> {
  while (!over.signal.aborted) {
    const worker = start('worker');
    workers.add(worker);
    await ended(worker);
    workers.delete(worker);
  }
}

function write(count: number): void {
  for (let n = 0; n < count; n++) {
    const name = `note-${Math.floor(Math.random() * FILES)}.md`;
    version++;
    versions.set(name, version);
    const body = Array.from(
      { length: 6 },
      (_, at) => `## Part ${at}\n\nversion-${version} of ${name}, passage ${at}.\n`,
    );
    // In one step, since a worker may read the file at any moment.
    writeFileSync(path.join(folder, name), `# ${name}\n\n${body.join('\n')}`);
    renameSync(path.join(folder, name), path.join(docs, name));
  }
}

async function ask<T extends object>(text: string): Promise<readonly T[]> {
  const client = new driver.Client({ connectionString: url, options: '-c search_path=kebab' });
  client.on('error', () => {}); // the statement says so
  await client.connect();
  try {
    return (await client.query<T>(text)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** What may never be seen in one snapshot: a document without all of its passages and words, or two at one place. */
const BROKEN = `
  SELECT 'passages or words of ' || d.workspace_path AS path FROM documents d WHERE d.chunk_count <>
      (SELECT count(*) FROM chunks c WHERE c.doc_seq = d.seq AND c.seq IN (SELECT
        (p.block << 10) + get_byte(p.chunks, i) + (get_byte(p.chunks, i + 1) << 8)
        FROM postings p, generate_series(0, octet_length(p.chunks) - 1, 6) i))
  UNION ALL SELECT 'text of ' || d.workspace_path FROM documents d WHERE d.text_length <>
      (SELECT coalesce(sum(length(t.text)), 0) FROM document_texts t WHERE t.doc_seq = d.seq)
  UNION ALL SELECT workspace_path FROM documents GROUP BY source_id, workspace_path HAVING count(*) > 1
  UNION ALL SELECT 'totals' FROM kv WHERE key = 'word_totals'
    AND (value::json ->> 'chunks')::int <> (SELECT count(*) FROM chunks)
  UNION ALL SELECT 'passages without a document' FROM chunks c
    WHERE NOT EXISTS (SELECT FROM documents d WHERE d.seq = c.doc_seq) LIMIT 5`;

async function checkSnapshot(): Promise<void> {
  try {
    for (const { path: place } of await ask<{ readonly path: string }>(BROKEN))
      failures.add(`shown before it was whole: ${place}`);
    checks++;
  } catch {
    // the server has just been killed
  }
}

/** One kill. Returns what it was. */
async function kill(turn: number): Promise<string> {
  switch (turn % 5) {
    case 0:
    case 1: {
      const [worker] = [...workers].toSorted(() => Math.random() - 0.5);
      worker?.kill('SIGKILL');
      return 'a worker';
    }
    case 2: {
      const own = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'kebab' AND xact_start IS NOT NULL ORDER BY random() LIMIT 1`;
      for (let attempt = 0; attempt < 200; attempt++) {
        if ((await ask(own).catch(() => [])).length > 0) return 'a connection in a transaction';
        await sleep(10);
      }
      return 'no connection: none was in a transaction';
    }
    case 3: {
      process.kill(Number.parseInt(readFileSync(path.join(cluster, 'data/postmaster.pid'), 'utf8'), 10), 'SIGQUIT');
      await sleep(300);
      await restartCluster(cluster);
      return 'PostgreSQL';
    }
    default: {
      const { port, collections, aliases } = qdrant;
      await qdrant.close();
      await sleep(700);
      qdrant = await startFakeQdrant({ port });
      for (const [name, collection] of collections) qdrant.collections.set(name, collection);
      for (const [name, alias] of aliases) qdrant.aliases.set(name, alias);
      return 'Qdrant';
    }
  }
}

/** Waits until the workers have nothing left, and compares what is stored with the disk. */
async function settle(): Promise<void> {
  for (const started = performance.now(); ; await sleep(250)) {
    const left = await ask(`SELECT 1 FROM job_progress`).catch(() => [{}]);
    if (left.length === 0) break;
    if (performance.now() - started < SETTLE_MS) continue;
    failures.add('the queue did not become empty');
    break;
  }
  const rest = start('ingest', '--quiet');
  if ((await ended(rest)) !== 0) failures.add(`an ingest ended with ${rest.exitCode} when nothing was killed`);
  const rows = await ask<{ readonly path: string; readonly text: string }>(
    `SELECT d.workspace_path AS path, string_agg(t.text, '' ORDER BY t.start) AS text
     FROM documents d JOIN document_texts t ON t.doc_seq = d.seq GROUP BY d.seq, d.workspace_path`,
  );
  const stored = new Map(rows.map(({ path: place, text }) => [place, text]));
  if (rows.length !== versions.size) failures.add(`${rows.length} documents of ${versions.size} files`);
  for (const [name, last] of versions)
    if (stored.get(name)?.includes(`version-${last} of`) !== true) failures.add(`lost: version ${last} of ${name}`);
  await checkSnapshot();
  if (!embeds) return;
  const [counts] = await ask<{ readonly chunks: number; readonly committed: number; readonly pending: number }>(
    `SELECT (SELECT count(*) FROM chunks)::int AS chunks,
       count(*) FILTER (WHERE status = 'committed')::int AS committed,
       count(*) FILTER (WHERE status <> 'committed')::int AS pending FROM embedding_records`,
  );
  const points = [...qdrant.collections.values()].reduce((sum, { points: held }) => sum + held.size, 0);
  if (counts === undefined) return;
  const { chunks, committed, pending } = counts;
  if (committed !== chunks || pending > 0 || points !== chunks)
    failures.add(`${chunks} passages have ${committed} vectors, ${pending} unsettled, and ${points} points`);
}

const kills = new Map<string, number>();
try {
  for (let n = 0; n < FILES; n++) {
    versions.set(`note-${n}.md`, ++version);
    writeFileSync(path.join(docs, `note-${n}.md`), `# note-${n}.md\n\nversion-${version} of note-${n}.md\n`);
  }
  await ended(start('ingest', '--quiet'));
  const employed = Array.from({ length: WORKERS }, employ);
  for (let turn = 0; turn < KILLS; turn++) {
    write(FILES / 4);
    const ingest = start('ingest', '--queue', '--quiet');
    if (turn % 2 === 0) await ended(ingest);
    await sleep(Math.random() * 1500);
    const what = await kill(turn);
    kills.set(what, (kills.get(what) ?? 0) + 1);
    if (turn % 2 === 1) ingest.kill('SIGKILL');
    await ended(ingest);
    await checkSnapshot();
    if (turn % KILLS_A_ROUND === KILLS_A_ROUND - 1 || turn === KILLS - 1) {
      await settle();
      console.log(`${turn + 1} kills, ${checks} snapshots, ${failures.size} failures`);
      for (const failure of failures) console.log(`  ${failure}`);
    }
  }
  over.abort();
  for (const worker of workers) worker.kill('SIGTERM');
  await Promise.all(employed);
} catch (error) {
  failures.add(error instanceof Error ? (error.stack ?? error.message) : String(error));
} finally {
  over.abort();
  for (const worker of workers) worker.kill('SIGKILL');
  await qdrant.close();
  stopCluster(cluster);
  rmSync(folder, { recursive: true, force: true });
}
for (const [what, count] of kills) console.log(`${count} × ${what}`);
console.log(failures.size === 0 ? 'nothing lost, nothing twice, nothing shown too early' : [...failures].join('\n'));
process.exit(failures.size === 0 ? 0 : 1);
