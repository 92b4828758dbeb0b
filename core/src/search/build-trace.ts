import type { AnalysedQuery } from '../analysis/analyse-query.ts';
import type { RankedChunk } from '../contracts/retriever.ts';
import type { Trace, TraceEntry } from '../wire/index.ts';
import type { Fusion, Ranking } from './rank-chunks.ts';
import { sixDigits } from '../domain/json.ts';
import { relaxedOf } from './read-operators.ts';

/** Builds the trace of a result: what each side returned, what was fused, how the query was interpreted, how long it took. */
export function buildTrace(query: AnalysedQuery, ranking: Ranking, totalMs: number): Trace {
  return {
    lexical: ranking.lexical.map(toEntry),
    vector: ranking.vector.map(toEntry),
    ...contributedLists(ranking),
    rrf_inputs: ranking.retrieved.flatMap(({ chunkId, lexical, vector, contributed, fusionScore, holdsAllWords }) =>
      fusionScore === null
        ? []
        : [
            {
              chunk_id: chunkId,
              lexical_rank: lexical?.rank ?? null,
              vector_rank: vector?.rank ?? null,
              ...(contributed === undefined
                ? {}
                : { retriever_ranks: [...contributed].map(([id, { rank }]) => ({ id, rank })) }),
              ...(holdsAllWords === undefined ? {} : { holds_all_words: holdsAllWords }),
              fusion_score: sixDigits(fusionScore),
            },
          ],
    ),
    ...stagesAfter(ranking),
    query: {
      terms: query.terms.map((term) => (term.kind === 'cjk_run' ? term.tokens.join(' ') : term.token)),
      phrases: [...query.phrases, ...(query.demands ?? [])].map(({ text }) => text),
      excluded: query.excluded.map(({ text }) => text),
      ...relaxedOf(query),
    },
    timing: {
      lexical_ms: microseconds(ranking.lexicalMs),
      vector_ms: microseconds(ranking.vectorMs),
      fusion_ms: microseconds(ranking.fusionMs),
      rerank_ms: microseconds(ranking.rerankMs),
      total_ms: microseconds(totalMs),
    },
  };
}

function contributedLists({ contributed }: Ranking): Pick<Trace, 'retrievers'> {
  if (contributed.length === 0) return {};
  const retrievers = contributed.map(({ id, ranking, ms }) => ({
    id,
    entries: ranking.map(toEntry),
    ms: microseconds(ms),
  }));
  return { retrievers };
}

/** The stages after retrieval; keys of stages that did not run are omitted. */
function stagesAfter({ fusion, entries }: Ranking): Pick<Trace, 'fusion' | 'code' | 'rerank' | 'duplicates'> {
  const code = entries.flatMap(({ chunkId, code: rank }) =>
    rank === undefined
      ? []
      : [{ chunk_id: chunkId, ...rank, fit: sixDigits(rank.fit), factor: sixDigits(rank.factor) }],
  );
  const rerank = entries.flatMap(({ chunkId, rerank: rank }) =>
    rank === undefined ? [] : [toEntry({ chunkId, ...rank })],
  );
  const duplicates = entries.flatMap(({ chunkId, duplicateOf }) =>
    duplicateOf === undefined ? [] : [{ chunk_id: chunkId, of: duplicateOf }],
  );
  return {
    ...(fusion === null ? {} : { fusion: toFusion(fusion) }),
    ...(code.length === 0 ? {} : { code }),
    ...(rerank.length === 0 ? {} : { rerank: rerank.toSorted((a, b) => a.rank - b.rank) }),
    ...(duplicates.length === 0 ? {} : { duplicates }),
  };
}

function toFusion(fusion: Fusion): NonNullable<Trace['fusion']> {
  const { method, rrfK, lexical, vector, allWords, why } = fusion;
  return {
    method,
    rrf_k: rrfK,
    weight_lexical: sixDigits(lexical),
    weight_vector: sixDigits(vector),
    ...(allWords === null ? {} : { weight_all_words: sixDigits(allWords) }),
    reason: why,
  };
}

function toEntry({ chunkId, rank, score }: RankedChunk): TraceEntry {
  return { chunk_id: chunkId, rank, score: sixDigits(score) };
}

/** Milliseconds, rounded to a microsecond. */
function microseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
