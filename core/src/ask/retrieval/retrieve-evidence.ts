import type { AnalysedQuery } from '../../analysis/analysed-query.ts';
import type { Evidence } from './evidence.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { AbortOptions } from '../../contracts/contribution.ts';
import type { ChunkWithDocument } from '../../contracts/document-store.ts';
import type { Embedder } from '../../contracts/embedder.ts';
import type { ChunkId } from '../../domain/ids.ts';
import type { AskedFilters, Mode } from '../../domain/query.ts';
import type { Ports } from '../../ports.ts';
import type { CosineScale } from '../../relevance/estimate-relevance.ts';
import { type JudgedPassage, judgePassages, judgeTogether } from '../../relevance/judge-passages.ts';
import type { SearchOptions, SearchQuery } from '../../requests/search.ts';
import type { SearchHit, SearchResponse } from '../../wire/index.ts';

/** What is looked up for a question or a part of it. */
interface EvidenceRequest {
  readonly query: string;
  readonly mode: Mode;
  readonly k: number;
  readonly filters: AskedFilters;
  readonly explain: boolean;
}

/** What a lookup found: the response of the search, and each hit as evidence with its relevance, in rank order. */
interface RetrievedEvidence {
  readonly response: SearchResponse;
  readonly evidence: readonly Evidence[];
  /** What the hits are worth together; null without hits. */
  readonly together: JudgedPassage | null;
  /** The embedder whose vectors took part; null when none did. */
  readonly embedder: Embedder | null;
}

/** Searches as `search` does, and hands over with the page what it was made from. */
export type Retrieve = (query: SearchQuery, options: SearchOptions & AbortOptions) => Promise<RetrievedPage>;

/** A page of hits with what it was made from. */
interface RetrievedPage {
  readonly response: SearchResponse;
  /** The query as it was read. */
  readonly analysed: AnalysedQuery;
  /** The chunk of each hit. */
  readonly found: readonly ChunkWithDocument[];
  /** What the cosines of the hits mean; null where no vectors took part. */
  readonly scale: CosineScale | null;
  /** How relevant each chunk is; null where the search did not ask, as one does that is explained. */
  readonly judged: ReadonlyMap<ChunkId, JudgedPassage> | null;
}

/** Where evidence comes from. */
interface EvidenceSources {
  readonly retrieve: Retrieve;
  readonly embedders: Ports['embedders'];
  readonly lexicalIndex: Ports['lexicalIndex'];
  readonly config: Pick<ResolvedConfig, 'models'>;
}

/** Searches as `search` does, and measures how relevant each hit is. Errors as for a search. */
export async function retrieveEvidence(
  { retrieve, embedders, lexicalIndex, config }: EvidenceSources,
  { query, mode, k, filters, explain }: EvidenceRequest,
  options: AbortOptions = {},
): Promise<RetrievedEvidence> {
  const retrieval = await retrieve({ text: query, mode, k, filters }, { ...options, explain });
  const embedder =
    retrieval.response.mode === 'lexical' ? null : await embedderOf(embedders, config.models.embedding.provider);
  const index = await lexicalIndex.read();
  const chunks = new Map(retrieval.found.map((found) => [found.chunk.chunkId as string, found]));
  const pairs = retrieval.response.hits.flatMap((hit) => {
    const found = chunks.get(hit.chunk_id);
    const { vector_score: cosine, rerank_score: reranked } = hit.retrieval;
    return found === undefined ? [] : [{ hit, found, cosine, reranked }];
  });
  const judged =
    retrieval.judged === null
      ? await judgePassages(retrieval.analysed.embeddingText, pairs, { index, scale: retrieval.scale })
      : pairs.flatMap(({ found }) => retrieval.judged?.get(found.chunk.chunkId) ?? []);
  const evidence = pairs.map(({ hit, found }, at) => toEvidence(hit, found, judged[at]?.relevance ?? 0));
  const together = judgeTogether(judged, retrieval.response.mode);
  return { response: retrieval.response, evidence, together, embedder };
}

/** A retriever of a plugin needs no embedder; its cosines are then taken as they are. */
async function embedderOf(embedders: Ports['embedders'], provider: string): Promise<Embedder | null> {
  if (!embedders.names().some(({ id }) => id === provider)) return null;
  return embedders.get(provider).catch(() => null);
}

function toEvidence(hit: SearchHit, { chunk, document }: ChunkWithDocument, score: number): Evidence {
  return {
    key: chunk.chunkId,
    chunkId: chunk.chunkId,
    docId: chunk.docId,
    title: document.title,
    headingPath: chunk.headingPath,
    trust: document.trustLevel,
    text: chunk.text,
    citation: hit.citation,
    score: Math.round(score * 1e6) / 1e6,
    indexed_at: hit.indexed_at,
    stale: hit.stale,
    freshness: hit.freshness,
    bm25: hit.retrieval.lexical_score,
    cosine: hit.retrieval.vector_score,
  };
}

/** A text as a query that only names words: quotes, plus and minus signs in it demand and exclude nothing. */
export function plainQuery(text: string): string {
  return text
    .replaceAll(/(^|\s)[+-]+(?=\S)/g, '$1')
    .replaceAll('"', ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
