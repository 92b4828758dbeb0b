import type { PluginContext } from '../../src/plugin/define-plugin.ts';
import type { DocumentRow, DocumentStore, DocumentWrite } from '../../src/contracts/document-store.ts';
import type { LexicalIndex } from '../../src/contracts/lexical-index.ts';
import type { SessionRepo } from '../../src/contracts/session-repo.ts';
import { silentCallContext } from '@kebab/testing';
import sqlite from '@kebab/plugin-store-sqlite';

/** Documents, full text and conversations in one SQLite database in memory, as created by the plugin. */
export interface OpenStore {
  readonly store: DocumentStore;
  readonly index: LexicalIndex;
  readonly sessions: SessionRepo;
}

/** Opens a database: by default an empty one in memory, which disappears with the test, closed or not. */
export async function openStore(file = ':memory:'): Promise<OpenStore> {
  const context: PluginContext<Parameters<typeof makeStore>[0]['config']> = {
    config: { file, readonly: false, lockFile: file === ':memory:' ? file : `${file}.lock`, embeddingCache: '' },
    log: silentCallContext().log,
    cache: { get: () => undefined, set: () => {} },
    tmpDir: '',
    clock: { now: () => new Date('2026-01-01T00:00:00Z') },
  };
  return { store: await makeStore(context), index: await makeIndex(context), sessions: await makeSessions(context) };
}

/** Every document of a store, by source and path. */
export async function rowsOf(store: Pick<DocumentStore, 'listDocuments'>): Promise<readonly DocumentRow[]> {
  return (await store.listDocuments({}, { offset: 0, limit: 1000 })).documents;
}

/** A store that contains these documents. */
export async function storeOf(...writes: readonly DocumentWrite[]): Promise<DocumentStore> {
  const { store } = await openStore();
  await commit(store, ...writes);
  return store;
}

/** Commits documents. */
export async function commit(store: DocumentStore, ...writes: readonly DocumentWrite[]): Promise<void> {
  const writer = await store.openWriter({ waitMs: 0 });
  await writer.transaction((tx) => {
    for (const write of writes) tx.putDocument(write);
  });
  await writer.close();
}

const { document_store, lexical_index, session_repo } = sqlite.contributes;
const makeStore = contributed(document_store?.['sqlite']);
const makeIndex = contributed(lexical_index?.['sqlite-fts5']);
const makeSessions = contributed(session_repo?.['sqlite']);

function contributed<T>(factory: T | undefined): T {
  if (factory === undefined) throw new Error('the store plugin contributes something else');
  return factory;
}
