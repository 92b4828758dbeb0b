import assert from 'node:assert/strict';
import { assertHolds } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { sqliteMigrations } from '../../src/database/migrate.ts';
import type { SqliteDocumentStore } from '../../src/documents/sqlite-document-store.ts';
import { editsOf, versionedDocument } from '../fixtures/versioned-document.ts';
import { fileDatabase, fileStore } from '../open-test-store.ts';
import { runProgram } from '../run-program.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const KILLS_PER_LANE = 3;

/** Starts a writer, kills it some time after its first commit, and returns the last version that it reported as committed. */
async function writeAndKill(file: string, firstVersion: number): Promise<number> {
  const { process: child, lines, ended } = runProgram('write-until-killed', file, String(firstVersion));
  let committed = 0;
  const killAfter = firstVersion + Math.floor(Math.random() * 8);
  for await (const line of lines) {
    committed = Number(line);
    // At some moment within a transaction that is not reported yet.
    if (committed === killAfter) setTimeout(() => child.kill('SIGKILL'), Math.random() * 12);
  }
  await ended;
  return committed;
}

/** The version of each document after all transactions up to a version. */
function versionsAt(last: number): ReadonlyMap<string, number> {
  const versions = new Map<string, number>();
  for (let version = 1; version <= last; version++)
    for (const { path, deletes } of editsOf(version))
      if (!deletes || !versions.delete(path)) versions.set(path, version);
  return versions;
}

/** Fails unless every document is complete, no reported commit is missing and no deleted document is left. */
async function assertWhole(store: SqliteDocumentStore, committed: number): Promise<number> {
  const { documents } = await store.listDocuments({}, { offset: 0, limit: 1000 });
  for (const { workspacePath, docVersion, docId } of documents) {
    const { document, chunks } = versionedDocument(workspacePath, docVersion);
    assert.deepEqual(await store.getCanonicalDocument(docId), document);
    assert.deepEqual(await store.listChunks(docId), chunks);
  }
  expect(await store.checkIntegrity()).toEqual([]);
  const last = (await store.findDocument('default', 'counter.md'))?.docVersion ?? 0;
  expect(last).toBeGreaterThanOrEqual(committed);
  expect(new Map(documents.map(({ workspacePath, docVersion }) => [workspacePath, docVersion]))).toEqual(
    versionsAt(last),
  );
  return last;
}

describe('several processes', () => {
  it(
    'lose no committed document and leave no partial one, whenever they are killed',
    { timeout: 180_000 },
    async () => {
      const lane = async (): Promise<void> => {
        const folder = temporaryFolder();
        const file = folder.file('kebab.sqlite');
        let last = 0;
        for (let kill = 0; kill < KILLS_PER_LANE; kill++) {
          const committed = await writeAndKill(file, last + 1);
          expect(committed).toBeGreaterThan(last);
          const store = await fileStore(file);
          last = await assertWhole(store, committed);
          expect(await store.corpusRevision()).toBe(last);
          await (await store.openWriter({ waitMs: 0 })).close();
          store.close();
        }
        folder.remove();
      };
      await Promise.all([lane(), lane()]);
    },
  );

  it('apply each migration once, and write one after another', { timeout: 180_000 }, async () => {
    const folder = temporaryFolder();
    const file = folder.file('kebab.sqlite');
    const names = ['a', 'b', 'c', 'd'];
    const codes = await Promise.all(names.map((name) => runProgram('write-some', file, name, '4').ended));
    expect(codes).toEqual([0, 0, 0, 0]);
    const store = await fileStore(file, true);
    const paths = (name: string): readonly string[] => [
      `${name}.md`,
      ...[1, 2, 3, 4].map((version) => `${name}/${version}.md`),
    ];
    await assertHolds(
      store,
      names.flatMap((name) => paths(name).map((path, i) => versionedDocument(path, i === 0 ? 4 : i))),
    );
    expect(await store.corpusRevision()).toBe(names.length * 8);
    store.close();
    const db = await fileDatabase(file, true);
    expect(db.prepare('SELECT id FROM migrations').pluck().all()).toEqual(
      sqliteMigrations().map(({ version }) => version),
    );
    db.close();
    folder.remove();
  });
});
