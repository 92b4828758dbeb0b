import { declareSuite, documentStoreSuite } from '@kebab/core/testing';
import { describe, it } from 'vitest';
import { fileStore, memoryStore } from '../open-test-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';

describe('a SQLite store in memory', () => {
  declareSuite(
    documentStoreSuite({
      open: async () => {
        const { store } = await memoryStore();
        return { store, close: () => store.close() };
      },
    }),
    { describe, it },
  );
});

describe('a SQLite store in a file', () => {
  declareSuite(
    documentStoreSuite({
      open: async () => {
        const folder = temporaryFolder();
        const file = folder.file('kebab.sqlite');
        const store = await fileStore(file);
        return {
          store,
          reader: () => fileStore(file, true),
          close: () => {
            store.close();
            folder.remove();
          },
        };
      },
    }),
    { describe, it },
  );
});
