// Measures lexical search compared with bare FTS5 on the same index, in one process, alternating: queries of one to three words, questions
// of 8 to 20 words, growth from a quarter of a corpus to all of it, analysis per character; and how often the first ten equal those of an
// exhaustive ranking.
//   node --import ./scripts/run-ts.mjs bench/lexical-search.ts [corpus folder] [queries of each kind]
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { analyseChunk, analyseQuery, type AnalysedQuery } from '@kebab/core';
import type { Database } from 'better-sqlite3';
import { openDatabase } from '../plugins/store-sqlite/src/database/open-database.ts';
import { rankingUnits } from '../plugins/store-sqlite/src/lexical/match-expressions.ts';
import { SqliteLexicalIndex } from '../plugins/store-sqlite/src/lexical/sqlite-lexical-index.ts';
import { readJudgedSet, writeAsMarkdown } from './lib/judged-set.ts';
import { drawQueries, markdownFiles } from './lib/lexical-questions.ts';
import { openBenchApp } from './lib/open-bench-app.ts';
import { sharedData } from './lib/shared-data.ts';
import { unboundedRanking } from './lib/unbounded-ranking.ts';

const JUDGED = ['cranfield', 'cacm', 'squad2', 'ko-autorag', 'cosqa-dev'];

const work = mkdtempSync(path.join(tmpdir(), 'kebab-lexical-'));
try {
  const corpus = process.argv[2] ?? unpackCorpus();
  if (corpus !== null) await measure(corpus, Number(process.argv[3] ?? 200));
  await compareJudged();
} finally {
  rmSync(work, { recursive: true, force: true });
}

function unpackCorpus(): string | null {
  const data = sharedData('md5k');
  if (data === null) return null;
  execFileSync('tar', ['-xzf', path.join(data, 'md5k.tar.gz'), '-C', work]);
  return path.join(work, 'corpus-md5k');
}

async function measure(corpus: string, count: number): Promise<void> {
  printAnalysis(corpus);
  const { short, questions } = drawQueries(corpus, count);
  const sizes: Size[] = [];
  for (const every of [4, 1]) {
    const folder = path.join(work, `every-${every}`);
    for (const [i, file] of markdownFiles(corpus).entries())
      if (i % every === 0) cpSync(file, path.join(folder, path.relative(corpus, file)));
    const db = await ingest(folder);
    const chunks = db.prepare('SELECT count(*) FROM chunks').pluck().get() as number;
    console.log(`\n${chunks} chunks, CPU milliseconds p50 / p95`);
    await compareWithFts5(db, '1 to 3 words', short.map(analyseQuery));
    sizes.push({ chunks, questionMs: await compareWithFts5(db, '8 to 20 words', questions.map(analyseQuery)) });
    await printUnchanged(db, 'questions', questions.slice(0, 100));
    db.close();
  }
  const [small, large] = sizes as [Size, Size];
  const growth = large.questionMs / small.questionMs;
  console.log(
    `\nquestions: ${growth.toFixed(2)} × the time for ${(large.chunks / small.chunks).toFixed(2)} × the chunks`,
  );
}

interface Size {
  readonly chunks: number;
  readonly questionMs: number;
}

async function ingest(folder: string): Promise<Database> {
  const data = mkdtempSync(path.join(work, 'data-'));
  const app = await openBenchApp(folder, data);
  const { errors } = await app.ingest({ summaryOnly: true });
  await app.close();
  if (errors > 0) throw new Error(`${errors} documents failed`);
  return openDatabase({ file: path.join(data, 'kebab.sqlite'), readonly: true, now: () => new Date() });
}

/** Runs each query once on both sides, alternating; neither side has seen a query before. Returns our median. */
async function compareWithFts5(db: Database, name: string, queries: readonly AnalysedQuery[]): Promise<number> {
  const index = new SqliteLexicalIndex(db);
  // All the work is synchronous, before the promise is returned.
  const search = (query: AnalysedQuery): void => void index.search(query, {}, 10);
  const bare = db.prepare('SELECT rowid FROM chunks_fts WHERE chunks_fts MATCH ? ORDER BY rank LIMIT 10');
  await index.search(analyseQuery('warm up'), {}, 10);
  const samples = queries.map((query) => {
    const expression = rankingUnits(query)
      .map((unit) => unit.expression)
      .join(' OR ');
    const fts5 = milliseconds(() => bare.all(expression));
    return { fts5, ours: milliseconds(() => search(query)) };
  });
  const again = queries.map((query) => milliseconds(() => search(query)));
  const fts5 = quantiles(samples.map((sample) => sample.fts5));
  const ours = quantiles(samples.map((sample) => sample.ours));
  const later = quantiles(again);
  console.log(
    `${name.padEnd(14)} FTS5 ${shown(fts5)}   ours ${shown(ours)}   again ${shown(later)}   ratio ${(ours.p50 / fts5.p50).toFixed(2)}`,
  );
  return ours.p50;
}

function printAnalysis(corpus: string): void {
  const pieces = markdownFiles(corpus).flatMap((file) => readFileSync(file, 'utf8').match(/[^]{1,1500}/g) ?? []);
  const characters = pieces.reduce((sum, { length }) => sum + length, 0);
  const material = { title: 'Title', headingPath: ['Title', 'Section'], workspacePath: 'a/file-name.md' };
  const rest = { symbol: null, extra: [], prefix: null };
  const rounds = Array.from({ length: 3 }, () =>
    milliseconds(() => {
      for (const text of pieces) analyseChunk({ ...material, ...rest, text });
    }),
  );
  console.log(`analysis: ${((Math.min(...rounds) * 1e6) / characters).toFixed(1)} ns a character`);
}

async function compareJudged(): Promise<void> {
  console.log('');
  for (const name of JUDGED) {
    const data = sharedData(name);
    if (data === null) continue;
    const set = readJudgedSet(data);
    const folder = path.join(work, name);
    await writeAsMarkdown(set, folder);
    const db = await ingest(folder);
    await printUnchanged(
      db,
      name,
      set.queries.map(({ text }) => text),
    );
    db.close();
  }
}

/** Phrases and exclusions are filters on both sides, so only the words are compared. */
async function printUnchanged(db: Database, name: string, texts: readonly string[]): Promise<void> {
  const index = new SqliteLexicalIndex(db);
  let unchanged = 0;
  for (const text of texts) {
    const query = analyseQuery(text.replaceAll(/["-]/g, ' '));
    const ours = (await index.search(query, {}, 10)).map(({ chunkId }) => chunkId);
    if (ours.join() === unboundedRanking(db, query, 10).join()) unchanged++;
  }
  const share = (100 * unchanged) / texts.length;
  console.log(`${name.padEnd(14)} first ten as without bounds: ${share.toFixed(1)} % of ${texts.length}`);
}

interface Quantiles {
  readonly p50: number;
  readonly p95: number;
}

function quantiles(samples: readonly number[]): Quantiles {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}

/** CPU time: equal to wall time on an idle machine, and nearly the same on a busy one. */
function milliseconds(body: () => unknown): number {
  const started = process.cpuUsage();
  body();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

function shown({ p50, p95 }: Quantiles): string {
  return `${p50.toFixed(2)} / ${p95.toFixed(2)}`;
}
