import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PluginFixtures } from '@kebab/plugin/testing';

/** Input of the suite: an empty store, more handles on the same vectors, and functions to damage and to rebuild them. */
export const fixtures: PluginFixtures = {
  vector_store: {
    '{{id}}': (make) => ({
      open: async () => {
        const folder = mkdtempSync(path.join(tmpdir(), '{{id}}-'));
        const open = () => make({ config: { folder } });
        return {
          store: await open(),
          another: open,
          destroy: () => readdirSync(folder).forEach((file) => writeFileSync(path.join(folder, file), 'damaged')),
          reopen: open,
          rebuild: () => {
            rmSync(folder, { recursive: true });
            return open();
          },
          close: () => rmSync(folder, { recursive: true, force: true }),
        };
      },
    }),
  },
};
