import type { DocumentId, SearchFilters } from '@kebab/core';
import {
  compareCodePoints,
  UNREAD_NOTES,
  type Damage,
  type DerivationKind,
  type DocumentPage,
  type DocumentPlace,
  type DocumentRow,
  type DocumentStore,
  type PartlyRead,
  type QuarantinedFile,
  type SeenPlace,
  type SeenScope,
  type StoreStats,
} from '@kebab/core/store';
import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import { DOCUMENT_ROW_COLUMNS, toDocumentRow, toPartlyRead } from './document-row.ts';
import { rowsOf, type Build, type Engine, type Steps } from './engine.ts';
import { toQuarantinedFile } from './record-rows.ts';
import { SqlAnswerLog, SqlEvalLog } from './sql-logs.ts';
import { SqlVectorLedger } from './sql-vector-ledger.ts';

type PageOfDocuments = Parameters<DocumentStore['listDocuments']>[1];

/** How many queries a statement of SQLite unites. */
const MOST_UNITED = 500;

/** No document has an empty path. */
const START: DocumentPlace = { sourceId: '', workspacePath: '' };

/**
 * What every store reads of its documents in the same way; `documents` reads them, which may be from a replica. Each method reads one
 * snapshot.
 */
export abstract class SqlDocuments {
  readonly #engine: Engine;
  readonly #documents: Engine;

  constructor(engine: Engine, documents: Engine = engine) {
    this.#engine = engine;
    this.#documents = documents;
  }

  get vectors(): SqlVectorLedger {
    return new SqlVectorLedger(this.#engine);
  }

  get answers(): SqlAnswerLog {
    return new SqlAnswerLog(this.#engine);
  }

  get evals(): SqlEvalLog {
    return new SqlEvalLog(this.#engine);
  }

  /** What filters require of a document `d`. */
  protected abstract conditions(build: Build, filters: SearchFilters): Steps<readonly Expression<SqlBool>[]>;

  protected abstract findDamage(deep: boolean): Promise<readonly Damage[]>;

  async checkIntegrity({ deep = false }: { readonly deep?: boolean | undefined } = {}): Promise<readonly string[]> {
    try {
      const found = await this.findDamage(deep);
      return found.map(({ table, problem }) => (table === null ? problem : `${table}: ${problem}`));
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  }

  async knowledgeBase(): Promise<string> {
    const [fact] = await this.#documents.read((build) =>
      rowsOf(build.selectFrom('kv').select('value').where('key', '=', 'knowledge_base')),
    );
    return fact?.value ?? '';
  }

  async indexedRoots(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#documents.read((build) =>
      rowsOf(build.selectFrom('indexed_roots').select(['source_id', 'root']).orderBy('source_id')),
    );
    return new Map(rows.map(({ source_id, root }) => [source_id, root]));
  }

  documentCount(): Promise<number> {
    return this.#documents.read((build) => countOf(build, 'documents'));
  }

  async getDocuments(ids: readonly DocumentId[]): Promise<readonly DocumentRow[]> {
    const isOne = this.#documents.isAnyOf('d.doc_id', ids);
    const rows = await this.#documents.read((build) => rowsOf(storedDocuments(build).where(isOne)));
    const found = new Map(rows.map((row) => [row.doc_id, row]));
    return ids.flatMap((id) => found.get(id) ?? []).map(toDocumentRow);
  }

  async findDocument(sourceId: string, workspacePath: string): Promise<DocumentRow | null> {
    const [row] = await this.#documents.read((build) =>
      rowsOf(storedDocuments(build).where('d.source_id', '=', sourceId).where('d.workspace_path', '=', workspacePath)),
    );
    return row === undefined ? null : toDocumentRow(row);
  }

  async findByPath(workspacePath: string): Promise<readonly DocumentRow[]> {
    const rows = await this.#documents.read((build) =>
      rowsOf(
        storedDocuments(build)
          .where('d.source_id', 'in', sourcesOf(build))
          .where('d.workspace_path', '=', workspacePath)
          .orderBy('d.source_id'),
      ),
    );
    return rows.map(toDocumentRow);
  }

  async documentsAfter(place: DocumentPlace | null, limit: number): Promise<readonly DocumentRow[]> {
    const { sourceId, workspacePath } = place ?? START;
    const rows = await this.#documents.read((build) =>
      rowsOf(
        storedDocuments(build)
          .where((eb) => eb(eb.refTuple('d.source_id', 'd.workspace_path'), '>', eb.tuple(sourceId, workspacePath)))
          .orderBy('d.source_id')
          .orderBy('d.workspace_path')
          .limit(limit),
      ),
    );
    return rows.map(toDocumentRow);
  }

  listDocuments(filters: SearchFilters, page: PageOfDocuments): Promise<DocumentPage> {
    return this.#documents.snapshot((build) => this.#list(build, filters, page));
  }

  *#list(
    build: Build,
    filters: SearchFilters,
    { offset, limit, newestFirst = false }: PageOfDocuments,
  ): Steps<DocumentPage> {
    const conditions = yield* this.conditions(build, filters);
    const rows = yield* rowsOf(
      storedDocuments(build)
        .where((eb) => eb.and(conditions))
        .$if(newestFirst, (query) => query.orderBy(this.#documents.documentDate, 'desc'))
        .orderBy('d.source_id')
        .orderBy('d.workspace_path')
        .limit(limit)
        .offset(offset),
    );
    const [count] = yield* rowsOf(
      build
        .selectFrom('documents as d')
        .select(({ fn }) => fn.countAll<number>().as('documents'))
        .where((eb) => eb.and(conditions)),
    );
    return { documents: rows.map(toDocumentRow), total: count?.documents ?? 0 };
  }

  documentIds(filters: SearchFilters): Promise<ReadonlySet<DocumentId>> {
    return this.#documents.snapshot((build) => this.#ids(build, filters));
  }

  *#ids(build: Build, filters: SearchFilters): Steps<ReadonlySet<DocumentId>> {
    const conditions = yield* this.conditions(build, filters);
    const ids = build.selectFrom('documents as d').select('d.doc_id');
    const rows = yield* rowsOf(ids.where((eb) => eb.and(conditions)));
    return new Set(rows.map((row) => row.doc_id as DocumentId));
  }

  async knownSources(): Promise<readonly string[]> {
    const rows = await this.#documents.read((build) => rowsOf(sourcesOf(build)));
    return rows.map(({ id }) => id);
  }

  async quarantined(): Promise<readonly QuarantinedFile[]> {
    const rows = await this.#documents.read((build) =>
      rowsOf(build.selectFrom('quarantined_files').selectAll().orderBy('source_id').orderBy('workspace_path')),
    );
    return rows.map(toQuarantinedFile);
  }

  async partlyRead(ids?: readonly DocumentId[]): Promise<readonly PartlyRead[]> {
    const { isAnyOf } = this.#documents;
    const rows = await this.#documents.read((build) =>
      rowsOf(partlyReadIn(build).$if(ids !== undefined, (query) => query.where(isAnyOf('doc_id', ids ?? [])))),
    );
    return toPartlyRead(rows);
  }

  async derivation(kind: DerivationKind, key: string): Promise<Uint8Array | undefined> {
    const [row] = await this.#documents.read((build) =>
      rowsOf(
        build.selectFrom('derivation_cache').select('payload').where('cache_key', '=', key).where('kind', '=', kind),
      ),
    );
    return row?.payload;
  }

  /** The direct entries of a directory are a range of paths, without those that have a further slash. */
  async seenPlaces(sourceId: string, only?: SeenScope): Promise<readonly SeenPlace[]> {
    const { isAnyOf } = this.#documents;
    const rows = await this.#documents.snapshot(function* (build) {
      const places = build
        .selectFrom('seen_places')
        .select(['path', 'kind', 'size', 'mtime_ms as mtimeMs'])
        .where('source_id', '=', sourceId);
      if (only === undefined) return yield* rowsOf(places.orderBy('path'));
      if ('newest' in only) {
        const files = places.where('kind', '=', 'file').limit(only.newest);
        const unsettled = files.where('mtime_ms', '<', 0); // places that are not settled have a negative time
        const settled = files.where('mtime_ms', '>=', 0).orderBy('mtime_ms', 'desc');
        const newest = places
          .where('kind', 'in', ['directory', 'rules', 'left_out'])
          .unionAll(build.selectFrom(unsettled.as('unsettled')).selectAll())
          .unionAll(build.selectFrom(settled.as('settled')).selectAll())
          .limit(only.newest);
        return yield* rowsOf(newest);
      }
      const named = places.where(isAnyOf('path', only.paths));
      if (only.inside === undefined) return yield* rowsOf(named.orderBy('path'));
      const entries = only.inside.map((directory) => {
        const folder = directory === '' ? '' : `${directory}/`;
        const rest = sql<string>`substr(path, length(${folder}) + 1)`; // a database counts other characters
        return places
          .where('path', '>', folder)
          .$if(folder !== '', (query) => query.where('path', '<', `${directory}0`)) // the character after the slash
          .where(rest, 'not like', '%/%');
      });
      const found = new Map<string, { readonly path: string }>();
      const all = [places.where('kind', '=', 'directory'), named, ...entries];
      for (let from = 0; from < all.length; from += MOST_UNITED) {
        const united = all.slice(from, from + MOST_UNITED).reduce((query, more) => query.union(more));
        for (const place of yield* rowsOf(united)) found.set(place.path, place);
      }
      return [...found.values()].toSorted((a, b) => compareCodePoints(a.path, b.path));
    });
    return rows as readonly unknown[] as readonly SeenPlace[]; // the column of kinds holds nothing but kinds
  }

  /** The counts that `kebab schema` shows. The last ingest is that recorded last: the clock may have been set back since an earlier one. */
  stats(): Promise<StoreStats> {
    const { recorded, storedBytes } = this.#documents;
    return this.#documents.snapshot(function* (build) {
      const [last] = yield* rowsOf(
        build.selectFrom('ingest_runs').select('finished_at').orderBy(sql.ref(recorded), 'desc').limit(1),
      );
      const [size] = yield* rowsOf(storedBytes);
      return {
        documents: yield* countOf(build, 'documents'),
        chunks: yield* countOf(build, 'chunks'),
        assets: yield* countOf(build, 'assets'),
        lastIngestAt: last === undefined ? null : new Date(last.finished_at),
        media: yield* breakdown(build, 'media'),
        langs: yield* breakdown(build, 'lang'),
        codeLangs: yield* breakdown(build, 'code_lang'),
        codeLangChunks: yield* breakdown(build, 'code_lang', sql<number>`sum(chunk_count)`),
        repos: yield* breakdown(build, 'repo'),
        sources: yield* breakdown(build, 'source_id'),
        storedBytes: size?.bytes ?? 0,
      };
    });
  }
}

function* countOf(build: Build, table: 'documents' | 'chunks' | 'assets'): Steps<number> {
  const [row] = yield* rowsOf(build.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('n')));
  return row?.n ?? 0;
}

function* breakdown(
  build: Build,
  column: 'media' | 'lang' | 'code_lang' | 'repo' | 'source_id',
  counted: RawBuilder<number> = sql<number>`count(*)`,
): Steps<Readonly<Record<string, number>>> {
  const groups = yield* rowsOf(
    build
      .selectFrom('documents')
      .select((eb) => [eb.ref(column).$notNull().as('name'), counted.as('n')])
      .where(column, 'is not', null)
      .groupBy(column)
      .orderBy(column),
  );
  return Object.fromEntries(groups.map(({ name, n }) => [name, n]));
}

/** Selects documents `d` with their assets `a`, for {@link toDocumentRow}. Nanoseconds, which exceed a number, are read as text. */
export function storedDocuments(build: Build) {
  return build
    .selectFrom('documents as d')
    .innerJoin('assets as a', 'a.asset_id', 'd.asset_id')
    .select(DOCUMENT_ROW_COLUMNS)
    .select((eb) => eb.cast<string | null>('d.file_mtime_ns', 'text').as('file_mtime_ns'));
}

/** Selects documents of which something may not have been read, for {@link toPartlyRead}. */
export function partlyReadIn(build: Build) {
  return build
    .selectFrom('documents')
    .select(['doc_id', 'source_id', 'workspace_path', 'provenance_json', 'parser_version', 'chunker_version'])
    .where((eb) => eb.or(UNREAD_NOTES.map((note) => eb('provenance_json', 'like', `%"${note}%`))))
    .orderBy('source_id')
    .orderBy('workspace_path');
}

/** All sources that have documents, at the cost of one index search each. */
function sourcesOf(build: Build) {
  return build
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
    .where('id', 'is not', null);
}
