import type { DocumentId, FileStat, SourceType, TrustLevel } from '@kebab/core';
import { documentDate, type AssetId, type DocumentRow, type KnownDocument, type Media } from '@kebab/core/store';
import { inList, statement, type Placeholder } from '@kebab/sqlite-kit';
import type { Database as Connection } from 'better-sqlite3';
import type { InferResult } from 'kysely';
import { build } from '../database/tables.ts';
import { decodePages, decodeTags, decodeUser } from './columns.ts';

const COLUMNS = [
  'd.seq',
  'd.doc_id',
  'd.asset_id',
  'd.source_id',
  'd.workspace_path',
  'd.media',
  'd.title',
  'd.lang',
  'd.source_type',
  'd.trust_level',
  'd.repo',
  'd.code_lang',
  'd.parser_version',
  'd.chunker_version',
  'd.policy_hash',
  'd.parser_fingerprint',
  'd.chunker_fingerprint',
  'd.embedding_fingerprint',
  'd.fallback_chunker',
  'd.unread_json',
  'd.has_secrets',
  'd.doc_version',
  'd.chunk_count',
  'd.text_length',
  'd.pages_json',
  'd.metadata_json',
  'd.file_size',
  'd.created_at',
  'd.updated_at',
  'd.committed_at',
  'd.indexed_at',
  'a.byte_len',
  'a.checksum',
] as const;

/** Selects documents `d` with their assets `a`, for {@link toDocumentRow}. Nanoseconds, which exceed a number, are read as text. */
export const STORED_DOCUMENTS = build
  .selectFrom('documents as d')
  .innerJoin('assets as a', 'a.asset_id', 'd.asset_id')
  .select(COLUMNS)
  .select((eb) => eb.cast<string | null>('d.file_mtime_ns', 'text').as('file_mtime_ns'));

/** A stored document, with the size and checksum of its asset. */
export type StoredDocument = InferResult<typeof STORED_DOCUMENTS>[number];

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
    date: documentDate(decodeUser(row.metadata_json), new Date(row.updated_at)),
    committedAt: new Date(row.committed_at),
    indexedAt: new Date(row.indexed_at),
  };
}

/** An empty list, which nearly all documents have. */
const NONE = '[]';

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

/** The documents of a source as an ingest needs them, ordered by path. It reads all of them, so that each column costs time. */
export function knownDocumentsOf(db: Connection) {
  const known = build
    .selectFrom('documents as d')
    .innerJoin('assets as a', 'a.asset_id', 'd.asset_id')
    .select((eb) => [
      'd.doc_id as docId',
      'd.workspace_path as workspacePath',
      'd.asset_id as assetId',
      'a.checksum',
      'd.file_size as size',
      eb.ref('d.file_mtime_ns').$castTo<number | null>().as('mtimeNs'),
      /** A {@link Made} as JSON; most documents have the same. */
      eb
        .fn<string>('json_array', [
          'd.indexed_at',
          'd.doc_version',
          'd.parser_fingerprint',
          'd.chunker_fingerprint',
          'd.embedding_fingerprint',
          'd.fallback_chunker',
          'd.unread_json',
          'd.has_secrets',
        ])
        .as('made'),
    ])
    .orderBy('d.workspace_path');
  return {
    all: statement(db, (value: Placeholder<{ readonly source_id: string }>) =>
      known.where('d.source_id', '=', value('source_id')),
    ),
    /** Those at the given paths, a JSON list. */
    at: statement(db, (value: Placeholder<{ readonly source_id: string; readonly paths: string }>) =>
      known.where('d.source_id', '=', value('source_id')).where('d.workspace_path', 'in', inList(value('paths'))),
    ),
  };
}

/** A row of {@link knownDocumentsOf}. */
type StoredKnown =
  ReturnType<ReturnType<typeof knownDocumentsOf>['all']['each']> extends Iterable<infer Known> ? Known : never;

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
  for (const { docId, workspacePath, assetId, checksum, size, mtimeNs, made } of rows) {
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
