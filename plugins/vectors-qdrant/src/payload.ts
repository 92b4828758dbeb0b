import type { DocumentId, EmbeddingId, VectorPayload, VectorRecord, ChunkId } from '@kebab/core';

/** The name of the vector of each point that has an embedding. */
export const VECTOR = 'dense';
/** The name of the collection of words, and of the sparse vector of its points. */
export const WORDS = 'words';

/** The payload of a point. Filters use it, so every member except `path` is indexed. */
export interface PointPayload {
  readonly embedding_id: EmbeddingId;
  readonly doc_id: DocumentId;
  readonly tag?: readonly string[];
  readonly lang?: string;
  readonly trust?: VectorPayload['trustLevel'];
  readonly media?: VectorPayload['media'];
  /** Milliseconds since 1970. */
  readonly committed_at?: number;
  readonly repo?: string | null;
  readonly code_lang?: string | null;
  readonly source?: string;
  readonly source_type?: VectorPayload['sourceType'];
  readonly path?: string;
}

/** The type of index of each filterable member. */
export const PAYLOAD_INDEXES: Readonly<Record<Exclude<keyof PointPayload, 'path'>, 'keyword' | 'integer'>> = {
  embedding_id: 'keyword',
  doc_id: 'keyword',
  tag: 'keyword',
  lang: 'keyword',
  trust: 'keyword',
  media: 'keyword',
  committed_at: 'integer',
  repo: 'keyword',
  code_lang: 'keyword',
  source: 'keyword',
  source_type: 'keyword',
};

/** The payload of a record's point. */
export function payloadOf({ embeddingId, docId, payload }: VectorRecord): PointPayload {
  return { embedding_id: embeddingId, doc_id: docId, ...(payload === undefined ? {} : documentPayload(payload)) };
}

/** The part of a payload that describes the document. */
export function documentPayload(payload: VectorPayload): Omit<PointPayload, 'embedding_id' | 'doc_id'> {
  return {
    tag: payload.tags,
    lang: payload.lang,
    trust: payload.trustLevel,
    media: payload.media,
    committed_at: payload.committedAt.getTime(),
    repo: payload.repo,
    code_lang: payload.codeLang,
    source: payload.sourceId,
    source_type: payload.sourceType,
    path: payload.workspacePath,
  };
}

/** The document's metadata in a payload; undefined if there is none. */
export function vectorPayloadOf(point: PointPayload): VectorPayload | undefined {
  const { tag, lang, trust, media, committed_at: committedMs, source, source_type: sourceType, path } = point;
  if (lang === undefined || trust === undefined || media === undefined || source === undefined) return undefined;
  if (sourceType === undefined || committedMs === undefined || path === undefined) return undefined;
  return {
    tags: tag ?? [],
    lang,
    trustLevel: trust,
    media,
    committedAt: new Date(committedMs),
    repo: point.repo ?? null,
    codeLang: point.code_lang ?? null,
    sourceId: source,
    sourceType,
    workspacePath: path,
  };
}

/** Converts a chunk id to the UUID of its point. */
export function pointIdOf(chunkId: ChunkId): string {
  return [
    chunkId.slice(0, 8),
    chunkId.slice(8, 12),
    chunkId.slice(12, 16),
    chunkId.slice(16, 20),
    chunkId.slice(20),
  ].join('-');
}

/** The chunk id of a point: its UUID without dashes. */
export function chunkIdOf(pointId: string | number): ChunkId {
  return String(pointId).replaceAll('-', '').toLowerCase() as ChunkId;
}
