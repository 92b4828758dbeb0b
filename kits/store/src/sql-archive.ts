import { invalidInput } from '@kebab/core';
import type {
  AnswerRow,
  ArchivePage,
  DerivationEntry,
  EvalRunRow,
  IngestRunRow,
  StoreArchive,
  VectorNote,
} from '@kebab/core/store';
import { sql } from 'kysely';
import { toDerivation, toIngestRun, VECTOR_NOTE_COLUMNS } from './archive-rows.ts';
import { changesOf, rowsOf, type Build, type Engine, type Steps } from './engine.ts';
import { SqlAnswerLog, SqlEvalLog } from './sql-logs.ts';

/** The fact that says which knowledge base is being moved into a store. */
const ARRIVING = 'arriving';

/** Reads a knowledge base as it was written, and gives the tables the identity of one that is moved into them. */
export class SqlArchive implements StoreArchive {
  readonly documents: StoreArchive['documents'];
  readonly #engine: Engine;

  constructor(engine: Engine, documents: StoreArchive['documents']) {
    this.#engine = engine;
    this.documents = documents;
  }

  async notes(ids: readonly string[]): Promise<readonly VectorNote[]> {
    const isOne = this.#engine.isAnyOf('embedding_id', ids);
    const rows = await this.#engine.read((build) =>
      rowsOf(build.selectFrom('embedding_records').select(VECTOR_NOTE_COLUMNS).where(isOne).orderBy('embedding_id')),
    );
    return rows as readonly unknown[] as readonly VectorNote[];
  }

  async runs(): Promise<readonly IngestRunRow[]> {
    const rows = await this.#engine.read((build) =>
      rowsOf(build.selectFrom('ingest_runs').selectAll().orderBy(sql.ref(this.#engine.recorded))),
    );
    return rows.map(toIngestRun);
  }

  answers(page: ArchivePage): Promise<readonly AnswerRow[]> {
    return new SqlAnswerLog(this.#engine).recorded(page);
  }

  evals(page: ArchivePage): Promise<readonly EvalRunRow[]> {
    return new SqlEvalLog(this.#engine).recorded(page);
  }

  async derivations(page: { readonly after: string; readonly limit: number }): Promise<readonly DerivationEntry[]> {
    const rows = await this.#engine.read((build) =>
      rowsOf(
        build
          .selectFrom('derivation_cache')
          .select(['kind', 'cache_key', 'payload', 'last_used_at'])
          .where('kind', '<>', 'embedding')
          .where('cache_key', '>', page.after)
          .orderBy('cache_key')
          .limit(page.limit),
      ),
    );
    return rows.map(toDerivation);
  }

  arriving(): Promise<string | null> {
    return this.#engine.read(arriving);
  }

  beginMove(knowledgeBase: string): Promise<void> {
    const { location } = this.#engine;
    return this.#engine.change(function* (build) {
      const [document] = yield* rowsOf(build.selectFrom('documents').select('seq').limit(1));
      if (document !== undefined && (yield* arriving(build)) !== knowledgeBase)
        throw invalidInput(`${location} already holds documents`, { field: '--to', value: location });
      for (const key of [ARRIVING, 'knowledge_base'])
        yield build
          .insertInto('kv')
          .values({ key, value: knowledgeBase })
          .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: knowledgeBase }));
    });
  }

  async endMove(): Promise<void> {
    await this.#engine.change((build) => changesOf(build.deleteFrom('kv').where('key', '=', ARRIVING)));
  }
}

function* arriving(build: Build): Steps<string | null> {
  const [fact] = yield* rowsOf(build.selectFrom('kv').select('value').where('key', '=', ARRIVING));
  return fact?.value ?? null;
}
