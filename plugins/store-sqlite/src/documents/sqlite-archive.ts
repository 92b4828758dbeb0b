import type { DocumentId } from '@kebab/core';
import type { CommittedDocument, StoreArchive } from '@kebab/core/store';
import { statement, statementsOn, type Placeholder } from '@kebab/sqlite-kit';
import { SqlArchive, toCommittedDocument, toDocumentRow, type Engine } from '@kebab/store-kit';
import type { Database as Connection } from 'better-sqlite3';
import { build } from '../database/tables.ts';
import type { DocumentReader } from './document-reader.ts';
import { STORED_DOCUMENTS } from './store-statements.ts';

/** The archive of a database; `read` runs queries on one snapshot. */
export function sqliteArchive(
  db: Connection,
  { engine, read }: { readonly engine: Engine; readonly read: <T>(query: (reader: DocumentReader) => T) => Promise<T> },
): StoreArchive {
  return new SqlArchive(engine, (ids) =>
    read((reader) => ids.flatMap((id) => committedDocument(db, { id, reader }) ?? [])),
  );
}

function committedDocument(
  db: Connection,
  { id, reader }: { readonly id: DocumentId; readonly reader: DocumentReader },
): CommittedDocument | null {
  const { document: find, asset: findAsset, indexed } = statementsOn(db, statementsOf);
  const stored = find.first({ doc_id: id });
  const document = reader.canonicalDocument(id);
  const asset = stored === undefined ? undefined : findAsset.first({ asset_id: stored.asset_id });
  if (stored === undefined || document === null || asset === undefined) return null;
  const row = toDocumentRow(stored);
  return toCommittedDocument({
    row,
    document,
    chunks: reader.chunks(id, 0, row.chunkCount),
    indexed: indexed.all({ doc_seq: stored.seq }),
    asset,
  });
}

function statementsOf(db: Connection) {
  return {
    document: statement(db, (value: Placeholder<{ readonly doc_id: string }>) =>
      STORED_DOCUMENTS.where('d.doc_id', '=', value('doc_id')),
    ),
    indexed: statement(db, (value: Placeholder<{ readonly doc_seq: number }>) =>
      build
        .selectFrom('documents as d')
        .innerJoin('chunks as c', 'c.doc_seq', 'd.seq')
        .select(['c.index_symbol', 'c.index_prefix'])
        .whereRef('c.seq', '>=', 'd.first_chunk')
        .where('c.seq', '<', (eb) => eb('d.first_chunk', '+', eb.ref('d.chunk_count')))
        .where('d.seq', '=', value('doc_seq'))
        .orderBy('c.seq'),
    ),
    asset: statement(db, (value: Placeholder<{ readonly asset_id: string }>) =>
      build.selectFrom('assets').selectAll().where('asset_id', '=', value('asset_id')),
    ),
  };
}
