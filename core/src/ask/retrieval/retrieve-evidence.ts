import type { AnalysedQuery } from '../../analysis/analyse-query.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { AbortOptions } from '../../contracts/contribution.ts';
import type { ChunkWithDocument } from '../../contracts/document-store.ts';
import type { Embedder } from '../../contracts/embedder.ts';
import { blake3Short } from '../../domain/blake3.ts';
import type { ChunkId, DocumentId } from '../../domain/ids.ts';
import { mediaTypeOf } from '../../domain/media.ts';
import type { AskedFilters, Mode } from '../../domain/query.ts';
import { formatUri } from '../../domain/uri.ts';
import type { Ports } from '../../ports.ts';
import {
  type CosineScale,
  type JudgedPassage,
  judgePassages,
  judgeTogether,
} from '../../relevance/estimate-relevance.ts';
import { MAX_PER_DOCUMENT, type SearchOptions, type SearchQuery } from '../../requests/search.ts';
import type { SearchHit, SearchResponse, AnswerCitation, Citation } from '../../wire/index.ts';
import type { ResolvedFile } from '../submit/resolve-file-refs.ts';

/** A search for a question or a part of it. */
interface EvidenceRequest {
  readonly query: string;
  readonly mode: Mode;
  readonly k: number;
  readonly filters: AskedFilters;
  readonly explain: boolean;
}

/** The result of a search for evidence: the search response, and each hit as evidence with its relevance, in rank order. */
interface RetrievedEvidence {
  readonly response: SearchResponse;
  readonly evidence: readonly Evidence[];
  /** The joint relevance of the hits; null without hits. */
  readonly together: JudgedPassage | null;
  /** The embedder whose vectors took part; null when none did. */
  readonly embedder: Embedder | null;
}

/** Searches like `search`, and also returns the data the page was built from. */
export type Retrieve = (query: SearchQuery, options: SearchOptions & AbortOptions) => Promise<RetrievedPage>;

/** A page of hits with the data it was built from. */
interface RetrievedPage {
  readonly response: SearchResponse;
  /** The analysed query. */
  readonly analysed: AnalysedQuery;
  /** The chunk of each hit. */
  readonly found: readonly ChunkWithDocument[];
  /** The scale of the cosines of the hits; null when no vectors took part. */
  readonly scale: CosineScale | null;
  /** The relevance of each chunk; null unless the search computed it, as an explained one does. */
  readonly judged: ReadonlyMap<ChunkId, JudgedPassage> | null;
}

/** The sources of evidence. */
interface EvidenceSources {
  readonly retrieve: Retrieve;
  readonly embedders: Ports['embedders'];
  readonly lexicalIndex: Ports['lexicalIndex'];
  readonly config: Pick<ResolvedConfig, 'models'>;
}

/** Searches like `search`, and measures the relevance of each hit. Errors as for a search. */
export async function retrieveEvidence(
  { retrieve, embedders, lexicalIndex, config }: EvidenceSources,
  { query, mode, k, filters, explain }: EvidenceRequest,
  options: AbortOptions = {},
): Promise<RetrievedEvidence> {
  const retrieval = await retrieve(
    { text: query, mode, k, filters },
    { ...options, explain, perDoc: MAX_PER_DOCUMENT },
  );
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
  const together = judgeTogether(judged);
  return { response: retrieval.response, evidence, together, embedder };
}

/** A plugin retriever needs no embedder; its cosines are then used unchanged. */
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

/** Converts a text to a query of plain words: quotes, plus and minus signs in it have no effect. */
export function plainQuery(text: string): string {
  return text
    .replaceAll(/(^|\s)[+-]+(?=\S)/g, '$1')
    .replaceAll('"', ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** The minimum relevance for an answer in the mode that ran: `rag.score_gate`, or the override of the mode. */
export function scoreGate(rag: ResolvedConfig['rag'], mode: Mode): number {
  switch (mode) {
    case 'lexical':
      return rag.scoreGateLexical ?? rag.scoreGate;
    case 'vector':
      return rag.scoreGateVector ?? rag.scoreGate;
    case 'hybrid':
      return rag.scoreGateHybrid ?? rag.scoreGate;
    default:
      return mode satisfies never;
  }
}

/** A passage that an answer may be based on: a chunk, or a file that the question refers to. */
export interface Evidence extends Pick<AnswerCitation, 'citation' | 'score' | 'indexed_at' | 'stale' | 'freshness'> {
  /** Identifies it: the chunk, or the location of the file. */
  readonly key: string;
  /** Null for a file. */
  readonly chunkId: ChunkId | null;
  readonly docId: DocumentId | null;
  readonly title: string;
  readonly headingPath: readonly string[];
  readonly trust: string;
  readonly text: string;
  /** Its scores from the lexical and the vector side; null when they did not find it. */
  readonly bm25: number | null;
  readonly cosine: number | null;
}

/** Turns a file that a question refers to into evidence: fully relevant, just read, cited by the lines that are sent. */
export function fileEvidence(file: ResolvedFile, now: Date): Evidence {
  const { sourceId, workspacePath, body, lines, path } = file;
  return {
    key: `file:${sourceId}:${workspacePath}`,
    chunkId: null,
    docId: null,
    title: path,
    headingPath: [],
    trust: 'primary',
    text: body,
    citation: citationOf({ sourceId, workspacePath, lines, end: lineCount(body) }),
    score: 1,
    indexed_at: now.toISOString(),
    stale: false,
    freshness: 'fresh',
    bm25: null,
    cosine: null,
  };
}

function citationOf(file: {
  readonly sourceId: string;
  readonly workspacePath: string;
  readonly lines: string;
  readonly end: number;
}): Citation {
  const { sourceId, workspacePath: path, lines, end } = file;
  const media = mediaTypeOf(path);
  const place = { sourceId, path, fragment: { kind: 'line', start: 1, end } } as const;
  const hash = blake3Short(canonical(lines));
  const head = {
    schema_version: 'citation.v1',
    path,
    uri: formatUri(place),
    permalink: formatUri({ ...place, pin: hash }),
    content_hash: hash,
    ...(sourceId === 'default' ? {} : { source_id: sourceId }),
  } as const;
  if (media.kind !== 'code') return { ...head, kind: 'line', start: 1, end, section: null };
  return { ...head, kind: 'code', line_start: 1, line_end: end, symbol: null, lang: media.lang };
}

/** The number of lines of a text; an empty last piece does not count, and an empty text has one line. */
function lineCount(text: string): number {
  const pieces = canonical(text).split('\n');
  return Math.max(1, pieces.at(-1) === '' ? pieces.length - 1 : pieces.length);
}

/** Normalises line ends as in a document's text. */
function canonical(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
