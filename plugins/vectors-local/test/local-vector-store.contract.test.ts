import { rmSync, writeFileSync } from 'node:fs';
import { declareSuite, vectorStoreSuite } from '@kebab/testing';
import { describe, it } from 'vitest';
import { VectorFile } from './open-local-store.ts';

const suite = vectorStoreSuite({
  open: async () => {
    const vectors = new VectorFile();
    return {
      store: await vectors.open(),
      another: () => vectors.open(),
      destroy: () => {
        vectors.closeAll();
        rmSync(`${vectors.file}-wal`, { force: true });
        writeFileSync(vectors.file, 'This was a database once.\n'.repeat(1000));
      },
      reopen: () => vectors.open(),
      rebuild: () => {
        rmSync(vectors.file);
        return vectors.open();
      },
      close: () => vectors.remove(),
    };
  },
});

declareSuite(suite, { describe, it });
