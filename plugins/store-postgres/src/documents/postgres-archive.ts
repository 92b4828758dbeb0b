import type { DocumentId } from '@kebab/core';
import type { CommittedDocument, StoreArchive } from '@kebab/core/store';
import { SqlArchive, storedDocuments, toCommittedDocument, toDocumentRow } from '@kebab/store-kit';
import { postgresEngine } from '../database/engine.ts';
import type { PostgresDatabase } from '../database/open-database.ts';
import type { Db } from '../database/tables.ts';
import { canonicalDocument, chunksOf } from './document-queries.ts';

/** The archive of a knowledge base on a server. */
export function postgresArchive(database: PostgresDatabase): StoreArchive {
  return new SqlArchive(postgresEngine(database), (ids) =>
    database.read(async (tx) => {
      const found: CommittedDocument[] = [];
      for (const id of ids) found.push(...(await committedDocument(tx, id)));
      return found;
    }),
  );
}

async function committedDocument(tx: Db, id: DocumentId): Promise<readonly CommittedDocument[]> {
  const stored = await storedDocuments(tx).where('d.doc_id', '=', id).executeTakeFirst();
  const document = await canonicalDocument(tx, id);
  if (stored === undefined || document === null) return [];
  const row = toDocumentRow(stored);
  const asset = await tx
    .selectFrom('assets')
    .selectAll()
    .where('asset_id', '=', stored.asset_id)
    .executeTakeFirstOrThrow();
  const indexed = await tx
    .selectFrom('chunks')
    .select(['index_symbol', 'index_prefix'])
    .where('doc_seq', '=', stored.seq)
    .orderBy('seq')
    .execute();
  return [toCommittedDocument({ row, document, chunks: await chunksOf(tx, id, 0, row.chunkCount), indexed, asset })];
}
