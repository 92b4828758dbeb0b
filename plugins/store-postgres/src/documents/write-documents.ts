import { segmentsOf } from '@kebab/store-kit';
import { sql } from 'kysely';
import { GROW_REVISION } from '../database/corpus-revision.ts';
import type { Database, Db } from '../database/tables.ts';
import { encodeJson } from '../database/text-encoding.ts';
import type { WordsWriter } from '../words-writer.ts';
import type { DocumentChanges, PostgresDocument } from './document-changes.ts';
import { isAnyOf } from '../database/query-parts.ts';

/** Rows of this size stay in the page of the table; longer ones would be compressed, and stored apart. */
const SEGMENT_BYTES = 1800;

/** Makes the named changes in a transaction of the writer: first what is removed, then what is written. */
export async function writeDocuments(tx: Db, changes: DocumentChanges, words: WordsWriter): Promise<void> {
  await touchDocuments(tx, changes.touches);
  const removed = await removeDocuments(tx, changes, words);
  const documents = [...changes.puts.values()];
  if (documents.length > 0) await addDocuments(tx, documents, words);
  if (removed > 0 || documents.length > 0) await GROW_REVISION.execute(tx);
}

/** A touch without a file leaves size and time as they are. */
async function touchDocuments(tx: Db, touches: DocumentChanges['touches']): Promise<void> {
  if (touches.size === 0) return;
  const rows = [...touches].map(([doc_id, { indexedAt: indexed_at, file }]) => ({
    doc_id,
    indexed_at,
    has_file: file !== undefined,
    file_size: file?.size ?? null,
    file_mtime_ns: file?.mtimeNs.toString() ?? null,
  }));
  await sql`
    UPDATE documents d SET indexed_at = r.indexed_at,
      file_size = CASE WHEN r.has_file THEN r.file_size ELSE d.file_size END,
      file_mtime_ns = CASE WHEN r.has_file THEN r.file_mtime_ns ELSE d.file_mtime_ns END
    FROM json_to_recordset(${encodeJson(rows)}::json)
      AS r(doc_id text, indexed_at text, has_file boolean, file_size bigint, file_mtime_ns bigint)
    WHERE d.doc_id = r.doc_id`.execute(tx);
}

/** Removes the deleted and the replaced documents with everything that belongs to them; returns their number. */
async function removeDocuments(
  tx: Db,
  { deleted, replaced }: Pick<DocumentChanges, 'deleted' | 'replaced'>,
  words: WordsWriter,
): Promise<number> {
  if (deleted.size + replaced.size === 0) return 0;
  const places = [...replaced.values()];
  const atPlace = sql<boolean>`(source_id, workspace_path) IN (SELECT * FROM unnest(
    ${places.map(({ sourceId }) => sourceId)}::text[], ${places.map(({ workspacePath }) => workspacePath)}::text[]))`;
  const gone = await tx
    .selectFrom('documents')
    .select(['seq', 'first_chunk', 'chunk_count'])
    .where((eb) => eb.or([isAnyOf('doc_id', [...deleted]), atPlace]))
    .execute();
  if (gone.length === 0) return 0;
  const seqs = gone.map(({ seq }) => seq);
  await words.remove(tx, seqs);
  await sql`
    WITH ranges AS (SELECT * FROM unnest(${gone.map((row) => row.first_chunk)}::bigint[],
      ${gone.map((row) => row.chunk_count)}::bigint[]) AS r(first, count)),
    removed AS (DELETE FROM chunks c USING ranges r WHERE c.seq >= r.first AND c.seq < r.first + r.count RETURNING c.chunk_id)
    UPDATE embedding_records e SET status = 'tombstone' FROM removed r WHERE e.chunk_id = r.chunk_id`.execute(tx);
  await tx
    .deleteFrom('documents')
    .where(isAnyOf('seq', seqs, 'bigint'))
    .execute();
  return gone.length;
}

async function addDocuments(tx: Db, documents: readonly PostgresDocument[], words: WordsWriter): Promise<void> {
  await putAssets(tx, documents);
  const numbered = number(documents, await lastNumbers(tx));
  await addRows(
    tx,
    'documents',
    numbered.map(({ rows: { document }, date, docSeq, firstChunk }) => ({
      unread_json: '[]',
      ...document,
      seq: docSeq,
      first_chunk: firstChunk,
      document_date: date,
      file_mtime_ns: document.file_mtime_ns?.toString() ?? null,
    })),
  );
  await addRows(
    tx,
    'document_texts',
    numbered.flatMap(({ rows, docSeq }) =>
      segmentsOf(rows.text, SEGMENT_BYTES).map(({ start, text }) => ({ doc_seq: docSeq, start, text })),
    ),
  );
  await addRows(
    tx,
    'document_tags',
    numbered.flatMap(({ rows, docSeq }) =>
      [...new Set(rows.tags.flatMap(tagWithAbove))].map((tag) => ({ doc_seq: docSeq, tag })),
    ),
  );
  await addRows(
    tx,
    'document_blocks',
    numbered.flatMap(({ rows, docSeq }) =>
      rows.blocks === null ? [] : [{ doc_seq: docSeq, blocks_json: rows.blocks }],
    ),
  );
  await addRows(
    tx,
    'chunks',
    numbered.flatMap(({ rows, docSeq, firstChunk }) =>
      rows.chunks.map((chunk, at) => ({
        ...chunk,
        seq: firstChunk + at,
        doc_seq: docSeq,
        index_symbol: rows.index[at]?.symbol || null,
        index_prefix: rows.index[at]?.prefix ?? null,
      })),
    ),
  );
  await reviveVectors(tx, numbered);
  await words.put(
    tx,
    numbered.map(({ rows, words: chunks, firstChunk }) => ({
      firstChunk,
      isCode: rows.document.media === 'code',
      words: chunks,
    })),
  );
}

/** A copy in the asset folder replaces a reference to a file; otherwise the first version of an asset is kept. */
async function putAssets(tx: Db, documents: readonly PostgresDocument[]): Promise<void> {
  const assets = new Map<string, PostgresDocument['rows']['asset']>();
  for (const {
    rows: { asset },
  } of documents) {
    const known = assets.get(asset.asset_id);
    if (known === undefined || (known.storage_kind === 'reference' && asset.storage_kind === 'copied'))
      assets.set(
        asset.asset_id,
        known === undefined ? asset : { ...known, storage_kind: asset.storage_kind, storage_path: asset.storage_path },
      );
  }
  await sql`
    INSERT INTO assets SELECT * FROM json_populate_recordset(null::assets, ${encodeJson([...assets.values()])}::json)
    ON CONFLICT (asset_id) DO UPDATE SET storage_kind = excluded.storage_kind, storage_path = excluded.storage_path
    WHERE excluded.storage_kind = 'copied' AND assets.storage_kind = 'reference'`.execute(tx);
}

interface Numbers {
  readonly docSeq: number;
  readonly firstChunk: number;
}

async function lastNumbers(tx: Db): Promise<Numbers> {
  const { rows } = await sql<Numbers>`SELECT coalesce((SELECT max(seq) FROM documents), 0) AS "docSeq",
    coalesce((SELECT max(seq) FROM chunks), 0) AS "firstChunk"`.execute(tx);
  return rows[0] ?? { docSeq: 0, firstChunk: 0 };
}

type Numbered = PostgresDocument & Numbers;

/** Numbers documents and chunks behind the last ones: the lock of the writer is held, so that no other process does the same. */
function number(documents: readonly PostgresDocument[], last: Numbers): readonly Numbered[] {
  let { docSeq, firstChunk: lastChunk } = last;
  return documents.map((document) => {
    docSeq += 1;
    const firstChunk = lastChunk + 1;
    lastChunk += document.rows.chunks.length;
    return { ...document, docSeq, firstChunk };
  });
}

/** A tag as filters compare it, and the tags above it: `work/search` and `work` for `#work/search`. */
function tagWithAbove(tag: string): readonly string[] {
  const bare = tag.replace(/^#+/, '');
  return [bare, ...[...bare.matchAll(/\//g)].map(({ index }) => bare.slice(0, index))];
}

/** Tombstones of chunks that exist again become vectors that are to be written. */
async function reviveVectors(tx: Db, documents: readonly Numbered[]): Promise<void> {
  const [first] = documents;
  if (first === undefined) return;
  await tx
    .updateTable('embedding_records')
    .set({ status: 'pending', committed_at: null })
    .where(sql<boolean>`status <> 'committed' AND status = 'tombstone'`) // the first condition is that of the partial index
    .where('chunk_id', 'in', (chunks) =>
      chunks.selectFrom('chunks').select('chunk_id').where('seq', '>=', first.firstChunk),
    )
    .execute();
}

type Inserted = 'seen_places' | 'documents' | 'document_texts' | 'document_tags' | 'document_blocks' | 'chunks';

/** Rows that one statement adds; a document may have a hundred thousand. */
const ROWS_PER_STATEMENT = 4000;

/** Adds rows as JSON, which both ends read faster than parameters; columns that a row lacks are empty. */
export async function addRows(tx: Db, table: Inserted & keyof Database, rows: readonly object[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    const json = encodeJson(rows.slice(from, from + ROWS_PER_STATEMENT));
    await sql`INSERT INTO ${sql.table(table)} SELECT * FROM json_populate_recordset(null::${sql.table(table)}, ${json}::json)`.execute(
      tx,
    );
  }
}
