import { extractorSuite, assertExtracted, declareSuite, extractFile } from '@kebab/core/testing';
import { describe, expect, it } from 'vitest';
import { CodeExtractor } from '../src/code-extractor.ts';
import type { LanguagePack } from '../src/index.ts';
import { exampleSyntax } from './example-syntax.ts';

const SOURCE = '// a comment\nmod m {\n    fn f() {}\n}\n\nfn g() {}\n';
const pack: LanguagePack = {
  lang: 'rust',
  version: 1,
  documentation: { units: 'functions', symbolForm: 'name', examples: ['f'] },
  syntaxesFor: () => [exampleSyntax],
};

declareSuite(
  extractorSuite({
    make: () => new CodeExtractor(pack, { parseTimeoutMs: 2_000 }),
    fixtures: [{ path: 'src/a.rs', content: SOURCE }],
  }),
  { describe, it },
);

describe('a file of code that cannot be parsed in time', () => {
  it.each([
    ['five megabytes', { size: 5_000_000, parseTimeoutMs: 60_000 }],
    ['more than can be parsed in a millisecond', { size: 600_000, parseTimeoutMs: 1 }],
  ])('is cut at blank lines with a warning: %s', async (_, { size, parseTimeoutMs }) => {
    const text = `${SOURCE}\n`.repeat(Math.ceil(size / SOURCE.length));
    const extractor = new CodeExtractor(pack, { parseTimeoutMs });
    const extracted = await extractFile(extractor, 'src/a.rs', text);
    assertExtracted(extracted);
    expect(extracted.chunkerId).toBe('code-text-paragraph-v1');
    expect(extracted.warnings?.map(({ kind }) => kind)).toEqual(['no_symbols']);
    expect(extracted.blocks.every((block) => block.kind === 'code' && block.symbol === null)).toBe(true);
  });
});
