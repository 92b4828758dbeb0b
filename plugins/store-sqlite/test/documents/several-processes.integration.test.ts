import { assertHolds } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { sqliteMigrations } from '../../src/database/migrate.ts';
import { versionedDocument } from '../fixtures/versioned-document.ts';
import { fileDatabase, fileStore } from '../open-test-store.ts';
import { runProgram } from '../run-program.ts';
import { temporaryFolder } from '../temporary-folder.ts';

describe('several processes', () => {
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
