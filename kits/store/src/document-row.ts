import {
  TRUST_LEVELS,
  type DocumentId,
  type FileStat,
  type SearchFilters,
  type SourceType,
  type TrustLevel,
} from '@kebab/core';
import {
  documentDate,
  unreadParts,
  type AssetId,
  type DocumentRow,
  type KnownDocument,
  type Media,
  type PartlyRead,
} from '@kebab/core/store';
import { decodePages, decodeProvenance, decodeTags, decodeUser } from './columns.ts';
import type { Row } from './tables.ts';

/** The columns of a document `d` with its asset `a`, for {@link toDocumentRow}; besides them it needs the time of the file as text. */
export const DOCUMENT_ROW_COLUMNS = [
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

/** A stored document, with the size and checksum of its asset. Nanoseconds, which exceed a number, are read as text. */
export type StoredDocument = Pick<Row<'documents'>, Extract<ColumnOf<'d'>, keyof Row<'documents'>> | 'file_mtime_ns'> &
  Pick<Row<'assets'>, Extract<ColumnOf<'a'>, keyof Row<'assets'>>>;

type ColumnOf<Table extends string> = (typeof DOCUMENT_ROW_COLUMNS)[number] extends infer Name
  ? Name extends `${Table}.${infer Column}`
    ? Column
    : never
  : never;

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

/** Those of documents of which something was not read, with what that was. */
export function toPartlyRead(
  rows: readonly Pick<
    Row<'documents'>,
    'doc_id' | 'source_id' | 'workspace_path' | 'provenance_json' | 'parser_version' | 'chunker_version'
  >[],
): readonly PartlyRead[] {
  return rows.flatMap((row) => {
    const unread = unreadParts(decodeProvenance(row.provenance_json, row));
    const document = { docId: row.doc_id as DocumentId, sourceId: row.source_id, workspacePath: row.workspace_path };
    return unread.length === 0 ? [] : [{ ...document, unread }];
  });
}

/** The filters that list the values of a column of the documents `d`; those that are not set are left out. */
export function columnLists(filters: SearchFilters) {
  const { trustMin } = filters;
  const trusted = trustMin === undefined ? undefined : TRUST_LEVELS.slice(0, TRUST_LEVELS.indexOf(trustMin) + 1);
  const lists = [
    ['d.doc_id', filters.docId],
    ['d.source_id', filters.source],
    ['d.media', filters.media],
    ['d.lang', filters.lang],
    ['d.source_type', filters.sourceType],
    ['d.repo', filters.repo],
    ['d.code_lang', filters.codeLang],
    ['d.trust_level', trusted],
  ] as const;
  return lists.flatMap(([column, list]) => (list === undefined ? [] : [{ column, list }]));
}

/** A document as an ingest needs it. */
export interface StoredKnown {
  readonly docId: string;
  readonly workspacePath: string;
  readonly assetId: string;
  readonly checksum: string;
  readonly size: number | bigint | null;
  readonly mtimeNs: bigint | null;
  /** Members that most documents have in common, as JSON: the list of {@link MADE_COLUMNS}. */
  readonly made: string;
}

/** The columns in {@link StoredKnown.made}, in order. */
export const MADE_COLUMNS = [
  'd.indexed_at',
  'd.doc_version',
  'd.parser_fingerprint',
  'd.chunker_fingerprint',
  'd.embedding_fingerprint',
  'd.fallback_chunker',
  'd.unread_json',
  'd.has_secrets',
] as const;

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
