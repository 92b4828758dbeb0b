import type { DocumentId, FileStat, SourceType, TrustLevel } from '@kebab/core';
import type { AssetId, DocumentRow, KnownDocument, Media } from '@kebab/core/store';
import { rowsOf, type RowQuery, tuplesOf } from '../database/statements.ts';
import type { Row } from '../database/tables.ts';
import { decodePages, decodeTags } from './columns.ts';

const COLUMNS = [
  'seq',
  'doc_id',
  'asset_id',
  'source_id',
  'workspace_path',
  'media',
  'title',
  'lang',
  'source_type',
  'trust_level',
  'repo',
  'code_lang',
  'parser_version',
  'chunker_version',
  'policy_hash',
  'parser_fingerprint',
  'chunker_fingerprint',
  'embedding_fingerprint',
  'fallback_chunker',
  'unread_json',
  'has_secrets',
  'doc_version',
  'chunk_count',
  'text_length',
  'pages_json',
  'metadata_json',
  'file_size',
  'created_at',
  'updated_at',
  'committed_at',
] as const satisfies readonly (keyof Row<'documents'>)[];

/** A stored document, with the size and checksum of its asset. */
export type StoredDocument = Pick<Row<'documents'>, (typeof COLUMNS)[number] | 'indexed_at' | 'file_mtime_ns'> &
  Pick<Row<'assets'>, 'byte_len' | 'checksum'>;

const SELECT_DOCUMENTS = `SELECT ${COLUMNS.map((column) => `d.${column}`).join(', ')}, d.indexed_at,
  CAST(d.file_mtime_ns AS TEXT) AS file_mtime_ns, a.byte_len, a.checksum
  FROM documents d JOIN assets a ON a.asset_id = d.asset_id`;

/** Selects the documents that meet a condition on `d`, for {@link toDocumentRow}. ORDER BY and LIMIT may follow the condition. */
export function documentsWhere(condition: string): RowQuery<StoredDocument> {
  return rowsOf(`${SELECT_DOCUMENTS} WHERE ${condition}`);
}

/** Turns a stored row into a {@link DocumentRow}. */
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
    ...decodeTags(row.metadata_json),
    parserVersion: row.parser_version,
    chunkerVersion: row.chunker_version,
    fingerprints: {
      parser: row.parser_fingerprint,
      chunker: row.chunker_fingerprint,
      embedding: row.embedding_fingerprint,
      fallbackChunker: row.fallback_chunker,
      unread: toUnread(row.unread_json),
      hasSecrets: row.has_secrets === 1,
    },
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

/** An empty list, which nearly all documents have. */
const NONE = '[]';

/** Read as a tuple, with integers as `bigint`. An ingest reads one for every document, so each column costs time. */
type StoredKnown = readonly [
  docId: string,
  workspacePath: string,
  assetId: string,
  checksum: string,
  fileSize: bigint | null,
  fileMtimeNs: bigint | null,
  /** A {@link Made} as JSON; most documents have the same. */
  made: string,
];

/** When a document was last found equal to its file, its version, and its fingerprints. */
type Made = readonly [indexedAt: string, docVersion: number, ...by: MadeBy];

/** The fingerprints of a document. */
type MadeBy = readonly [
  parser: string,
  chunker: string,
  embedding: string | null,
  fallbackChunker: string | null,
  unread: string,
  hasSecrets: number,
];

const SELECT_KNOWN = `SELECT d.doc_id, d.workspace_path, d.asset_id, a.checksum, d.file_size, d.file_mtime_ns, json_array(
  d.indexed_at, d.doc_version, d.parser_fingerprint, d.chunker_fingerprint, d.embedding_fingerprint, d.fallback_chunker, d.unread_json, d.has_secrets)
  FROM documents d JOIN assets a ON a.asset_id = d.asset_id WHERE d.source_id = @source_id`;

/** The documents of one source as an ingest needs them, ordered by path. */
export const KNOWN_DOCUMENTS = tuplesOf<StoredKnown>(`${SELECT_KNOWN} ORDER BY d.workspace_path`);

/** The documents of one source at the given paths, a JSON list. */
export const KNOWN_DOCUMENTS_AT = tuplesOf<StoredKnown>(
  `${SELECT_KNOWN} AND d.workspace_path IN (SELECT value FROM json_each(@paths)) ORDER BY d.workspace_path`,
);

/** The members that most known documents have in common. */
type SharedFacts = Pick<KnownDocument, 'indexedAt' | 'docVersion' | 'fingerprints'>;

/**
 * Turns stored rows into known documents, by path. Documents with the same fingerprints share one object for these, which would otherwise
 * be most of their memory.
 */
export function toKnownDocuments(rows: Iterable<StoredKnown>): ReadonlyMap<string, KnownDocument> {
  const known = new Map<string, KnownDocument>();
  const shared = new Map<string, SharedFacts>();
  const fingerprints = new Map<string, KnownDocument['fingerprints']>();
  for (const [docId, workspacePath, assetId, checksum, size, mtimeNs, made] of rows) {
    let facts = shared.get(made);
    if (facts === undefined) shared.set(made, (facts = toSharedFacts(made, fingerprints)));
    known.set(workspacePath, {
      docId: docId as DocumentId,
      workspacePath,
      assetId: assetId as AssetId,
      checksum,
      file: size === null || mtimeNs === null ? null : { size: Number(size), mtimeNs },
      indexedAt: facts.indexedAt,
      docVersion: facts.docVersion,
      fingerprints: facts.fingerprints,
    });
  }
  return known;
}

function toSharedFacts(made: string, shared: Map<string, KnownDocument['fingerprints']>): SharedFacts {
  const [indexedAt, docVersion, ...by] = JSON.parse(made) as Made;
  const key = JSON.stringify(by);
  let fingerprints = shared.get(key);
  if (fingerprints === undefined) shared.set(key, (fingerprints = toFingerprints(by)));
  return { indexedAt: new Date(indexedAt), docVersion, fingerprints };
}

function toFingerprints([
  parser,
  chunker,
  embedding,
  fallbackChunker,
  unread,
  hasSecrets,
]: MadeBy): KnownDocument['fingerprints'] {
  return { parser, chunker, embedding, fallbackChunker, unread: toUnread(unread), hasSecrets: hasSecrets === 1 };
}

function toFileStat(size: number | null, mtimeNs: string | null): FileStat | null {
  return size === null || mtimeNs === null ? null : { size, mtimeNs: BigInt(mtimeNs) };
}

function toUnread(json: string): DocumentRow['fingerprints']['unread'] {
  return json === NONE ? [] : (JSON.parse(json) as DocumentRow['fingerprints']['unread']);
}
