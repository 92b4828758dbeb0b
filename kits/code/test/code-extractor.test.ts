import type { ExtractedDocument } from '@kebab/core';
import { assetFrom, DEFAULT_POLICY, documentFrom, extractFile } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { CodeChunker } from '../src/code-chunker.ts';
import { CodeExtractor } from '../src/code-extractor.ts';
import type { LanguagePack } from '../src/index.ts';
import { exampleSyntax, otherSyntax } from './example-syntax.ts';

const PATIENT = { parseTimeoutMs: 60_000 };

function packOf(...syntaxes: readonly [typeof exampleSyntax, ...(typeof exampleSyntax)[]]): LanguagePack {
  const documentation = { units: 'functions', symbolForm: 'name', examples: ['f'] } as const;
  return { lang: 'rust', version: 3, documentation, syntaxesFor: () => syntaxes };
}

const read = (extractor: CodeExtractor, text: string) => extractFile(extractor, 'src/a.rs', text);

function loudUnlessHidden({ name }: { readonly name: string }): string | null {
  return name === 'hidden' ? null : name.toUpperCase();
}

function symbols({ blocks }: ExtractedDocument): readonly (string | null)[] {
  return blocks.map((block) => (block.kind === 'code' ? block.symbol : null));
}

describe('reading source code', () => {
  it('names itself after the language and its pack', () => {
    const extractor = new CodeExtractor(packOf(exampleSyntax), PATIENT);
    expect(extractor.id).toBe('code-rust');
    expect(extractor.parserVersion()).toBe('code-rust-v3');
    expect(extractor.chunkerId()).toBe('code-rust-ast-v1');
    expect(extractor.match).toEqual({ codeLangs: ['rust'] });
    expect(extractor.isolation).toBe('worker');
  });

  it('has a fingerprint that changes with the timeout and the version of the pack', () => {
    const prints = [
      new CodeExtractor(packOf(exampleSyntax), PATIENT),
      new CodeExtractor(packOf(exampleSyntax), { parseTimeoutMs: 5 }),
      new CodeExtractor({ ...packOf(exampleSyntax), version: 4 }, PATIENT),
    ].map((extractor) => extractor.fingerprint());
    expect(new Set(prints).size).toBe(3);
  });

  it('joins the definitions of one long line, and of no other', async () => {
    const bundle = Array.from({ length: 400 }, (_, at) => `fn f${at}() {}`).join(' ');
    const extracted = await read(
      new CodeExtractor(packOf(exampleSyntax), PATIENT),
      `fn a() {}\n${bundle}\nfn z() {}\n`,
    );
    expect(symbols(extracted)).toEqual(['a', null, 'z']);
    expect(extracted.blocks[1]?.sourceSpan).toMatchObject({ line_start: 2, line_end: 2 });
    const chunker = new CodeChunker('rust');
    const document = documentFrom(
      extracted,
      assetFrom('a.rs', new TextEncoder().encode(extracted.text)),
      'code-rust-v3',
    );
    const chunks = chunker.chunk(document, { ...DEFAULT_POLICY, maxChunkTokens: 1000 });
    expect(chunks.length).toBeLessThan(6);
    expect(chunks[1]?.sectionLabel).toMatch(/^columns 1-\d+$/);
    expect(extracted.text.slice(chunks[1]?.start, chunks[1]?.end)).toMatch(/^fn f0\b.*\W$/s);
  });

  it('creates a code block for each unit, with its lines', async () => {
    const { blocks, warnings, metadata } = await read(
      new CodeExtractor(packOf(exampleSyntax), PATIENT),
      'use a;\n\n// b\nfn f() {\n}\n',
    );
    expect(blocks).toEqual([
      {
        kind: 'code',
        lang: 'rust',
        symbol: '<top-level>',
        start: 0,
        end: 6,
        headingPath: [],
        sourceSpan: { kind: 'code', line_start: 1, line_end: 1, symbol: '<top-level>', lang: 'rust' },
      },
      {
        kind: 'code',
        lang: 'rust',
        symbol: 'f',
        start: 8,
        end: 23,
        headingPath: [],
        sourceSpan: { kind: 'code', line_start: 3, line_end: 5, symbol: 'f', lang: 'rust' },
      },
    ]);
    expect(warnings).toEqual([]);
    expect(metadata).toEqual({ codeLang: 'rust' });
  });

  it('includes comments directly above a unit, but not above a blank line or after other code', async () => {
    const text = 'use a; // a\nfn f() {} // f\n// g\n\nfn g() {}\n// h\n\n// h\n#[h]\n// h\nfn h() {}\n';
    const { blocks } = await read(new CodeExtractor(packOf(exampleSyntax), PATIENT), text);
    expect(blocks.map(({ start, end }) => text.slice(start, end))).toEqual([
      'use a; // a',
      'fn f() {} // f',
      '// g',
      'fn g() {}',
      '// h',
      '// h\n#[h]\n// h\nfn h() {}',
    ]);
  });

  it('uses the first syntax without errors, otherwise the one with the fewest', async () => {
    const extractor = new CodeExtractor(packOf(exampleSyntax, otherSyntax), PATIENT);
    const python = await read(extractor, 'class A:\n    x = 1\n\n    @d\n    def f(self): pass\n');
    expect(symbols(python)).toEqual(['A', 'A.f']);
    expect(python.metadata).toEqual({ codeLang: 'python' });
    const rust = await read(extractor, 'mod m {\n    fn f() {}\n}\n');
    expect(symbols(rust)).toEqual(['m', 'm::f']);
    expect(rust.metadata).toEqual({ codeLang: 'rust' });
    const damaged = await read(extractor, 'fn f() {}\nfn g() { let x: Vec<u8> = a?; }\n\n)\n');
    expect(damaged.metadata).toEqual({ codeLang: 'rust' });
  });

  it('leaves definitions that a pack does not name in the enclosing piece', async () => {
    const extractor = new CodeExtractor(packOf({ ...exampleSyntax, nameOf: loudUnlessHidden }), PATIENT);
    expect(symbols(await read(extractor, 'fn seen() {}\nfn hidden() {}\n'))).toEqual(['SEEN', '<top-level>']);
  });

  it('puts the prefix of a file before its symbols, not before <top-level>', async () => {
    const syntax = { ...exampleSyntax, prefixOf: () => 'crate' };
    const extractor = new CodeExtractor(packOf(syntax), PATIENT);
    expect(symbols(await read(extractor, 'use a;\nmod m { fn f() {} }\n'))).toEqual(['<top-level>', 'crate::m::f']);
  });

  it('treats a container nested in two dozen others as one unit', async () => {
    const deep = `${'mod m {\n'.repeat(100)}fn f() {}\n${'}\n'.repeat(100)}`;
    const found = symbols(await read(new CodeExtractor(packOf(exampleSyntax), PATIENT), deep));
    expect(found).toHaveLength(13);
    expect(found.at(-1)).toBe(Array.from({ length: 13 }, () => 'm').join('::'));
  });

  it('cuts a file larger than 1 MiB, or one that takes too long, at blank lines with a warning', async () => {
    const fn = 'fn f() {}\n\n';
    const large = await read(new CodeExtractor(packOf(exampleSyntax), PATIENT), fn.repeat(100_000));
    expect(large.warnings).toEqual([{ kind: 'no_symbols', note: 'cut at blank lines: it is larger than 1 MiB' }]);
    const slow = await read(new CodeExtractor(packOf(exampleSyntax), { parseTimeoutMs: 1 }), fn.repeat(40_000));
    expect(slow.warnings).toEqual([
      { kind: 'no_symbols', note: 'cut at blank lines: it takes longer than 1 ms to parse' },
    ]);
    expect(slow.chunkerId).toBe('code-text-paragraph-v1');
    expect(slow.blocks).toHaveLength(40_000);
    expect(symbols(slow)[0]).toBeNull();
  });

  it('reads the next file after one that took too long', async () => {
    const extractor = new CodeExtractor(packOf(exampleSyntax), { parseTimeoutMs: 50 });
    expect((await read(extractor, `const A: [u8; 1] = [${'1,'.repeat(500_000)}];`)).warnings).toHaveLength(1);
    const small = new CodeExtractor(packOf(exampleSyntax), PATIENT);
    expect(symbols(await read(small, 'fn f() {}'))).toEqual(['f']);
  });

  it('fails for a grammar that is not installed', async () => {
    const extractor = new CodeExtractor(packOf({ ...exampleSyntax, wasm: 'no-such-grammar/a.wasm' }), PATIENT);
    await expect(read(extractor, 'fn f() {}')).rejects.toThrow(/no-such-grammar/);
  });
});
