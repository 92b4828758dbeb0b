import { UNREAD_NOTES, type DerivationKind } from '@kebab/core/store';
import { inList, statement, type BuiltStatement, type Placeholder } from '@kebab/sqlite-kit';
import { DOCUMENT_ROW_COLUMNS, MADE_COLUMNS } from '@kebab/store-kit';
import type { Database as Connection } from 'better-sqlite3';
import { build, factStatements } from '../database/tables.ts';

/** Selects documents `d` with their assets `a`, for `toDocumentRow`. Nanoseconds, which exceed a number, are read as text. */
export const STORED_DOCUMENTS = build
  .selectFrom('documents as d')
  .innerJoin('assets as a', 'a.asset_id', 'd.asset_id')
  .select(DOCUMENT_ROW_COLUMNS)
  .select((eb) => eb.cast<string | null>('d.file_mtime_ns', 'text').as('file_mtime_ns'));

interface Range {
  readonly first: string;
  readonly last: string;
  readonly limit: number;
}

interface Place {
  readonly source_id: string;
  readonly workspace_path: string;
}

/** The statements of a document store. */
export function storeStatements(db: Connection) {
  return {
    ...factStatements(db),
    roots: statement(db, () => build.selectFrom('indexed_roots').select(['source_id', 'root']).orderBy('source_id')),
    count: statement(db, () => build.selectFrom('documents').select(({ fn }) => fn.countAll<number>().as('documents'))),
    documents: statement(db, (value: Placeholder<{ readonly ids: string }>) =>
      STORED_DOCUMENTS.where('d.doc_id', 'in', inList(value('ids'))),
    ),
    documentAt: statement(db, (value: Placeholder<Place>) =>
      STORED_DOCUMENTS.where('d.source_id', '=', value('source_id')).where(
        'd.workspace_path',
        '=',
        value('workspace_path'),
      ),
    ),
    after: statement(db, (value: Placeholder<Place & { readonly limit: number }>) =>
      STORED_DOCUMENTS.where((eb) =>
        eb(eb.refTuple('d.source_id', 'd.workspace_path'), '>', eb.tuple(value('source_id'), value('workspace_path'))),
      )
        .orderBy('d.source_id')
        .orderBy('d.workspace_path')
        .limit(value('limit')),
    ),
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
    partlyRead: statement(db, () => partlyReadDocuments),
    partlyReadAmong: statement(db, (value: Placeholder<{ readonly ids: string }>) =>
      partlyReadDocuments.where('doc_id', 'in', inList(value('ids'))),
    ),
    size: statement(db, (value: Placeholder<{ readonly doc_id: string }>) =>
      build.selectFrom('documents').select(['seq', 'text_length']).where('doc_id', '=', value('doc_id')),
    ),
    derivation: statement(db, (value: Placeholder<{ readonly key: string; readonly kind: DerivationKind }>) =>
      build
        .selectFrom('derivation_cache')
        .select('payload')
        .where('cache_key', '=', value('key'))
        .where('kind', '=', value('kind')),
    ),
    known: knownDocumentsOf(db),
    sources: sourcesOf(db),
  };
}

const partlyReadDocuments = build
  .selectFrom('documents')
  .select(['doc_id', 'source_id', 'workspace_path', 'provenance_json', 'parser_version', 'chunker_version'])
  .where((eb) =>
    eb.or(UNREAD_NOTES.map((note) => eb(eb.fn<number>('instr', ['provenance_json', eb.val(`"${note}`)]), '>', 0))),
  )
  .orderBy('source_id')
  .orderBy('workspace_path');

/** All sources that have documents, at the cost of one index search each. */
function sourcesOf(db: Connection): BuiltStatement<object, { readonly id: string }> {
  return statement(db, () =>
    build
      .withRecursive('sources(id)', (sources) =>
        sources
          .selectFrom('documents')
          .select(({ fn }) => fn.min<string | null>('source_id').as('id'))
          .unionAll(
            sources
              .selectFrom('sources')
              .select((eb) =>
                eb
                  .selectFrom('documents')
                  .select(({ fn }) => fn.min<string | null>('source_id').as('id'))
                  .whereRef('documents.source_id', '>', 'sources.id')
                  .as('id'),
              )
              .where('sources.id', 'is not', null),
          ),
      )
      .selectFrom('sources')
      .select((eb) => eb.ref('id').$notNull().as('id'))
      .where('id', 'is not', null),
  );
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
