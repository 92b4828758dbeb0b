import type { DocumentId } from '@kebab/core';
import { TABLES, decodeBlocks } from '@kebab/store-kit';
import { sql } from 'kysely';
import type { Db } from '../database/tables.ts';

/** Inconsistencies between the rows of a document `d`, worded to follow the number of documents. */
const ROW_FAULTS = [
  [
    'document_texts',
    'documents lack their text',
    `d.text_length > 0 AND (NOT EXISTS (SELECT FROM document_texts t WHERE t.doc_seq = d.seq AND t.start = 0)
      OR (SELECT max(t.start) FROM document_texts t WHERE t.doc_seq = d.seq) >= d.text_length)`,
  ],
  [
    'chunks',
    'documents lack chunks, or have chunks with wrong positions',
    `d.chunk_count <> (SELECT count(*) FROM chunks c WHERE c.seq >= d.first_chunk AND c.seq < d.first_chunk + d.chunk_count
      AND c.doc_seq = d.seq AND c.ordinal = c.seq - d.first_chunk AND c.text_start <= c.text_end AND c.text_end <= d.text_length)`,
  ],
  [
    'document_blocks',
    'documents lack blocks',
    `NOT EXISTS (SELECT FROM document_blocks b WHERE b.doc_seq = d.seq) AND EXISTS (SELECT FROM chunks c
      WHERE c.seq >= d.first_chunk AND c.seq < d.first_chunk + d.chunk_count AND c.first_block >= 0)`,
  ],
] as const;

const FACTS = [
  ['schema_meta', 'schema_version', 'the version of the schema is missing'],
  ['kv', 'knowledge_base', 'the id of the knowledge base is missing'],
  ['kv', 'corpus_revision', 'the revision of the corpus is missing'],
] as const;

/** Finds what is missing or malformed in the tables, one sentence per problem. `deep` reads every block as well. */
export async function findDamage(tx: Db, deep: boolean): Promise<readonly string[]> {
  const missing = await missingTables(tx);
  if (missing.length > 0) return missing.map((table) => `${table}: the table is missing`);
  const found: string[] = [];
  for (const [table, key, problem] of FACTS) {
    const { rows } = await sql`SELECT FROM ${sql.table(table)} WHERE key = ${key}`.execute(tx);
    if (rows.length === 0) found.push(`${table}: ${problem}`);
  }
  for (const [table, problem, condition] of ROW_FAULTS) {
    const documents = await count(tx, `documents d WHERE ${condition}`);
    if (documents > 0) found.push(`${table}: ${documents} ${problem}`);
  }
  const orphans = await count(tx, 'chunks c WHERE NOT EXISTS (SELECT FROM documents d WHERE d.seq = c.doc_seq)');
  if (orphans > 0) found.push(`chunks: ${orphans} rows belong to no document`);
  const unreadable = deep ? await unreadableBlocks(tx) : 0;
  if (unreadable > 0) found.push(`document_blocks: ${unreadable} documents have blocks that cannot be read`);
  return found;
}

async function missingTables(tx: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly name: string }>`
    SELECT name FROM unnest(${Object.keys(TABLES)}::text[]) AS name WHERE to_regclass(name) IS NULL`.execute(tx);
  return rows.map(({ name }) => name);
}

async function count(tx: Db, from: string): Promise<number> {
  const { rows } = await sql<{ readonly n: number }>`SELECT count(*) AS n FROM ${sql.raw(from)}`.execute(tx);
  return rows[0]?.n ?? 0;
}

/** Documents that are read at a time. */
const BATCH = 500;

async function unreadableBlocks(tx: Db): Promise<number> {
  let unreadable = 0;
  for (let after = 0; ;) {
    const rows = await tx
      .selectFrom('document_blocks as b')
      .innerJoin('documents as d', 'd.seq', 'b.doc_seq')
      .select(['d.seq', 'd.doc_id', 'b.blocks_json'])
      .where('d.seq', '>', after)
      .orderBy('d.seq')
      .limit(BATCH)
      .execute();
    for (const row of rows)
      try {
        decodeBlocks(row.doc_id as DocumentId, row.blocks_json);
      } catch {
        unreadable++;
      }
    if (rows.length < BATCH) return unreadable;
    after = rows.at(-1)?.seq ?? after;
  }
}
