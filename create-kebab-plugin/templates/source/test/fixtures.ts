import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PluginFixtures } from '@kebab/plugin/testing';

const FILES: Readonly<Record<string, string>> = {
  'z/last.md': '# Last\n',
  'a/first.md': '# First\n\n한국어\n',
  'a/empty.txt': '',
  '😀.md': 'an astral name\n',
};

/** Input of the suite: a source with files, and the scope that finds exactly those. */
export const fixtures: PluginFixtures = {
  source: {
    '{{id}}': (make) => ({
      open: async () => {
        const folder = mkdtempSync(path.join(tmpdir(), '{{id}}-'));
        const root = path.join(folder, 'feed.jsonl');
        const lines = Object.entries(FILES).map(([name, content]) => JSON.stringify({ path: name, content }));
        writeFileSync(root, `${lines.join('\n')}\nnot a line of JSON\n`);
        return {
          connector: await make(),
          scope: { root, include: ['**/*'], exclude: [] },
          files: Object.fromEntries(
            Object.entries(FILES).map(([name, text]) => [name, new TextEncoder().encode(text)]),
          ),
          missing: 'nowhere.md',
          close: () => rmSync(folder, { recursive: true, force: true }),
        };
      },
    }),
  },
};
