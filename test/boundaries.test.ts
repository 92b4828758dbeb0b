import { describe, expect, it } from 'vitest';
import { offences } from '../scripts/check-boundaries.mjs';

const broken: readonly (readonly [rule: string, file: string, text: string])[] = [
  ['layers', 'core/src/domain/x.ts', `import { runIngest } from '../ingest/run-ingest.ts';`],
  ['layers', 'core/src/ingest/x.ts', `import type { App } from '../app/app.ts';`],
  ['layers', 'core/src/ask/x.ts', `import type { SearchDocuments } from '../search/search-documents.ts';`],
  ['core-knows-no-plugin', 'core/src/search/x.ts', `import md from '@kebab/plugin-md';`],
  ['plugins-see-the-vocabulary', 'plugins/md/src/x.ts', `import { openApp } from '@kebab/core/app';`],
  ['plugins-see-the-vocabulary', 'plugins/md/src/x.ts', `import { unit } from '@kebab/code-kit';`],
  ['plugins-see-the-vocabulary', 'kits/code/src/x.ts', `import { suite } from '@kebab/core/testing';`],
  ['no-reaching-into-packages', 'kits/code/src/x.ts', `import { load } from '../../onnx/src/load.ts';`],
  ['hosts-see-the-facade', 'host-cli/src/x.ts', `import { blake3Hex } from '@kebab/core';`],
  ['hosts-see-the-facade', 'host-cli/src/x.ts', `const md = await import('@kebab/plugin-md');`],
  ['no-reaching-into-packages', 'host-cli/src/x.ts', `import { App } from '../../core/src/app/app.ts';`],
  ['pure-domain', 'core/src/domain/x.ts', `import { readFile } from 'node:fs/promises';`],
  ['container-in-one-folder', 'core/src/search/x.ts', `import { container } from 'tsyringe';`],
  ['heavy-on-first-use', 'plugins/md/src/index.ts', `import { parse } from 'yaml';`],
];

const allowed: readonly (readonly [file: string, text: string])[] = [
  ['core/src/contracts/x.ts', `import type { ChunkId } from '../domain/ids.ts';`],
  ['plugins/code-rust/src/x.ts', `import { unit } from '@kebab/code-kit';`],
  ['plugins/md/src/x.ts', `const { parse } = await import('yaml');`],
  ['plugins/md/src/x.ts', `import type { Document } from 'yaml';`],
  ['host-cli/src/x.ts', `import { type Chunk } from '@kebab/core'; import { openApp } from '@kebab/core/app';`],
  ['builtins/src/index.ts', `export const md = () => import('@kebab/plugin-md');`],
  ['core/src/composition/bindings.ts', `import { container } from 'tsyringe';`],
];

describe('the fences between packages and folders', () => {
  it.each(broken)('%s: refuses %s: %s', (rule, file, text) => {
    expect(offences([{ file, text }]).join('\n')).toContain(`: ${rule}: `);
  });
  it.each(allowed)('let %s: %s', (file, text) => {
    expect(offences([{ file, text }])).toEqual([]);
  });
});
