import { copyFileSync, existsSync, rmSync } from 'node:fs';
import type { Damage, DocumentPlace, RepairOptions, StoreRepair } from '@kebab/core/store';
import { throwIfCancelled } from '@kebab/core';
import { columnsOf, sqlBuilder, statement, type Placeholder } from '@kebab/sqlite-kit';
import type { Database as Connection } from 'better-sqlite3';
import { openDatabase } from '../database/open-database.ts';
import { storeFailure } from '../database/store-failure.ts';
import { build } from '../database/tables.ts';
import { WriterLock } from '../locking/writer-lock.ts';
import { findDamage } from './find-damage.ts';

/** The database to repair, with its lock. */
interface RepairPlace {
  readonly file: string;
  readonly lockFile: string | null;
  /** Whether a writer of the same store is open. */
  readonly here: { isHeld: boolean };
}

/** The tables whose rows no file can give back, parents first. Everything else comes from an ingest. */
const LASTING = [
  'indexed_roots',
  'derivation_cache',
  'answers',
  'chat_sessions',
  'chat_turns',
  'eval_runs',
  'eval_query_results',
] as const;

const BUSY_TIMEOUT_MS = 5000;

/**
 * Replaces a damaged database by a new one with what no file can give back, row by row, while no other process writes. A copy of the damaged
 * one is kept beside it. The new one is written over the old content in one transaction, so that other processes see either of them, even
 * if this one is killed.
 */
export async function repairDatabase(
  { file, lockFile, here }: RepairPlace,
  options: RepairOptions,
): Promise<StoreRepair> {
  const { onStep, signal } = options;
  const lock = await WriterLock.acquire({ ...options, path: lockFile, location: file, here });
  const { default: Sqlite } = await import('better-sqlite3');
  const db = new Sqlite(file, { timeout: BUSY_TIMEOUT_MS, fileMustExist: true });
  const draft = `${file}.repair`;
  try {
    onStep('looking for damage');
    const damage = findDamage(db, true);
    if (damage.length === 0 || options.dryRun) return { damage, setAside: null, documents: [] };
    throwIfCancelled(signal, 'repair');
    onStep('saving what can be read');
    removeDatabase(draft);
    const copy = await openDatabase({ file: draft, readonly: false, now: () => new Date() });
    try {
      const lost = copy.transaction(() => copyLasting(db, copy))();
      const documents = placesIn(db);
      throwIfCancelled(signal, 'repair');
      const setAside = copyAside(file);
      onStep('writing the new database');
      await copy.backup(file);
      return { damage: [...damage, ...lost], setAside, documents };
    } finally {
      copy.close();
    }
  } catch (error) {
    throw storeFailure(error, file) satisfies unknown;
  } finally {
    removeDatabase(draft);
    db.close();
    lock.release();
  }
}

/** Copies the rows that can be read, and names the tables where some cannot. */
function copyLasting(from: Connection, to: Connection): readonly Damage[] {
  const id = attempt(() =>
    statement(from, () => build.selectFrom('kv').select('value').where('key', '=', 'knowledge_base')).first({}),
  );
  if (typeof id?.value === 'string')
    statement(to, (value: Placeholder<{ readonly id: string }>) =>
      build
        .updateTable('kv')
        .set({ value: value('id') })
        .where('key', '=', 'knowledge_base'),
    ).run({ id: id.value });
  // What other processes remember of the old revisions must not seem to hold of the new ones.
  statement(to, () =>
    build
      .updateTable('kv')
      .set((eb) => ({ value: eb.fn<string>('strftime', [eb.val('%s')]) }))
      .where('key', '=', 'corpus_revision'),
  ).run({});
  return LASTING.filter((table) => !copyRows(from, to, table)).map((table) => ({
    table,
    problem: 'some of its rows cannot be read, and are lost',
  }));
}

/** The columns are read from the database. */
const anyTable = sqlBuilder<Record<(typeof LASTING)[number], Record<string, unknown>>>();

/** Copies the readable rows of a table, from both ends if one in the middle cannot be read; false if some are missing. */
function copyRows(from: Connection, to: Connection, table: (typeof LASTING)[number]): boolean {
  const columns = to.pragma(`table_info(${table})`) as readonly { readonly name: string; readonly pk: number }[];
  const names = columns.map(({ name }) => name);
  const key = columns.filter(({ pk }) => pk > 0).map(({ name }) => name);
  const insert = statement(to, (value: Placeholder<Readonly<Record<string, unknown>>>) =>
    anyTable
      .insertInto(table)
      .values(columnsOf(value, names))
      .onConflict((conflict) => conflict.doNothing()),
  );
  const rows = (direction: 'asc' | 'desc'): boolean =>
    attempt(() => {
      const all = statement(from, () => {
        const inOrder = anyTable.selectFrom(table).select(names);
        return key.reduce((query, name) => query.orderBy(name, direction), inOrder);
      });
      for (const row of all.each({})) attempt(() => insert.run(row));
      return true;
    }) ?? false;
  const isWhole = rows('asc') || (rows('desc'), false);
  for (const name of names.filter((column) => column.endsWith('_json')))
    statement(to, () =>
      anyTable
        .deleteFrom(table)
        .where(name, 'is not', null)
        .where((eb) => eb.not(eb.fn<boolean>('json_valid', [name]))),
    ).run({});
  return isWhole;
}

/** The documents that the damaged database still lists. */
function placesIn(db: Connection): readonly DocumentPlace[] {
  const all = statement(db, () =>
    build.selectFrom('documents').select(['source_id as sourceId', 'workspace_path as workspacePath']),
  );
  return attempt(() => all.all({})) ?? [];
}

/** Copies a database with its log under a name that is free. */
function copyAside(file: string): string {
  let number = 1;
  while (existsSync(`${file}.damaged-${number}`)) number++;
  const target = `${file}.damaged-${number}`;
  for (const suffix of ['', '-wal']) if (existsSync(file + suffix)) copyFileSync(file + suffix, target + suffix);
  return target;
}

function removeDatabase(file: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(file + suffix, { force: true });
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
