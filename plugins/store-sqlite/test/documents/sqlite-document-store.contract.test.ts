import { declareSuite, documentStoreSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import { fileStore } from '../open-test-store.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const suite = documentStoreSuite({
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
});

declareSuite(suite, { describe, it });
