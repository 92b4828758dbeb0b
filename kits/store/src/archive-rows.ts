import type { CanonicalDocument } from '@kebab/core';
import type {
  AssetId,
  Chunk,
  CommittedDocument,
  DerivationEntry,
  DocumentRow,
  IngestRunRow,
  RawAsset,
  VectorNote,
} from '@kebab/core/store';
import { toIndexText, type StoredIndexText } from './chunk-rows.ts';
import { toMediaType } from './columns.ts';
import type { Row } from './tables.ts';

/** What a model has derived, of its row. */
export function toDerivation({
  kind,
  cache_key: key,
  payload,
  last_used_at,
}: Pick<Row<'derivation_cache'>, 'kind' | 'cache_key' | 'payload' | 'last_used_at'>): DerivationEntry {
  return { kind: kind as DerivationEntry['kind'], key, payload, lastUsedAt: new Date(last_used_at) };
}

/** The columns of a {@link VectorNote}. */
export const VECTOR_NOTE_COLUMNS = [
  'embedding_id as embeddingId',
  'chunk_id as chunkId',
  'model_id as modelId',
  'model_version as modelVersion',
  'dimensions',
  'fingerprint',
  'store',
  'collection',
] as const;

/** The row of a vector that is about to be written, as of a time in RFC 3339. */
export function pendingVectorRow(note: VectorNote, time: string) {
  return {
    embedding_id: note.embeddingId,
    chunk_id: note.chunkId,
    model_id: note.modelId,
    model_version: note.modelVersion,
    dimensions: note.dimensions,
    fingerprint: note.fingerprint,
    store: note.store,
    collection: note.collection,
    status: 'pending',
    created_at: time,
  } as const;
}

/** The parts of a document as they were stored. */
export interface StoredParts {
  readonly row: DocumentRow;
  readonly document: CanonicalDocument;
  readonly chunks: readonly Chunk[];
  /** One per chunk, in the same order. */
  readonly indexed: readonly StoredIndexText[];
  readonly asset: Row<'assets'>;
}

/** The document as it was committed. */
export function toCommittedDocument({ row, document, chunks, indexed, asset }: StoredParts): CommittedDocument {
  return {
    asset: toAsset(asset, row.sourceId),
    document,
    chunks,
    index: chunks.map((chunk, at) => toIndexText(chunk, document, indexed[at])),
    fingerprints: row.fingerprints,
    chunkerVersion: row.chunkerVersion,
    file: row.file,
    committedAt: row.committedAt,
    indexedAt: row.indexedAt,
  };
}

/** The path of a reference is that of its file, which is stored once. */
function toAsset(row: Row<'assets'>, sourceId: string): RawAsset {
  const [kind = '', subtype] = row.media_type.split(/\/(.*)/s);
  const { source_uri: uri, checksum } = row;
  return {
    assetId: row.asset_id as AssetId,
    sourceId,
    sourceUri: uri === row.workspace_path ? { kb: uri } : { file: uri },
    workspacePath: row.workspace_path,
    mediaType: toMediaType(kind, subtype ?? null),
    byteLen: row.byte_len,
    checksum,
    discoveredAt: new Date(row.discovered_at),
    stored:
      row.storage_kind === 'copied'
        ? { kind: 'copied', path: row.storage_path }
        : { kind: 'reference', path: uri, checksum },
  };
}

/** The ingest of a row. */
export function toIngestRun(row: Row<'ingest_runs'>): IngestRunRow {
  return {
    runId: row.run_id,
    scopeJson: row.scope_json,
    scanned: row.scanned,
    newCount: row.new_count,
    updatedCount: row.updated_count,
    unchangedCount: row.unchanged_count,
    skippedCount: row.skipped_count,
    errorCount: row.error_count,
    purgedCount: row.purged_count,
    embeddingsPending: row.embeddings_pending,
    aborted: row.aborted === 1,
    durationMs: row.duration_ms,
    startedAt: new Date(row.started_at),
    finishedAt: new Date(row.finished_at),
    itemsJson: row.items_json,
  };
}
