import { inList, sqlBuilder, statement, type Placeholder } from '@kebab/sqlite-kit';
import { MADE_COLUMNS, storedDocuments, type Tables } from '@kebab/store-kit';
import type { Database as Connection } from 'better-sqlite3';
import { build, factStatements } from '../database/tables.ts';

export const STORED_DOCUMENTS = storedDocuments(sqlBuilder<Tables>());

interface Range {
  readonly first: string;
  readonly last: string;
  readonly limit: number;
}

/** The statements of a document store. */
export function storeStatements(db: Connection) {
  return {
    ...factStatements(db),
    documentIds: statement(db, (value: Placeholder<Range>) =>
      build
        .selectFrom('documents')
        .select('doc_id as id')
        .where('doc_id', '>=', value('first'))
        .where('doc_id', '<=', value('last'))
        .orderBy('doc_id')
        .limit(value('limit')),
    ),
    chunkIds: statement(db, (value: Placeholder<Range>) =>
      build
        .selectFrom('chunks')
        .select('chunk_id as id')
        .where('chunk_key', '>=', ({ fn }) => fn<Uint8Array>('unhex', [value('first')]))
        .where('chunk_key', '<=', ({ fn }) => fn<Uint8Array>('unhex', [value('last')]))
        .orderBy('chunk_key')
        .limit(value('limit')),
    ),
    size: statement(db, (value: Placeholder<{ readonly doc_id: string }>) =>
      build.selectFrom('documents').select(['seq', 'text_length']).where('doc_id', '=', value('doc_id')),
    ),
    known: knownDocumentsOf(db),
  };
}

/** The documents of a source as an ingest needs them, ordered by path. It reads all of them, so that each column costs time. */
function knownDocumentsOf(db: Connection) {
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
      eb.fn<string>('json_array', [...MADE_COLUMNS]).as('made'),
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
