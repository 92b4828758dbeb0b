// Runs kebab for a team on this machine, and fails when something is lost: a private PostgreSQL, a double of Qdrant, two workers, MCP over
// HTTP and the page. It compares the answers of the team's base with those of a file, stops each part once, moves everything to a file and
// back, and compares the hashes.
//   npm run build && node --import ./scripts/run-ts.mjs scripts/team.ts
// KEBAB_TEST_QDRANT_URL names a real Qdrant; KEBAB_TEAM_DOCUMENTS how many documents of the judged set are used (400), and
// KEBAB_TEAM_QUERIES how many of its queries (40).
import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readJudgedSet, writeAsMarkdown } from '../bench/lib/judged-set.ts';
import { sharedData } from '../bench/lib/shared-data.ts';
import { startFakeQdrant } from '../plugins/vectors-qdrant/test/fake-qdrant.ts';
import { findPostgres, restartCluster, startCluster, stopCluster } from './postgres-cluster.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = path.join(root, 'host-cli/bin/kebab.cjs');
const MAX_DOCUMENTS = Number(process.env['KEBAB_TEAM_DOCUMENTS'] ?? 400);
const QUERIES = Number(process.env['KEBAB_TEAM_QUERIES'] ?? 40);

if (findPostgres() === null) {
  console.log('skipped: PostgreSQL is not installed');
  process.exit(0);
}

const folder = mkdtempSync(path.join(tmpdir(), 'kebab-team-'));
const cluster = path.join(folder, 'postgres');
const docs = path.join(folder, 'docs');
const failures: string[] = [];
const children = new Set<ChildProcess>();

/** One line of the report. */
function report(isRight: boolean, what: string): void {
  if (!isRight) failures.push(what);
  console.log(`${isRight ? 'ok      ' : 'FAILED  '}${what}`);
}

function skip(what: string): void {
  console.log(`skipped ${what}`);
}

type Env = Readonly<Record<string, string>>;

function environment(name: string, more: Env): Env {
  const home = path.join(folder, name);
  mkdirSync(home, { recursive: true });
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    KEBAB_WORKSPACE_ROOT: docs,
    KEBAB_SERVE_MODE: 'off',
    KEBAB_SEARCH_MIN_RELEVANCE: '0',
    ...more,
  };
}

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The double of Qdrant answers in this process, so that nothing may block it. */
async function kebab(line: readonly string[], env: Env): Promise<Run> {
  const child = start(line, env);
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (data) => (stdout += String(data)));
  child.stderr?.on('data', (data) => (stderr += String(data)));
  await new Promise((resolve) => child.once('close', resolve));
  return { code: child.exitCode, stdout, stderr };
}

async function json<T>(line: readonly string[], env: Env): Promise<T> {
  const { stdout, stderr, code } = await kebab([line[0] ?? '', '--json', ...line.slice(1)], env);
  try {
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as T;
  } catch {
    throw new Error(`kebab ${line.join(' ')} ended with ${code}: ${stderr.slice(0, 2000)}`);
  }
}

function start(line: readonly string[], env: Env): ChildProcess {
  const child = spawn(process.execPath, [program, ...line], { env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once('exit', resolve));
}

interface Hits {
  readonly hits: readonly { readonly doc_path: string; readonly chunk_id: string }[];
  readonly mode: string;
}

async function answersOf(queries: readonly string[], env: Env): Promise<readonly (readonly string[])[]> {
  const answers: (readonly string[])[] = [];
  for (const text of queries) {
    const { hits } = await json<Hits>(['search', '--k', '10', '--no-refresh', '--', text], env);
    answers.push(hits.map(({ chunk_id }) => chunk_id));
  }
  return answers;
}

/** How many queries have the same first hit, and the same first ten. */
function agreement(a: readonly (readonly string[])[], b: readonly (readonly string[])[]): readonly [number, number] {
  const first = a.filter((hits, at) => hits[0] === b[at]?.[0]).length;
  const ten = a.filter((hits, at) => hits.toSorted().join() === (b[at] ?? []).toSorted().join()).length;
  return [first, ten];
}

async function prepareDocuments(): Promise<readonly string[]> {
  const name = ['cranfield', 'ko-autorag'].find((set) =>
    existsSync(path.join(root, '../shared/data', set, 'qrels.tsv')),
  );
  const set = name === undefined ? null : sharedData(name);
  if (set === null) {
    cpSync(path.join(root, 'docs'), docs, { recursive: true, filter: (file) => !file.includes('wire-schema') });
    return ['how is a move interrupted', 'what is a chunk', 'where are vectors kept', 'secrets in documents'];
  }
  const judged = readJudgedSet(set);
  const documents = judged.documents.slice(0, MAX_DOCUMENTS);
  await writeAsMarkdown({ ...judged, documents }, docs);
  const ids = new Set(documents.map(({ id }) => id));
  const useful = judged.queries.filter(({ grades }) => [...grades.keys()].some((id) => ids.has(id)));
  return useful.slice(0, QUERIES).map(({ text }) => text);
}

function killCluster(): void {
  process.kill(Number.parseInt(readFileSync(path.join(cluster, 'data/postmaster.pid'), 'utf8'), 10), 'SIGQUIT');
}

interface Status {
  readonly documents: number;
  readonly chunks: number;
  readonly queue?: { readonly waiting: number; readonly running: number; readonly failed: number };
}

interface Moved {
  readonly hash: string;
  readonly parts: readonly { readonly part: string; readonly count: number; readonly copied: number }[];
}

/** Starts a server of the command line, and resolves to the address it prints. */
async function served(
  line: readonly string[],
  env: Env,
): Promise<{ readonly child: ChildProcess; readonly url: string | null }> {
  const child = start(line, env);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (text += String(data)));
  for (let attempt = 0; attempt < 200 && child.exitCode === null; attempt++) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
    if (url !== undefined) return { child, url };
    await sleep(100);
  }
  console.log(text);
  return { child, url: null };
}

async function statusOf(url: string): Promise<number> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(10_000) })).status;
  } catch {
    return 0;
  }
}

async function main(): Promise<void> {
  const queries = await prepareDocuments();
  const model = path.join(root, '../shared/models/potion-base-4M-int8');
  const embedding: Env = existsSync(model)
    ? { KEBAB_MODELS_EMBEDDING_MODEL: model }
    : { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' };
  if (!existsSync(model)) skip('vectors: ../shared/models/potion-base-4M-int8 is not there');
  mkdirSync(cluster);
  const url = await startCluster(cluster);
  const given = process.env['KEBAB_TEST_QDRANT_URL'];
  let qdrant = given === undefined ? await startFakeQdrant() : null;
  const qdrantUrl = given ?? qdrant?.url ?? '';

  const alone = environment('alone', embedding);
  const first = await json<{ readonly new: number }>(['ingest', '--summary-only'], alone);
  const inFile = await json<Status>(['status'], alone);
  const expected = await answersOf(queries, alone);
  console.log(`        ${first.new} documents, ${inFile.chunks} passages, ${queries.length} queries`);

  const server: Env = {
    KEBAB_STORAGE_DOCUMENT_STORE: 'postgres',
    KEBAB_STORAGE_POSTGRES_URL: url,
    KEBAB_STORAGE_POSTGRES_JOB_LEASE_S: '3',
    KEBAB_STORAGE_VECTOR_STORE: 'qdrant',
    KEBAB_STORAGE_QDRANT_URL: qdrantUrl,
  };
  const moved = await json<Moved>(['move', '--to', url, '--qdrant', qdrantUrl], alone);
  const team = environment('team', { ...embedding, ...server });
  report(
    (await json<Status>(['status'], team)).documents === inFile.documents,
    'a base that was moved has all documents',
  );
  const [one, ten] = agreement(expected, await answersOf(queries, team));
  report(
    one >= queries.length * 0.97 && ten >= queries.length * 0.95,
    `the server gives the answers of the file: ${one} of ${queries.length} first hits, ${ten} first tens`,
  );

  const queued = environment('queued', { ...embedding, ...server, KEBAB_STORAGE_POSTGRES_SCHEMA: 'queued' });
  const left = await json<{ readonly queued?: number }>(['ingest', '--queue', '--summary-only'], queued);
  report(left.queued === first.new, `an ingest leaves ${left.queued} files to workers`);
  const doomed = start(['worker'], queued);
  await sleep(2500);
  doomed.kill('SIGKILL');
  const workers = [0, 1].map(() => start(['worker', '--until-empty', '--json'], queued));
  await sleep(1500);
  killCluster();
  await sleep(500);
  await restartCluster(cluster);
  const codes = await Promise.all(workers.map(ended));
  if (codes.some((code) => code !== 0)) {
    console.log(`        workers ended with ${codes.join(' and ')} when PostgreSQL was stopped; one goes on`);
    await ended(start(['worker', '--until-empty', '--json'], queued));
  }
  const after = await json<Status>(['status'], queued);
  report(
    after.queue === undefined,
    `the queue is empty after a killed worker and a killed PostgreSQL: ${JSON.stringify(after.queue ?? {})}`,
  );
  report(
    after.documents === inFile.documents && after.chunks === inFile.chunks,
    'workers have indexed the same documents and passages',
  );
  const again = await json<{ readonly unchanged: number }>(['ingest', '--summary-only'], queued);
  report(again.unchanged === first.new, 'nothing is left for an ingest');

  for (const [name, line] of [
    ['MCP over HTTP', ['mcp', '--port', '0']],
    ['the page', ['ui', '--no-open', '--port', '0']],
  ] as const) {
    const { child, url: address } = await served(line, team);
    report(address !== null && (await statusOf(address)) > 0, `${name} answers`);
    if (address !== null && (await statusOf(`${address}/healthz`)) === 200) {
      killCluster();
      await sleep(500);
      report((await statusOf(`${address}/readyz`)) === 503, `${name} is not ready without PostgreSQL`);
      await restartCluster(cluster);
      report((await statusOf(`${address}/readyz`)) === 200, `${name} is ready again`);
    } else skip(`${name}: /healthz and /readyz are not there`);
    child.kill('SIGTERM');
    await ended(child);
  }

  if (qdrant !== null && existsSync(model)) {
    const { port, collections } = qdrant;
    await qdrant.close();
    const without = await kebab(['search', '--json', '--no-refresh', '--', queries[0] ?? ''], team);
    report(
      without.code === 0 && (JSON.parse(without.stdout) as Hits).mode === 'lexical',
      'without Qdrant a search uses words',
    );
    qdrant = await startFakeQdrant({ port });
    for (const [name, collection] of collections) qdrant.collections.set(name, collection);
  }
  killCluster();
  await sleep(500);
  const down = await kebab(['search', '--', 'anything'], team);
  report(down.code === 2 && down.stderr.includes('127.0.0.1'), 'without PostgreSQL a search names the server');
  await restartCluster(cluster);

  const back = await json<Moved>(['move', '--to', path.join(folder, 'back.sqlite')], team);
  report(back.hash === moved.hash, 'a base that was moved to the server and back has the hash it had');
  const file = environment('back', { ...embedding, KEBAB_STORAGE_SQLITE: path.join(folder, 'back.sqlite') });
  const [same] = agreement(expected, await answersOf(queries, file));
  report(same >= queries.length * 0.97, `the file gives its answers again: ${same} of ${queries.length} first hits`);
  await qdrant?.close();
}

try {
  await main();
} catch (error) {
  report(false, error instanceof Error ? (error.stack ?? error.message) : String(error));
} finally {
  for (const child of children) child.kill('SIGKILL');
  stopCluster(cluster);
  rmSync(folder, { recursive: true, force: true });
}
writeFileSync(1, failures.length === 0 ? 'all right\n' : `${failures.length} failed\n`);
process.exit(failures.length === 0 ? 0 : 1);
