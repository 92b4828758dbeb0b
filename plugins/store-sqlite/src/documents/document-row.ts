import type {
  AssetId,
  DocumentId,
  DocumentRow,
  FileStat,
  KnownDocument,
  Media,
  SourceType,
  StageFingerprints,
  TrustLevel,
} from '@kebab/core';
import type { Row } from '../database/tables.ts';
import { decodePages, decodeTags } from './metadata-columns.ts';

const DOCUMENT_COLUMNS = [
  ...(['seq', 'doc_id', 'asset_id', 'source_id', 'workspace_path', 'media', 'title', 'lang', 'source_type'] as const),
  ...(['trust_level', 'repo', 'code_lang', 'parser_version', 'chunker_version', 'policy_hash'] as const),
  ...(['parser_fingerprint', 'chunker_fingerprint', 'embedding_fingerprint', 'doc_version', 'chunk_count'] as const),
  ...(['text_length', 'pages_json', 'metadata_json', 'file_size', 'created_at', 'updated_at'] as const),
  ...(['committed_at', 'indexed_at'] as const),
] satisfies readonly (keyof Row<'documents'>)[];

/** A row of {@link SELECT_DOCUMENTS}. */
export type StoredDocument = Pick<Row<'documents'>, (typeof DOCUMENT_COLUMNS)[number] | 'file_mtime_ns'> &
  Pick<Row<'assets'>, 'byte_len' | 'checksum'>;

/** Selects documents as {@link toDocumentRow} takes them; a WHERE clause on `d` may follow. */
export const SELECT_DOCUMENTS = `SELECT ${DOCUMENT_COLUMNS.map((column) => `d.${column}`).join(', ')},
  CAST(d.file_mtime_ns AS TEXT) AS file_mtime_ns, a.byte_len, a.checksum
  FROM documents d JOIN assets a ON a.asset_id = d.asset_id`;

/** Turns a stored row into the contract's. */
export function toDocumentRow(row: StoredDocument): DocumentRow {
  return {
    docId: row.doc_id as DocumentId,
    assetId: row.asset_id as AssetId,
    sourceId: row.source_id,
    workspacePath: row.workspace_path,
    media: row.media as Media,
    title: row.title,
    lang: row.lang,
    sourceType: row.source_type as SourceType,
    trustLevel: row.trust_level as TrustLevel,
    repo: row.repo,
    codeLang: row.code_lang,
    tags: decodeTags(row.metadata_json),
    parserVersion: row.parser_version,
    chunkerVersion: row.chunker_version,
    fingerprints: toFingerprints(row),
    docVersion: row.doc_version,
    byteLen: row.byte_len,
    chunkCount: row.chunk_count,
    textLength: row.text_length,
    pages: decodePages(row.pages_json),
    file: toFileStat(row.file_size, row.file_mtime_ns),
    checksum: row.checksum,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    committedAt: new Date(row.committed_at),
    indexedAt: new Date(row.indexed_at),
  };
}

/** A row of {@link SELECT_KNOWN}, in the order of its columns: thousands are read at the start of every ingest. */
export type StoredKnown = readonly [
  docId: string,
  workspacePath: string,
  assetId: string,
  checksum: string,
  fileSize: number | null,
  fileMtimeNs: string | null,
  indexedAt: string,
  docVersion: number,
  parser: string,
  chunker: string,
  embedding: string | null,
];

/** Selects what an ingest needs to know of the documents of one source. */
export const SELECT_KNOWN = `SELECT d.doc_id, d.workspace_path, d.asset_id, a.checksum, d.file_size,
  CAST(d.file_mtime_ns AS TEXT), d.indexed_at, d.doc_version,
  d.parser_fingerprint, d.chunker_fingerprint, d.embedding_fingerprint
  FROM documents d JOIN assets a ON a.asset_id = d.asset_id WHERE d.source_id = ? ORDER BY d.workspace_path`;

/** Turns a stored row into the contract's. */
export function toKnownDocument(row: StoredKnown): KnownDocument {
  const [docId, workspacePath, assetId, checksum, size, mtimeNs, indexedAt, docVersion, parser, chunker, embedding] =
    row;
  return {
    docId: docId as DocumentId,
    workspacePath,
    assetId: assetId as AssetId,
    checksum,
    file: toFileStat(size, mtimeNs),
    indexedAt: new Date(indexedAt),
    docVersion,
    fingerprints: { parser, chunker, embedding },
  };
}

function toFingerprints(row: StoredDocument): StageFingerprints {
  return {
    parser: row.parser_fingerprint,
    chunker: row.chunker_fingerprint,
    embedding: row.embedding_fingerprint,
  };
}

function toFileStat(size: number | null, mtimeNs: string | null): FileStat | null {
  return size === null || mtimeNs === null ? null : { size, mtimeNs: BigInt(mtimeNs) };
}
