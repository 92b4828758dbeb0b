import type { ChunkWithDocument } from '../contracts/document-store.ts';
import { codeFacts } from '../documents/code-facts.ts';
import type { Mode } from '../domain/query.ts';
import type { Citation, SearchHit } from '../wire/index.ts';
import type { ChunkRank } from './chunk-rank.ts';
import type { Snippet } from './fit-budget.ts';
import type { FreshnessState } from '../documents/freshness.ts';

/** Everything a hit is written from. */
export interface HitParts {
  /** 1-based, absolute across pages. */
  readonly rank: number;
  readonly entry: ChunkRank;
  readonly found: ChunkWithDocument;
  readonly citation: Citation;
  readonly snippet: Snippet;
  readonly state: FreshnessState;
  /** Where the near-identical passages lie that this hit stands for; the first few of them. */
  readonly duplicatePaths: readonly string[];
  /** The mode that really ran. */
  readonly mode: Mode;
  readonly indexVersion: string;
  /** Null when the vector side did not run. */
  readonly embeddingModel: string | null;
}

/** What the score of a hit means in each mode. */
export const SCORE_KINDS = { lexical: 'bm25', vector: 'cosine', hybrid: 'rrf' } as const satisfies Readonly<
  Record<Mode, SearchHit['score_kind']>
>;

/** Writes search_hit.v1: the one place where a hit takes its wire form. Scores are told to six digits. */
export function toSearchHit(parts: HitParts): SearchHit {
  const { entry, mode, state } = parts;
  const { chunk, document } = parts.found;
  return {
    schema_version: 'search_hit.v1',
    rank: parts.rank,
    score: sixDigits(entry.score),
    score_kind: entry.rerank === undefined ? SCORE_KINDS[mode] : 'rerank',
    chunk_id: chunk.chunkId,
    doc_id: chunk.docId,
    doc_path: document.workspacePath,
    source_id: document.sourceId,
    media: document.media,
    lang: document.lang,
    heading_path: chunk.headingPath,
    section_label: chunk.sectionLabel,
    ...parts.snippet,
    citation: parts.citation,
    retrieval: {
      method: mode,
      lexical_score: sixDigitsOrNull(entry.lexical?.score),
      vector_score: sixDigitsOrNull(entry.vector?.score),
      fusion_score: sixDigitsOrNull(entry.fusionScore),
      lexical_rank: entry.lexical?.rank ?? null,
      vector_rank: entry.vector?.rank ?? null,
      ...(entry.contributed === undefined
        ? {}
        : {
            retrievers: [...entry.contributed].map(([id, { rank, score }]) => ({ id, rank, score: sixDigits(score) })),
          }),
      ...(entry.rerank === undefined
        ? {}
        : { rerank_score: sixDigits(entry.rerank.score), rerank_rank: entry.rerank.rank }),
    },
    index_version: parts.indexVersion,
    embedding_model: parts.embeddingModel,
    chunker_version: chunk.chunkerVersion,
    trust_level: document.trustLevel,
    source_type: document.sourceType,
    indexed_at: document.indexedAt.toISOString(),
    stale: state.stale,
    freshness: state.freshness,
    ...codeFacts(document),
    ...duplicateFacts(parts),
  };
}

/** What is known of near-identical passages; no keys at all where there are none. */
function duplicateFacts({
  entry,
  duplicatePaths,
}: HitParts): Pick<SearchHit, 'duplicates' | 'duplicate_paths' | 'duplicate_of'> {
  const { duplicates, duplicateOf } = entry;
  if (duplicates !== undefined) return { duplicates: duplicates.length, duplicate_paths: duplicatePaths };
  return duplicateOf === undefined ? {} : { duplicate_of: duplicateOf };
}

/** A number without the digits that mean nothing. */
export function sixDigits(value: number): number {
  return Number(value.toPrecision(6));
}

function sixDigitsOrNull(value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : sixDigits(value);
}
