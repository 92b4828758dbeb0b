import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compareWithBudgets, countLines, filesRun, filesWithOneImporter } from '../scripts/check-size.mjs';

describe('countLines', () => {
  it.each([
    ['core/src/domain/span.ts', { besideTests: 2, core: 2, tests: 0 }],
    ['core/src/testing/extractor-suite.ts', { besideTests: 2, core: 0, tests: 0 }],
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

  it('adds up the files of a checkout', () => {
    const texts = [
      ['core/src/a.ts', '1\n2\n'],
      ['core/src/b.ts', '1\n'],
      ['core/test/a.test.ts', '1\n2\n3\n'],
    ] as const;
    expect(countLines(new Map(texts))).toEqual({ besideTests: 3, core: 3, tests: 3 });
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

  it('resolves imports from the folder of the importer', () => {
    const texts = [
      ['core/src/search/rank.ts', `import type { Part } from '../domain/part.ts';\nimport './part.ts';`],
      ['core/src/search/part.ts', ''],
      ['core/src/domain/part.ts', ''],
      ['core/src/part.ts', ''],
    ] as const;
    expect(filesWithOneImporter(new Map(texts), new Set())).toEqual([
      'core/src/search/part.ts',
      'core/src/domain/part.ts',
    ]);
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

describe('filesRun', () => {
  const checkout = path.resolve('/somewhere/kebab');
  /** A report of one script: how often the module and each of its functions was called. */
  const report = (file: string, counts: readonly number[]) => ({
    result: [
      {
        url: pathToFileURL(path.join(checkout, file)).href,
        functions: counts.map((count) => ({ ranges: [{ count }] })),
      },
    ],
  });

  it.each([
    ['lists a source file in which a function was called', 'core/src/search/rank.ts', [1, 0, 3], true],
    ['leaves out one that was only loaded', 'core/src/search/rank.ts', [1, 0, 0], false],
    ['leaves out one without functions', 'core/src/search/limits.ts', [1], false],
    ['leaves out the scripts that start it', 'scripts/run-ts.mjs', [1, 1], false],
    ['leaves out libraries', 'node_modules/some/src/index.ts', [1, 1], false],
    ['leaves out another checkout', '../other/core/src/index.ts', [1, 1], false],
  ])('%s', (_, file, counts, isRun) => {
    expect(filesRun([report(file, counts)], checkout)).toEqual(isRun ? [file] : []);
  });

  it('lists a file once, however many processes and threads run it', () => {
    const one = report('core/src/a.ts', [1, 1]);
    expect(filesRun([one, one, report('core/src/b.ts', [1, 1])], checkout)).toEqual(['core/src/a.ts', 'core/src/b.ts']);
  });
});

describe('compareWithBudgets', () => {
  const budgets = { lines: { limit: 1100, wanted: 800 }, files: { limit: 5, wanted: 3 } };

  it('prints every number beside its limit and its goal', () => {
    const { rows, over } = compareWithBudgets({ lines: 1100, files: 4 }, budgets);
    expect(rows.map((row) => row.replaceAll(/ +/g, ' '))).toEqual([
      'lines 1,100 limit 1,100 wanted 800',
      'files 4 limit 5 wanted 3',
    ]);
    expect(over).toEqual([]);
  });

  it('says which number is over its limit, and how to change a limit', () => {
    const { over } = compareWithBudgets({ lines: 1101, files: 4 }, budgets);
    expect(over).toEqual([
      'lines: 1101 is over the limit of 1100. Take something away, or raise the limit in scripts/check-size.mjs in the same commit, with the reason in its message.',
    ]);
  });

  it('rejects a zero', () => {
    const { over } = compareWithBudgets({ lines: 1100, files: 0 }, budgets);
    expect(over).toEqual(['files: nothing was counted: is the check looking in the right place?']);
  });
});
