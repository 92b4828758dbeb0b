import { describe, expect, it } from 'vitest';
import { countLines, filesWithOneImporter } from '../scripts/check-size.mjs';

describe('countLines', () => {
  it.each([
    ['core/src/domain/span.ts', { besideTests: 2, core: 2, tests: 0 }],
    ['testing/src/extractor-suite.ts', { besideTests: 2, core: 0, tests: 0 }],
    ['host-cli/bin/kebab.cjs', { besideTests: 2, core: 0, tests: 0 }],
    ['plugins/store/src/kernel.wat', { besideTests: 2, core: 0, tests: 0 }],
    ['core/test/domain/cut.ts', { besideTests: 0, core: 0, tests: 2 }],
    ['test/ask.integration.test.ts', { besideTests: 0, core: 0, tests: 2 }],
    ['fixtures/code/main.ts', { besideTests: 0, core: 0, tests: 2 }],
    ['kits/code/src/parse.bench.ts', { besideTests: 0, core: 0, tests: 2 }],
    ['scripts/bundle.d.mts', { besideTests: 0, core: 0, tests: 0 }],
    ['docs/ask.md', { besideTests: 0, core: 0, tests: 0 }],
  ])('counts %s', (file, lines) => {
    expect(countLines(new Map([[file, 'one\ntwo\n']]))).toEqual(lines);
  });
});

describe('filesWithOneImporter', () => {
  /** The files with one importer among `part.ts` and those that contain the given texts. */
  const among = (texts: readonly string[], entries: readonly string[] = []): readonly string[] => {
    const importing = texts.map((text, at) => [`core/src/importing-${at}.ts`, text] as const);
    return filesWithOneImporter(new Map([['core/src/part.ts', ''], ...importing]), new Set(entries));
  };

  it.each([
    [`import { part } from './part.ts';`],
    [`import type { Part } from './part.ts';`],
    [`export * from "./part.ts";`],
    [`import {\n  one,\n  two,\n} from './part.ts';`],
    [`const { part } = await import('./part.ts');`],
    [`const { part } = await import(\n  './part.ts'\n);`],
    [`type Part = typeof import('./part.ts');`],
    [`import './part.ts';`],
  ])('lists a file that only %j imports', (text) => {
    expect(among([text])).toEqual(['core/src/part.ts']);
  });

  it('counts several imports in one file as one importer', () => {
    const text = `import { part } from './part.ts';\nimport type { Part } from './part.ts';`;
    expect(among([text])).toEqual(['core/src/part.ts']);
  });

  it.each([
    ['two files import', [`import { part } from './part.ts';`, `import type { Part } from './part.ts';`]],
    ['no file imports', [`import { part } from '@kebab/part';`]],
  ])('leaves out a file that %s', (_, texts) => {
    expect(among(texts)).toEqual([]);
  });

  it('leaves out entries', () => {
    expect(among([`import { part } from './part.ts';`], ['core/src/part.ts'])).toEqual([]);
  });
});
