// Ranking quality on the judged sets, through the App, beside the better of the reference figures in each set's README.
//   npm run eval:retrieval [set …]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { documentIdOf, readJudgedSet, writeAsMarkdown } from './lib/judged-set.ts';
import { openBenchApp } from './lib/open-bench-app.ts';
import { meanMetrics, rankingMetrics, type RankingMetrics } from './lib/ranking-metrics.ts';
import { sharedData } from './lib/shared-data.ts';

/** nDCG@10 of the reference BM25 of each set: plain, and its best variant (stop words and Porter, bigrams, code tokens). */
const REFERENCES: Readonly<Record<string, { readonly plain: number; readonly best: number }>> = {
  cranfield: { plain: 0.317, best: 0.342 },
  cacm: { plain: 0.417, best: 0.475 },
  squad2: { plain: 0.821, best: 0.838 },
  'ko-autorag': { plain: 0.813, best: 0.929 },
  'cosqa-dev': { plain: 0.34, best: 0.359 },
};

/** Hits are chunks and judgments are documents: a page of this size holds ten different documents nearly always. */
const HITS = 40;

async function evaluate(folder: string): Promise<{ readonly queries: number; readonly metrics: RankingMetrics }> {
  const set = readJudgedSet(folder);
  const work = await mkdtemp(path.join(tmpdir(), 'kebab-eval-'));
  try {
    const corpus = path.join(work, 'corpus');
    await writeAsMarkdown(set, corpus);
    const app = await openBenchApp(corpus, path.join(work, 'data'));
    try {
      const report = await app.ingest({ summaryOnly: true });
      if (report.errors > 0) throw new Error(`${report.errors} documents failed`);
      const scored: RankingMetrics[] = [];
      for (const { text, grades } of set.queries) {
        const { hits } = await app.search({ text, k: HITS, mode: 'lexical' });
        scored.push(
          rankingMetrics(
            hits.map((hit) => documentIdOf(hit.doc_path)),
            grades,
          ),
        );
      }
      return { queries: scored.length, metrics: meanMetrics(scored) };
    } finally {
      await app.close();
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

const wanted = process.argv.slice(2);
const shown = (value: number): string => value.toFixed(3).padStart(9);
console.log('set          queries  nDCG@10  recall@10   MRR@10   reference plain  best   ratio to best');
for (const [name, reference] of Object.entries(REFERENCES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const folder = sharedData(name);
  if (folder === null) continue;
  const { queries, metrics } = await evaluate(folder);
  const ratio = metrics.ndcg10 / reference.best;
  console.log(
    `${name.padEnd(12)} ${String(queries).padStart(7)}${shown(metrics.ndcg10)}${shown(metrics.recall10)}  ${shown(metrics.mrr10)}` +
      `${shown(reference.plain)}${shown(reference.best)}${shown(ratio)}`,
  );
}
