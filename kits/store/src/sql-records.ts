import type { DerivationKind, DerivationRecords, IngestRunRow, QuarantinedFile } from '@kebab/core/store';
import { sql } from 'kysely';
import { changesOf, insertAll, rowsOf, type Change, type Engine } from './engine.ts';
import { ingestRunRow, quarantineRow } from './record-rows.ts';

/** How many ingest runs are recorded. kebab shows the time of the last one; the others are for manual inspection. */
const KEPT_RUNS = 1000;

/** The changes of a writer beside those of documents. */
export class SqlRecordsWriter {
  readonly #recorded: string;
  readonly #change: Change;

  constructor({ recorded }: Pick<Engine, 'recorded'>, change: Change) {
    this.#recorded = recorded;
    this.#change = change;
  }

  async sweepAssets(): Promise<readonly string[]> {
    const removed = await this.#change((build) =>
      rowsOf(
        build
          .deleteFrom('assets')
          .where((eb) =>
            eb.not(
              eb.exists(
                eb.selectFrom('documents').select('seq').whereRef('documents.asset_id', '=', 'assets.asset_id'),
              ),
            ),
          )
          .returning(['storage_kind', 'storage_path']),
      ),
    );
    return removed.flatMap(({ storage_kind, storage_path }) => (storage_kind === 'copied' ? [storage_path] : []));
  }

  setIndexedRoot(sourceId: string, root: string | null): Promise<void> {
    return this.#change(function* (build) {
      yield build.deleteFrom('indexed_roots').where('source_id', '=', sourceId);
      if (root === null) yield build.deleteFrom('seen_places').where('source_id', '=', sourceId);
      else yield build.insertInto('indexed_roots').values({ source_id: sourceId, root });
    });
  }

  recordRun(run: IngestRunRow): Promise<void> {
    const recorded = sql.ref<number>(this.#recorded);
    return this.#change(function* (build) {
      yield build.insertInto('ingest_runs').values(ingestRunRow(run));
      yield build
        .deleteFrom('ingest_runs')
        .where(recorded, '<=', (eb) =>
          eb.selectFrom('ingest_runs').select(sql<number>`max(${recorded}) - ${sql.lit(KEPT_RUNS)}`.as('oldest')),
        );
    });
  }

  setQuarantine(files: readonly QuarantinedFile[]): Promise<void> {
    const rows = files.map(quarantineRow);
    return this.#change(function* (build) {
      yield build.deleteFrom('quarantined_files');
      yield* insertAll(rows, (some) => build.insertInto('quarantined_files').values(some));
    });
  }
}

/** What models have derived; `change` runs a change in one transaction of the writer. */
export class SqlDerivationRecords implements DerivationRecords {
  readonly #engine: Engine;
  readonly #change: Change;

  constructor(engine: Engine, change: Change) {
    this.#engine = engine;
    this.#change = change;
  }

  async get(kind: DerivationKind, keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const isOne = this.#engine.isAnyOf('cache_key', keys);
    const rows = await this.#engine.read((build) =>
      rowsOf(
        build.selectFrom('derivation_cache').select(['cache_key', 'payload']).where(isOne).where('kind', '=', kind),
      ),
    );
    return new Map(rows.map(({ cache_key, payload }) => [cache_key, payload]));
  }

  set(
    kind: DerivationKind,
    entries: readonly { readonly key: string; readonly payload: Uint8Array }[],
    at: Date,
  ): Promise<void> {
    const time = at.toISOString();
    const unique = new Map(entries.map(({ key, payload }) => [key, payload])); // one statement may not change a row twice
    const rows = Array.from(unique, ([cache_key, payload]) => ({
      cache_key,
      kind,
      payload: Buffer.from(payload),
      created_at: time,
      last_used_at: time,
    }));
    return this.#change((build) =>
      insertAll(rows, (some) =>
        build
          .insertInto('derivation_cache')
          .values(some)
          .onConflict((conflict) =>
            conflict.column('cache_key').doUpdateSet((row) => ({
              payload: row.ref('excluded.payload'),
              last_used_at: row.ref('excluded.last_used_at'),
            })),
          ),
      ),
    );
  }

  async touch(keys: readonly string[], at: Date): Promise<void> {
    if (keys.length === 0) return;
    const isOne = this.#engine.isAnyOf('cache_key', keys);
    await this.#change((build) =>
      changesOf(build.updateTable('derivation_cache').set({ last_used_at: at.toISOString() }).where(isOne)),
    );
  }

  sweep(before: Date): Promise<number> {
    return this.#change((build) =>
      changesOf(build.deleteFrom('derivation_cache').where('last_used_at', '<', before.toISOString())),
    );
  }
}
