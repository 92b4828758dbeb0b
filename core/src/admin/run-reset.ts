import { closeSync, lstatSync, openSync, readSync, unlinkSync } from 'node:fs';
import type { ConfigResolution } from '../config/resolve-config.ts';
import type { ResetReport } from '../wire/index.ts';
import { clearFolder, removeIfEmpty } from './clear-folder.ts';
import { planReset, type ResetPlan, type ResetScope } from './plan-reset.ts';

/** What a reset asks of the stores. Each does nothing when there is nothing, so that a second reset succeeds. */
export interface ResetStores {
  /** Purges documents outside the present walk and tells their paths. */
  readonly purgeOrphans: () => Promise<readonly string[]>;
  /** Removes every embedding row, so that embeddings are pending, and tells how many there were. */
  readonly truncateEmbeddings: () => Promise<number>;
  /** Drops every collection of the vector store, wherever it is. */
  readonly dropCollections: () => Promise<void>;
  /** Closes the database and the vector store: their files are about to go. */
  readonly close: () => Promise<void>;
}

/**
 * Removes what kebab made, by scope, and nothing else: other files, and folders that hold them, stay. Doing it twice
 * removes nothing the second time. The caller holds the writer's lock.
 */
export async function runReset(
  scope: ResetScope,
  where: Pick<ConfigResolution, 'config' | 'folders'>,
  stores: ResetStores,
): Promise<ResetReport> {
  const plan = planReset(scope, where);
  const purged = plan.orphans ? await stores.purgeOrphans() : [];
  const rows = plan.vectors && plan.database === null ? await stores.truncateEmbeddings() : 0;
  if (plan.vectors) await stores.dropCollections();
  if (plan.vectors) await stores.close();
  return {
    schema_version: 'reset_report.v1',
    scope,
    removed_paths: outermost(removeAll(plan)),
    embedding_rows_truncated: rows,
    orphans_purged: purged.length,
    purged_paths: [...purged],
  };
}

function removeAll(plan: ResetPlan): readonly string[] {
  return [
    ...(plan.database === null ? [] : removeDatabase(plan.database)),
    ...plan.files.flatMap(removeFile),
    ...plan.folders.flatMap(clearFolder),
    ...plan.emptyFolders.flatMap(removeIfEmpty),
  ];
}

/** A file that is no database was put there by somebody else; an empty one is a database not yet written to. */
function removeDatabase(file: string): readonly string[] {
  if (isRegularFile(file) && !isDatabase(file)) return [];
  return [file, `${file}-wal`, `${file}-shm`, `${file}-journal`].flatMap(removeFile);
}

function isDatabase(file: string): boolean {
  const handle = openSync(file, 'r');
  try {
    const head = Buffer.alloc(15);
    return readSync(handle, head) === 0 || head.toString('latin1') === 'SQLite format 3';
  } finally {
    closeSync(handle);
  }
}

function removeFile(file: string): readonly string[] {
  if (!isRegularFile(file)) return [];
  unlinkSync(file);
  return [file];
}

function isRegularFile(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

/** A folder that went stands for everything that was in it. */
function outermost(removed: readonly string[]): readonly string[] {
  const folders = removed.filter((entry) => entry.endsWith('/'));
  return removed.filter((entry) => !folders.some((folder) => entry !== folder && entry.startsWith(folder)));
}
