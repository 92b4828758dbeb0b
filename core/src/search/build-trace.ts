import type { AnalysedQuery, QueryTerm } from '../analysis/analysed-query.ts';
import type { RankedChunk } from '../contracts/retriever.ts';
import type { Trace, TraceEntry } from '../wire/index.ts';
import type { Ranking } from './rank-chunks.ts';
import { sixDigits } from './to-search-hit.ts';

/** Tells how a result came about: what each side returned, what was fused, how the query was read, how long it took. */
export function buildTrace(query: AnalysedQuery, ranking: Ranking, totalMs: number): Trace {
  return {
    lexical: ranking.lexical.map(toEntry),
    vector: ranking.vector.map(toEntry),
    rrf_inputs: ranking.entries.flatMap(({ chunkId, lexical, vector, fusionScore }) =>
      fusionScore === null
        ? []
        : [
            {
              chunk_id: chunkId,
              lexical_rank: lexical?.rank ?? null,
              vector_rank: vector?.rank ?? null,
              fusion_score: sixDigits(fusionScore),
            },
          ],
    ),
    query: {
      terms: query.terms.map(termText),
      phrases: query.phrases.map(({ text }) => text),
      excluded: query.excluded.map(({ text }) => text),
    },
    timing: {
      lexical_ms: microseconds(ranking.lexicalMs),
      vector_ms: microseconds(ranking.vectorMs),
      fusion_ms: microseconds(ranking.fusionMs),
      rerank_ms: 0,
      total_ms: microseconds(totalMs),
    },
  };
}

function toEntry({ chunkId, rank, score }: RankedChunk): TraceEntry {
  return { chunk_id: chunkId, rank, score: sixDigits(score) };
}

function termText(term: QueryTerm): string {
  return term.kind === 'cjk_run' ? term.tokens.join(' ') : term.token;
}

/** Milliseconds, exact to a microsecond. */
function microseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
