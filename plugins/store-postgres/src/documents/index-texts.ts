import type { IndexText } from '@kebab/core/store';
import { decodeHeadingPath, decodeMetadata, toIndexText } from '@kebab/store-kit';
import { sql, type Expression, type SqlBool } from 'kysely';
import { isAnyOf } from '../database/query-parts.ts';
import type { Db } from '../database/tables.ts';

/** A document by what its chunks are indexed by; these have the numbers from `firstChunk` on. */
export interface IndexedDocument {
  readonly docSeq: number;
  readonly firstChunk: number;
  readonly isCode: boolean;
  readonly index: readonly IndexText[];
}

/** The first stored documents `d` that meet a condition, by number, analysed again. */
export async function indexedDocuments(
  tx: Db,
  condition: Expression<SqlBool>,
  limit: number,
): Promise<readonly IndexedDocument[]> {
  const documents = await tx
    .selectFrom('documents as d')
    .selectAll('d')
    .select((eb) =>
      eb
        .selectFrom('document_texts as t')
        .select(sql<string>`string_agg(t.text, '' ORDER BY t.start)`.as('text'))
        .whereRef('t.doc_seq', '=', 'd.seq')
        .as('text'),
    )
    .where(condition)
    .orderBy('d.seq')
    .limit(limit)
    .execute();
  const seqs = documents.map(({ seq }) => seq);
  const chunks = await tx
    .selectFrom('documents as d')
    .innerJoin('chunks as c', (join) =>
      join.onRef('c.seq', '>=', 'd.first_chunk').on('c.seq', '<', sql<number>`d.first_chunk + d.chunk_count`),
    )
    .selectAll('c')
    .where(isAnyOf('d.seq', seqs, 'bigint'))
    .orderBy('c.seq')
    .execute();
  return documents.map(({ text, ...row }) => {
    const { title, workspace_path: workspacePath } = row;
    const metadata = decodeMetadata(row.metadata_json, row);
    const index = chunks.flatMap((chunk) => {
      if (chunk.doc_seq !== row.seq) return [];
      const headingPath = decodeHeadingPath(chunk.heading_path_json, title);
      const own = (text ?? '').slice(chunk.text_start, chunk.text_end);
      return toIndexText({ text: own, headingPath, ordinal: chunk.ordinal }, { title, workspacePath, metadata }, chunk);
    });
    return { docSeq: row.seq, firstChunk: row.first_chunk, isCode: row.media === 'code', index };
  });
}
