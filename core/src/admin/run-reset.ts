import { existsSync, lstatSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { projectListIn, readProjects, rememberDatabase, writeProjects } from '../config/project-list.ts';
import type { Project } from '../config/read-config-files.ts';
import type { ConfigResolution } from '../config/resolve-config.ts';
import { readTrusted, trustStoreIn, withoutTrusted, writeTrusted } from '../config/trust-store.ts';
import { databaseFile } from '../config/resolved-config.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { KebabError } from '../errors/kebab-error.ts';
import { readDatabaseHeader } from '../files/own-folder.ts';
import type { ResetReport } from '../wire/index.ts';
import { clearFolder, removeDrafts, removeIfEmpty, type Cleared, clearModels } from './clear-folder.ts';
import { planReset, type ResetPlan, type ResetScope } from './plan-reset.ts';

/** The store operations of a reset. Each does nothing when there is nothing to do, so that a second reset succeeds. */
export interface ResetStores {
  /** The path of the database that the document store opened; null when there is none, or none that can be opened. */
  readonly opened: string | null;
  /** Purges documents that the current configuration no longer includes and returns their paths. */
  readonly purgeOrphans: () => Promise<readonly string[]>;
  /** Removes every embedding row, so that embeddings are pending, and returns their number. */
  readonly truncateEmbeddings: () => Promise<number>;
  /** Drops every collection of the vector store, wherever it is. */
  readonly dropCollections: () => Promise<void>;
  /** Removes the documents from a server, and everything that is stored with them; returns where they were, or null if there were none. */
  readonly removeTables: () => Promise<string | null>;
  /** Closes the database and the vector store, because their files are about to be removed. */
  readonly close: () => Promise<void>;
}

/**
 * Removes only what kebab created, by scope: other files, and folders that contain them, are kept. Idempotent. The caller holds the writer
 * lock. Before anything is removed, throws `invalid_input` in a project whose knowledge base is not used, because the user's own would be
 * removed instead, and `io_error` when the file at the path of the database is not one of kebab's.
 */
export async function runReset(
  scope: ResetScope,
  where: Pick<ConfigResolution, 'config' | 'folders' | 'project' | 'unusedFolder'>,
  stores: ResetStores,
): Promise<ResetReport> {
  if (where.unusedFolder !== null) throw refusedInProject(where.unusedFolder);
  const database = databaseAt(where, stores.opened);
  const plan = planReset(scope, where);
  if (plan.database !== null && database === 'foreign') throw notOurs(plan.database);
  const purged = plan.orphans ? await stores.purgeOrphans() : [];
  const rows = plan.vectors && plan.database === null ? await stores.truncateEmbeddings() : 0;
  if (plan.vectors) await stores.dropCollections();
  const tables = plan.serverTables ? await stores.removeTables() : null;
  if (plan.vectors) await stores.close();
  const { removed, left } = removeAll(plan, database);
  if (where.project !== null) forget(where.project, { ...where, list: plan.forgetsProject });
  if (where.project !== null && plan.database !== null)
    rememberDatabase(where.folders.state, where.project.kebabFolder, null);
  return {
    schema_version: 'reset_report.v1',
    scope,
    removed_paths: [...(tables === null ? [] : [tables]), ...outermost(removed)],
    embedding_rows_truncated: rows,
    orphans_purged: purged.length,
    purged_paths: [...purged],
    ...(left.length === 0 ? {} : { left_paths: [...left] }),
  };
}

/** The trust in a removed configuration is removed too, and for the scope `all` the entry in the list of projects. */
function forget(
  { configFile, kebabFolder }: Project,
  { folders, list }: Pick<ConfigResolution, 'folders'> & { readonly list: boolean },
): void {
  const store = trustStoreIn(folders.state);
  const trusted = readTrusted(store);
  const stillTrusted = existsSync(configFile) ? trusted : withoutTrusted(trusted, configFile);
  if (stillTrusted.length < trusted.length) writeTrusted(store, stillTrusted);
  if (!list) return;
  const listFile = projectListIn(folders.state);
  const projects = readProjects(listFile);
  writeProjects(listFile, new Map([...projects].filter(([place]) => place !== kebabFolder)));
}

/** What is at the path of the database. */
type DatabaseState = 'missing' | 'link' | 'foreign' | 'ours';

const DATABASE_NAME = 'kebab.sqlite';

/**
 * A database is recognised as kebab's by its mark, by opening as one, or by its default location. An empty file of that name is one not yet
 * written to.
 */
function databaseAt(
  { config, folders }: Pick<ConfigResolution, 'config' | 'folders'>,
  opened: string | null,
): DatabaseState {
  const sqlite = databaseFile(config);
  if (sqlite === null) return 'missing';
  const file = lstatSync(sqlite, { throwIfNoEntry: false });
  if (file === undefined) return 'missing';
  if (!file.isFile()) return 'link';
  if (file.size === 0) return path.basename(sqlite) === DATABASE_NAME || sqlite === opened ? 'ours' : 'foreign';
  const { isDatabase, isMarked } = readDatabaseHeader(sqlite);
  const isAtHome = isDatabase && sqlite === path.join(folders.data, DATABASE_NAME);
  return isMarked || isAtHome || sqlite === opened ? 'ours' : 'foreign';
}

function removeAll(plan: ResetPlan, state: DatabaseState): Cleared {
  const { database, lock, models } = plan;
  const isOurs = state === 'ours';
  const cleared = [...plan.folders.map(clearFolder), ...(models === null ? [] : [clearModels(models)])];
  const removed = [
    ...(database !== null && isOurs ? removeDatabase(database) : []),
    ...(lock !== null && (isOurs || state === 'missing') ? [lock, `${lock}.sqlite`].flatMap(removeFile) : []),
    ...plan.files.flatMap(removeFile),
    ...cleared.flatMap((one) => one.removed),
    ...plan.emptyFolders.flatMap((folder) => [...removeDrafts(folder), ...removeIfEmpty(folder)]),
  ];
  const link = database !== null && state === 'link' ? [database] : [];
  return { removed, left: [...link, ...cleared.flatMap((one) => one.left)] };
}

/** The database file itself is removed last: while it exists, an interrupted reset can be repeated. */
function removeDatabase(file: string): readonly string[] {
  return [`${file}-wal`, `${file}-shm`, `${file}-journal`, file].flatMap(removeFile);
}

function removeFile(file: string): readonly string[] {
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return [];
  unlinkSync(file);
  return [file];
}

function refusedInProject(unusedFolder: string): KebabError<'invalid_input'> {
  return invalidInput(
    `${unusedFolder} is not used, so a reset here would affect your own knowledge base: nothing was removed`,
    {
      field: 'user',
      hint: `remove ${unusedFolder} yourself, or run \`kebab reset --user\` if you mean your own knowledge base`,
    },
  );
}

function notOurs(file: string): KebabError<'io_error'> {
  const cause = 'is not recognised as a database of kebab';
  return new KebabError('io_error', `${file} ${cause}: nothing was removed`, {
    details: { kind: 'EEXIST', path: file, cause },
    hint: 'move the file away, or set storage.sqlite to the database of kebab, then run `kebab reset` again',
  });
}

/** A removed folder stands for everything that was in it. */
function outermost(removed: readonly string[]): readonly string[] {
  const folders = removed.filter((entry) => entry.endsWith('/'));
  return removed.filter((entry) => !folders.some((folder) => entry !== folder && entry.startsWith(folder)));
}
