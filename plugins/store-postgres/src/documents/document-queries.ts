import type { Block, CanonicalDocument, ChunkId, DocumentId } from '@kebab/core';
import type { Chunk, ChunkWithDocument, Passage, TextSlice } from '@kebab/core/store';
import {
  CHUNK_COLUMNS,
  DOCUMENT_ROW_COLUMNS,
  MADE_COLUMNS,
  PASSAGE_COLUMNS,
  WHOLE_DOCUMENT_COLUMNS,
  chunkParents,
  decodeBlocks,
  parentOf,
  storedDocuments,
  toCanonicalDocument,
  toChunk,
  toChunksWithDocuments,
  toPassages,
  type ChunkParent,
  type StoredKnown,
} from '@kebab/store-kit';
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../database/tables.ts';
import { isAnyOf } from '../database/query-parts.ts';

/** Beyond every offset and ordinal. */
const NO_END = Number.MAX_SAFE_INTEGER;

/** The documents of a source as an ingest needs them, ordered by path: all of them, or those at some paths. */
export async function knownRows(tx: Db, sourceId: string, paths?: readonly string[]): Promise<readonly StoredKnown[]> {
  const rows = await tx
    .selectFrom('documents as d')
    .innerJoin('assets as a', 'a.asset_id', 'd.asset_id')
    .select((eb) => [
      'd.doc_id as docId',
      'd.workspace_path as workspacePath',
      'd.asset_id as assetId',
      'a.checksum',
      'd.file_size as size',
      eb.cast<string | null>('d.file_mtime_ns', 'text').as('mtimeNs'),
      sql<string>`json_build_array(${sql.join(MADE_COLUMNS.map((name) => sql.ref(name)))})::text`.as('made'),
    ])
    .where('d.source_id', '=', sourceId)
    .$if(paths !== undefined, (query) => query.where(isAnyOf('d.workspace_path', paths ?? [])))
    .orderBy('d.workspace_path')
    .execute();
  return rows.map((row) => ({ ...row, mtimeNs: row.mtimeNs === null ? null : BigInt(row.mtimeNs) }));
}

/** The start of the segment that contains an offset of a document; both are expressions. */
function segmentAt(docSeq: RawBuilder<unknown>, offset: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`coalesce((SELECT max(b.start) FROM document_texts b WHERE b.doc_seq = ${docSeq} AND b.start <= ${offset}), 0)`;
}

interface SliceRow {
  readonly place: number;
  readonly length: number | null;
  readonly start: number | null;
  readonly text: string | null;
}

/** Slices of texts, one per request; null for a document that does not exist. */
export async function textSlices(tx: Db, slices: readonly TextSlice[]): Promise<readonly (string | null)[]> {
  const wanted = slices.map(({ docId, start = 0, end = NO_END }) => ({
    docId,
    start: Math.max(0, start),
    end: Math.min(NO_END, Math.max(0, end)),
  }));
  const { rows } = await sql<SliceRow>`
    SELECT w.place, d.text_length AS length, t.start, t.text
    FROM unnest(${wanted.map(({ docId }) => docId)}::text[], ${wanted.map(({ start }) => start)}::bigint[],
      ${wanted.map(({ end }) => end)}::bigint[]) WITH ORDINALITY AS w(doc_id, first, "end", place)
    JOIN documents d ON d.doc_id = w.doc_id
    LEFT JOIN document_texts t ON t.doc_seq = d.seq AND t.start < w."end"
      AND t.start >= ${segmentAt(sql.ref('d.seq'), sql.ref('w.first'))}
    ORDER BY w.place, t.start`.execute(tx);
  const texts: (string | null)[] = wanted.map(() => null);
  const starts: number[] = [];
  for (const { place, start, text } of rows) {
    const at = place - 1;
    starts[at] ??= start ?? 0;
    texts[at] = (texts[at] ?? '') + (text ?? '');
  }
  return wanted.map(({ start, end }, at) => {
    const text = texts[at] ?? null;
    const from = starts[at] ?? 0;
    return text === null ? null : text.slice(Math.max(0, start - from), Math.max(0, end - from));
  });
}

/** The chunks `c` of a list of ids, each with the segments that contain its text; not sorted. */
function chunksWithText(tx: Db, ids: readonly ChunkId[]) {
  return tx
    .selectFrom(
      sql<{ readonly id: string; readonly place: number }>`unnest(${ids}::text[]) WITH ORDINALITY`.as<'j'>(
        sql`j(id, place)`,
      ),
    )
    .innerJoin('chunks as c', 'c.chunk_id', 'j.id')
    .leftJoin('document_texts as t', (join) =>
      join
        .onRef('t.doc_seq', '=', 'c.doc_seq')
        .onRef('t.start', '<', 'c.text_end')
        .on('t.start', '>=', segmentAt(sql.ref('c.doc_seq'), sql.ref('c.text_start'))),
    )
    .select((eb) => [
      eb('j.place', '-', 1).$castTo<number>().as('place'),
      'c.text_start',
      'c.text_end',
      't.start as segment_start',
      't.text as segment',
    ]);
}

/** One chunk for each id, except ids that are gone. */
export async function chunksWithDocuments(db: Db, ids: readonly ChunkId[]): Promise<readonly ChunkWithDocument[]> {
  const rows = await chunksWithText(db, ids)
    .innerJoin('documents as d', 'd.seq', 'c.doc_seq')
    .innerJoin('assets as a', 'a.asset_id', 'd.asset_id')
    .leftJoin('document_blocks as b', 'b.doc_seq', 'd.seq')
    .select(CHUNK_COLUMNS)
    .select(DOCUMENT_ROW_COLUMNS)
    .select((eb) => [
      eb.cast<string | null>('d.file_mtime_ns', 'text').as('file_mtime_ns'),
      // Once for each document: those of a book are longer than all else.
      sql<
        string | null
      >`CASE WHEN row_number() OVER (PARTITION BY d.seq ORDER BY j.place, t.start) = 1 THEN b.blocks_json END`.as(
        'blocks_json',
      ),
    ])
    .execute();
  return toChunksWithDocuments(rows, parentsIn(rows));
}

/** One passage for each id, except ids that are gone. */
export async function passages(tx: Db, ids: readonly ChunkId[]): Promise<readonly Passage[]> {
  const rows = await chunksWithText(tx, ids)
    .innerJoin('documents as d', 'd.seq', 'c.doc_seq')
    .select(PASSAGE_COLUMNS)
    .execute();
  return toPassages(ids, rows);
}

/** The chunks of a document with ordinals `[from, to)`, in order. */
export async function chunksOf(tx: Db, docId: DocumentId, from: number, to: number): Promise<readonly Chunk[]> {
  const rows = await tx
    .selectFrom('documents as d')
    .innerJoin('chunks as c', (join) =>
      join
        .on('c.seq', '>=', sql<number>`d.first_chunk + ${Math.max(0, from)}::bigint`)
        .on('c.seq', '<', sql<number>`d.first_chunk + least(d.chunk_count, ${to}::bigint)`),
    )
    .select(CHUNK_COLUMNS)
    .where('d.doc_id', '=', docId)
    .orderBy('c.seq')
    .execute();
  const [first] = rows;
  if (first === undefined) return [];
  const parents = await parentsOf(tx, [first.doc_seq]);
  const end = rows.reduce((latest, row) => Math.max(latest, row.text_end), 0);
  const [text] = await textSlices(tx, [{ docId, start: first.text_start, end }]);
  return rows.map((row) =>
    toChunk(
      row,
      (text ?? '').slice(row.text_start - first.text_start, row.text_end - first.text_start),
      parentOf(row.doc_seq, parents),
    ),
  );
}

async function parentsOf(tx: Db, seqs: readonly number[]): Promise<ReadonlyMap<number, ChunkParent>> {
  const rows = await storedDocuments(tx)
    .leftJoin('document_blocks as b', 'b.doc_seq', 'd.seq')
    .select('b.blocks_json')
    .where(isAnyOf('d.seq', seqs, 'bigint'))
    .execute();
  return parentsIn(rows);
}

/** The documents of rows, of which one has the blocks. */
function parentsIn(
  rows: readonly (Parameters<typeof chunkParents>[0][number] & { readonly blocks_json: string | null })[],
): ReadonlyMap<number, ChunkParent> {
  const blocks = rows.flatMap(({ seq, blocks_json: json }): [number, string][] => (json === null ? [] : [[seq, json]]));
  return chunkParents([...new Map(rows.map((row) => [row.seq, row])).values()], new Map(blocks));
}

/** The blocks of documents; documents that no longer exist are left out. */
export async function blocksOf(tx: Db, ids: readonly DocumentId[]): Promise<ReadonlyMap<DocumentId, readonly Block[]>> {
  const rows = await tx
    .selectFrom('documents as d')
    .leftJoin('document_blocks as b', 'b.doc_seq', 'd.seq')
    .select(['d.doc_id', 'b.blocks_json'])
    .where(isAnyOf('d.doc_id', ids))
    .execute();
  const stored = new Map(rows.map((row) => [row.doc_id, row.blocks_json]));
  return new Map(
    [...new Set(ids)].flatMap((id): [DocumentId, readonly Block[]][] => {
      const json = stored.get(id);
      if (json === undefined) return [];
      return [[id, json === null ? [] : decodeBlocks(id, json)]];
    }),
  );
}

/** A complete document, equal to the one that was written; null if there is none. */
export async function canonicalDocument(tx: Db, docId: DocumentId): Promise<CanonicalDocument | null> {
  const row = await tx
    .selectFrom('documents')
    .select(WHOLE_DOCUMENT_COLUMNS)
    .where('doc_id', '=', docId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const [text] = await textSlices(tx, [{ docId }]);
  const blocks = await blocksOf(tx, [docId]);
  return toCanonicalDocument(docId, row, { text: text ?? '', blocks: blocks.get(docId) ?? [] });
}
