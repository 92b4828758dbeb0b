import { rmSync } from 'node:fs';
import path from 'node:path';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentStore, DocumentWriter, DocumentRow } from '../contracts/document-store.ts';
import type { DocumentId } from '../domain/ids.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { StorePort } from '../ports.ts';

/** Opens a store for reading; null when there is no database yet. Throws `not_indexed` for one with another schema version. */
export async function openStore<T>(port: Pick<StorePort<T>, 'read'>): Promise<T | null> {
  try {
    return await port.read();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Whether a store reported that there is no database yet, rather than one of another schema. */
export function isMissing(error: unknown): boolean {
  // A store has no other way to report this: the details of an error are texts that define the output of every command.
  return isKebabError(error, 'not_indexed') && !/^schema \d/.test(error.details.found);
}

/** How long to wait for another writer to finish. */
export const LOCK_WAIT_MS = 1000;

/** Acquires the writer of a store. Throws `locked` when another one has not finished within a second. */
export function openWriter(store: DocumentStore, options: AbortOptions = {}): Promise<DocumentWriter> {
  return store.openWriter({ ...options, waitMs: LOCK_WAIT_MS });
}

const PAGE = 1000;

/** Iterates over every document by source and path, page by page. */
export async function* allDocuments(
  store: Pick<DocumentStore, 'listDocuments' | 'documentsAfter'>,
): AsyncGenerator<DocumentRow, void, undefined> {
  let last: DocumentRow | null = null;
  for (let offset = 0; ; offset += PAGE) {
    const page: readonly DocumentRow[] =
      (await store.documentsAfter?.(last, PAGE)) ?? (await store.listDocuments({}, { offset, limit: PAGE })).documents;
    yield* page;
    if (page.length < PAGE) return;
    last = page.at(-1) ?? null;
  }
}

const MAX_A_TRANSACTION = 200;

/** Deletes documents, some in each transaction. */
export async function deleteDocuments(writer: DocumentWriter, ids: readonly DocumentId[]): Promise<void> {
  for (let at = 0; at < ids.length; at += MAX_A_TRANSACTION)
    await writer.transaction((tx) => {
      for (const id of ids.slice(at, at + MAX_A_TRANSACTION)) tx.deleteDocument(id);
    });
}

/** Removes the assets that no document refers to, and their copies; files outside the asset folder are kept. */
export async function sweepCopies(writer: Pick<DocumentWriter, 'sweepAssets'>, assetDir: string): Promise<void> {
  for (const copy of await writer.sweepAssets()) {
    const inside = path.relative(assetDir, copy);
    if (!inside.startsWith('..') && !path.isAbsolute(inside)) rmSync(copy, { force: true });
  }
}
