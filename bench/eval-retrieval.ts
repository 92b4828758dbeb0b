// Measures ranking quality on the judged sets, through the App, beside the reference figures in each set's README.
//   npm run eval:retrieval -- [--mode lexical|vector|hybrid|all] [--model <folder or name>] [set …]
// Without --model the search is lexical only.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { App } from '@kebab/core/app';
import { documentIdOf } from './lib/judged-set.ts';
import { openBenchApp } from './lib/open-bench-app.ts';
import { meanMetrics, rankingMetrics, type RankingMetrics } from './lib/ranking-metrics.ts';
import { retrievalSets, type RetrievalSet } from './lib/retrieval-sets.ts';

const MODES = ['lexical', 'vector', 'hybrid'] as const;
type Mode = (typeof MODES)[number];

/** Hits are chunks and judgments are documents: a page of this size almost always contains ten different documents. */
const HITS = 40;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { mode: { type: 'string' }, model: { type: 'string' } },
});
const mode = values.mode ?? (values.model === undefined ? 'lexical' : 'all');
const modes = mode === 'all' ? MODES : MODES.filter((one) => one === mode);
if (modes.length === 0) throw new Error(`--mode is lexical, vector, hybrid or all, not ${mode}`);
if (values.model === undefined && mode !== 'lexical') throw new Error(`--mode ${mode} needs --model`);

console.log('set              mode     queries  nDCG@10  recall@10   MRR@10   reference plain  best   ratio to best');
for (const set of retrievalSets(positionals)) await evaluate(set);

async function evaluate(set: RetrievalSet): Promise<void> {
  const work = await mkdtemp(path.join(tmpdir(), 'kebab-eval-'));
  try {
    await set.write(path.join(work, 'corpus'));
    const app = await openBenchApp(path.join(work, 'corpus'), path.join(work, 'data'), embeddingOf(values.model));
    try {
      const report = await app.ingest({ summaryOnly: true });
      if (report.errors > 0) throw new Error(`${report.errors} documents failed`);
      for (const one of modes) print(set, one, await score(app, set, one));
    } finally {
      await app.close();
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function score(app: App, set: RetrievalSet, asked: Mode): Promise<RankingMetrics> {
  const scored: RankingMetrics[] = [];
  for (const { text, grades } of set.queries) {
    const { hits } = await app.search({ text, k: HITS, mode: asked });
    const documents = hits.map(({ doc_path: file }) => documentIdOf(file));
    scored.push(rankingMetrics(documents, grades));
  }
  return meanMetrics(scored);
}

/** The configuration of the embedder: a folder with a model, or the name of a known one. */
function embeddingOf(model: string | undefined): Readonly<Record<string, string>> {
  if (model === undefined) return { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' };
  const named = /[/\\]/.test(model) ? path.resolve(model) : model;
  return { KEBAB_MODELS_EMBEDDING_PROVIDER: 'transformers', KEBAB_MODELS_EMBEDDING_MODEL: named };
}

function print(
  { name, reference: { plain, best }, queries }: RetrievalSet,
  asked: Mode,
  metrics: RankingMetrics,
): void {
  console.log(
    `${name.padEnd(16)} ${asked.padEnd(8)} ${String(queries.length).padStart(7)}${shown(metrics.ndcg10)}` +
      `${shown(metrics.recall10)}  ${shown(metrics.mrr10)}${shown(plain)}${shown(best)}${shown(metrics.ndcg10 / best)}`,
  );
}

function shown(value: number): string {
  return value.toFixed(3).padStart(9);
}
