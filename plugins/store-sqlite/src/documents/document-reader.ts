import type { Block, CanonicalDocument, ChunkId, DocumentId } from '@kebab/core';
import type {
  AssetId,
  BlockId,
  Chunk,
  ChunkWithDocument,
  DocumentRow,
  Media,
  Passage,
  ErrorCode,
  QuarantinedFile,
  StoreStats,
} from '@kebab/core/store';
import { inList, statement, statementsOn, type Placeholder } from '@kebab/sqlite-kit';
import type { Database as Connection } from 'better-sqlite3';
import type { Expression } from 'kysely';
import { DamagedColumn } from '../database/store-failure.ts';
import { build, ROW_ID } from '../database/tables.ts';
import { decodeBlocks } from './blocks-column.ts';
import {
  decodeHeadingPath,
  decodeMetadata,
  decodePages,
  decodeProvenance,
  decodeSectionLabel,
  decodeSpans,
  toMediaType,
} from './columns.ts';
import { STORED_DOCUMENTS, toDocumentRow } from './document-row.ts';
import { chunksWithText, groupByPlace, readText, sliceOf, stretchOf } from './text-segments.ts';

const CHUNK_COLUMNS = [
  'c.chunk_id',
  'c.doc_seq',
  'c.text_start',
  'c.text_end',
  'c.ordinal',
  'c.first_block',
  'c.last_block',
  'c.token_estimate',
  'c.heading_path_json',
  'c.section_label',
  'c.source_spans_json',
] as const;

type StoredChunk = ReturnType<ReturnType<typeof statementsOf>['chunks']['all']>[number];

/** The data that chunks take from their document. */
interface ChunkParent {
  readonly row: DocumentRow;
  readonly policyHash: string;
  /** The ids of the blocks `[first, last]`. */
  readonly blockIds: (first: number, last: number) => readonly BlockId[];
}

/** Reads documents and chunks of one snapshot of the database. */
export class DocumentReader {
  readonly #db: Connection;
  readonly #statements: ReturnType<typeof statementsOf>;

  constructor(db: Connection) {
    this.#db = db;
    this.#statements = statementsOn(db, statementsOf);
  }

  /** One chunk for each id, except ids that are gone, in one query. */
  chunksWithDocuments(ids: readonly ChunkId[]): readonly ChunkWithDocument[] {
    const rows = this.#statements.stretches.all({ ids: JSON.stringify(ids) });
    const parents = this.#parents(rows.map(({ doc_seq }) => doc_seq));
    return groupByPlace(rows).map((segments) => {
      const [row] = segments as [(typeof rows)[number]];
      const parent = parentOf(row.doc_seq, parents);
      const chunk = toChunk(row, sliceOf(row, segments), parent);
      return { chunk, document: parent.row, around: stretchOf(segments) };
    });
  }

  /** One passage for each id, except ids that are gone. Read in one query, because a query costs more than what it would read. */
  passages(ids: readonly ChunkId[]): readonly Passage[] {
    return groupByPlace(this.#statements.passages.all({ ids: JSON.stringify(ids) })).map((segments) =>
      toPassage(ids, segments),
    );
  }

  /** The chunks of a document with ordinals `[from, to)`, in order. */
  chunks(docId: DocumentId, from: number, to: number): readonly Chunk[] {
    const range = this.#statements.range.first({ doc_id: docId });
    if (range === undefined) return [];
    const { seq, first_chunk, chunk_count } = range;
    const found = this.#statements.chunks.all({
      from: first_chunk + Math.max(0, from),
      to: first_chunk + Math.min(chunk_count, to),
    });
    const [first] = found;
    if (first === undefined) return [];
    const parent = parentOf(seq, this.#parents([seq]));
    const end = found.reduce((latest, row) => Math.max(latest, row.text_end), 0);
    const text = readText(this.#db, seq, first.text_start, end);
    return found.map((row) =>
      toChunk(row, text.slice(row.text_start - first.text_start, row.text_end - first.text_start), parent),
    );
  }

  blocks(seq: number, docId: DocumentId): readonly Block[] {
    const stored = this.#statements.blocks.first({ seqs: JSON.stringify([seq]) });
    return stored === undefined ? [] : decodeBlocks(docId, stored.blocks_json);
  }

  /** A complete document, equal to the one that was written; null if there is none. */
  canonicalDocument(docId: DocumentId): CanonicalDocument | null {
    const row = this.#statements.whole.first({ doc_id: docId });
    if (row === undefined) return null;
    return {
      docId,
      sourceAssetId: row.asset_id as AssetId,
      sourceId: row.source_id,
      workspacePath: row.workspace_path,
      mediaType: toMediaType(row.media, row.media_subtype),
      title: row.title,
      lang: row.lang,
      text: readText(this.#db, row.seq, 0, row.text_length),
      pages: decodePages(row.pages_json),
      blocks: this.blocks(row.seq, docId),
      metadata: decodeMetadata(row.metadata_json, row),
      provenance: decodeProvenance(row.provenance_json, row),
      parserVersion: row.parser_version,
      schemaVersion: row.schema_version,
      docVersion: row.doc_version,
    };
  }

  #parents(all: readonly number[]): ReadonlyMap<number, ChunkParent> {
    const seqs = JSON.stringify([...new Set(all)]);
    const blocks = new Map(
      this.#statements.blocks.all({ seqs }).map(({ doc_seq, blocks_json }) => [doc_seq, blocks_json]),
    );
    return new Map(
      this.#statements.documents.all({ seqs }).map((stored) => {
        const row = toDocumentRow(stored);
        return [
          stored.seq,
          { row, policyHash: stored.policy_hash, blockIds: lazyBlockIds(row.docId, blocks.get(stored.seq)) },
        ];
      }),
    );
  }
}

function parentOf(seq: number, parents: ReadonlyMap<number, ChunkParent>): ChunkParent {
  const parent = parents.get(seq);
  if (parent === undefined)
    throw new DamagedColumn('documents', 'seq', `chunks belong to a document that is missing: ${seq}`);
  return parent;
}

/** Decodes block ids on first use. The JSON is read with the document, so that they belong to the same version of it. */
function lazyBlockIds(docId: DocumentId, stored: string | undefined): ChunkParent['blockIds'] {
  let ids: readonly BlockId[] | undefined;
  return (first, last) => {
    ids ??= stored === undefined ? [] : decodeBlocks(docId, stored).map((block) => block.blockId);
    return ids.slice(first, last + 1);
  };
}

/**
 * Turns a stored row into a chunk. Its block ids are minted on first access, because that requires all blocks of the document and hits do
 * not need them.
 */
function toChunk(row: StoredChunk, text: string, parent: ChunkParent): Chunk {
  let blockIds: readonly BlockId[] | undefined;
  const headingPath = decodeHeadingPath(row.heading_path_json, parent.row.title);
  return {
    chunkId: row.chunk_id as ChunkId,
    docId: parent.row.docId,
    ordinal: row.ordinal,
    start: row.text_start,
    end: row.text_end,
    text,
    get blockIds() {
      blockIds ??= row.first_block < 0 ? [] : parent.blockIds(row.first_block, row.last_block);
      return blockIds;
    },
    headingPath,
    sectionLabel: decodeSectionLabel(row.section_label, headingPath),
    sourceSpans: decodeSpans(row.source_spans_json),
    tokenEstimate: row.token_estimate,
    chunkerVersion: parent.row.chunkerVersion,
    policyHash: parent.policyHash,
  };
}

interface Ids {
  readonly ids: string;
}

interface Seqs {
  readonly seqs: string;
}

/** The chunks `c` of a JSON list of ids, each with the segments that contain its text. */
function chunksById(ids: Expression<string>) {
  return chunksWithText(ids).where('c.chunk_key', '=', ({ fn }) => fn<Uint8Array>('unhex', ['j.value']));
}

function statementsOf(db: Connection) {
  return {
    stretches: statement(db, (value: Placeholder<Ids>) => chunksById(value('ids')).select(CHUNK_COLUMNS)),
    passages: statement(db, (value: Placeholder<Ids>) =>
      chunksById(value('ids'))
        .crossJoin('documents as d')
        .whereRef('d.seq', '=', 'c.doc_seq')
        .select([
          'c.ordinal',
          'c.heading_path_json',
          'c.section_label',
          'c.source_spans_json',
          'd.doc_id',
          'd.source_id',
          'd.workspace_path',
          'd.media',
          'd.title',
        ]),
    ),
    chunks: statement(db, (value: Placeholder<{ readonly from: number; readonly to: number }>) =>
      build
        .selectFrom('chunks as c')
        .select(CHUNK_COLUMNS)
        .where('c.seq', '>=', value('from'))
        .where('c.seq', '<', value('to'))
        .orderBy('c.seq'),
    ),
    range: statement(db, (value: Placeholder<{ readonly doc_id: string }>) =>
      build.selectFrom('documents').select(['seq', 'first_chunk', 'chunk_count']).where('doc_id', '=', value('doc_id')),
    ),
    documents: statement(db, (value: Placeholder<Seqs>) =>
      STORED_DOCUMENTS.where('d.seq', 'in', inList<number>(value('seqs'))),
    ),
    blocks: statement(db, (value: Placeholder<Seqs>) =>
      build
        .selectFrom('document_blocks')
        .select(['doc_seq', 'blocks_json'])
        .where('doc_seq', 'in', inList<number>(value('seqs'))),
    ),
    whole: wholeDocument(db),
  };
}

/** Not the modification time: nanoseconds exceed the range of a number, and a canonical document does not need them. */
function wholeDocument(db: Connection) {
  return statement(db, (value: Placeholder<{ readonly doc_id: string }>) =>
    build
      .selectFrom('documents')
      .select([
        'seq',
        'asset_id',
        'source_id',
        'workspace_path',
        'media',
        'media_subtype',
        'title',
        'lang',
        'text_length',
        'pages_json',
        'metadata_json',
        'provenance_json',
        'created_at',
        'updated_at',
        'source_type',
        'trust_level',
        'repo',
        'code_lang',
        'parser_version',
        'chunker_version',
        'schema_version',
        'doc_version',
      ])
      .where('doc_id', '=', value('doc_id')),
  );
}

type StoredPassage = ReturnType<ReturnType<typeof statementsOf>['passages']['all']>[number];

/** Assembles a passage from its row, which is repeated for each segment that contains its text. */
function toPassage(ids: readonly ChunkId[], segments: readonly StoredPassage[]): Passage {
  const [row] = segments as [StoredPassage];
  const headingPath = decodeHeadingPath(row.heading_path_json, row.title);
  return {
    chunkId: ids[row.place] as ChunkId,
    docId: row.doc_id as DocumentId,
    sourceId: row.source_id,
    workspacePath: row.workspace_path,
    media: row.media as Media,
    ordinal: row.ordinal,
    text: sliceOf(row, segments),
    headingPath,
    sectionLabel: decodeSectionLabel(row.section_label, headingPath),
    symbol: row.media === 'code' ? symbolOf(row.source_spans_json) : null,
  };
}

function symbolOf(spansJson: string): string | null {
  const [span] = decodeSpans(spansJson);
  return span?.kind === 'code' ? span.symbol : null;
}

/** Reads the counts that `kebab schema` shows, from one snapshot. */
export function readStats(db: Connection): StoreStats {
  const count = (table: 'documents' | 'chunks' | 'assets'): number =>
    statement(db, () => build.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('n'))).first({})?.n ?? 0;
  const breakdown = (
    column: 'media' | 'lang' | 'code_lang' | 'repo' | 'source_id',
    of: 'documents' | 'chunks' = 'documents',
  ): Readonly<Record<string, number>> => {
    const groups = statement(db, () =>
      build
        .selectFrom('documents')
        .select((eb) => [
          eb.ref(column).$notNull().as('name'),
          (of === 'chunks' ? eb.fn.sum<number>('chunk_count') : eb.fn.countAll<number>()).as('n'),
        ])
        .where(column, 'is not', null)
        .groupBy(column)
        .orderBy(column),
    );
    return Object.fromEntries(groups.all({}).map(({ name, n }) => [name, n]));
  };
  const lastIngest = lastIngestOf(db);
  return {
    documents: count('documents'),
    chunks: count('chunks'),
    assets: count('assets'),
    lastIngestAt: lastIngest === null ? null : new Date(lastIngest),
    media: breakdown('media'),
    langs: breakdown('lang'),
    codeLangs: breakdown('code_lang'),
    codeLangChunks: breakdown('code_lang', 'chunks'),
    repos: breakdown('repo'),
    sources: breakdown('source_id'),
    storedBytes: Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true })),
  };
}

/** In order of recording: the clock may have been set back since an earlier run. */
function lastIngestOf(db: Connection): string | null {
  const last = statement(db, () =>
    build.selectFrom('ingest_runs').select('finished_at').orderBy(ROW_ID, 'desc').limit(1),
  );
  return last.first({})?.finished_at ?? null;
}

/** Reads the files that could not be ingested, ordered by source and path. */
export function readQuarantine(db: Connection): readonly QuarantinedFile[] {
  const files = statement(db, () =>
    build.selectFrom('quarantined_files').selectAll().orderBy('source_id').orderBy('workspace_path'),
  );
  return files.all({}).map((row) => ({
    sourceId: row.source_id,
    workspacePath: row.workspace_path,
    reason: row.reason,
    code: row.code as ErrorCode,
    agent: row.agent,
    attempts: row.attempts,
    lastFailedAt: new Date(row.last_failed_at),
  }));
}
