import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { charCount, outputTokens } from '../../src/domain/text-size.ts';
import { LineIndex, estimateTokens, firstChars, mediaTypeOf, normalizeWorkspacePath, safeCut } from '@kebab/core';

describe('sizes of text', () => {
  it('count code points, not UTF-16 units', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(charCount(text)).toBe(Array.from(text).length);
      }),
    );
  });
  it('estimate output by characters and chunks by bytes', () => {
    expect(outputTokens('한국어입니다')).toBe(2);
    expect(estimateTokens('한국어입니다')).toBe(6);
    expect([outputTokens(''), estimateTokens('')]).toEqual([0, 0]);
  });
  it('cuts a text between characters, never inside a surrogate pair', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, at) => {
        const head = text.slice(0, safeCut(text, Math.min(at, text.length)));
        expect(/[\uD800-\uDBFF]$/.test(head)).toBe(false);
        expect(Array.from(firstChars(text, at))).toEqual(Array.from(text).slice(0, at));
      }),
    );
  });
});

describe('LineIndex', () => {
  it('numbers lines as split("\\n") does, without an empty last one', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\n', '한', '😀') }), (text) => {
        const lines = text.split('\n');
        if (lines.at(-1) === '') lines.pop();
        const index = new LineIndex(text);
        expect(index.count).toBe(lines.length);
        let offset = 0;
        for (const [i, line] of lines.entries()) {
          expect(index.startOf(i + 1)).toBe(offset);
          expect(index.lineAt(offset)).toBe(i + 1);
          expect(index.lineAt(offset + line.length)).toBe(i + 1);
          offset += line.length + 1;
        }
      }),
    );
  });
  it('returns the first and last line of a range', () => {
    const index = new LineIndex('one\ntwo\nthree\n');
    expect(index.linesOf(0, 3)).toEqual({ start: 1, end: 1 });
    expect(index.linesOf(0, 4)).toEqual({ start: 1, end: 1 });
    expect(index.linesOf(2, 9)).toEqual({ start: 1, end: 3 });
    expect(index.lineAt(999)).toBe(3);
  });
});

describe('normalizeWorkspacePath', () => {
  it('maps many spellings to one form', () => {
    expect(normalizeWorkspacePath('./a//b.md')).toBe('a/b.md');
    expect(normalizeWorkspacePath('a/./b.md')).toBe('a/b.md');
    expect(normalizeWorkspacePath('한글.md'.normalize('NFD'))).toBe('한글.md'.normalize('NFC'));
  });
  it.each(['/etc/passwd', '../x.md', 'a/../b.md', '', '.', 'C:\\x.md'])('rejects %j', (path) => {
    expect(() => normalizeWorkspacePath(path)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});

describe('mediaTypeOf', () => {
  it.each([
    ['notes/a.MD', { kind: 'markdown' }],
    ['a.mdx', { kind: 'markdown' }],
    ['Dockerfile', { kind: 'code', lang: 'dockerfile' }],
    ['x/Dockerfile.prod', { kind: 'code', lang: 'dockerfile' }],
    ['go.mod', { kind: 'code', lang: 'go-mod' }],
    ['Makefile', { kind: 'code', lang: 'make' }],
    ['README', { kind: 'text' }],
    ['readme', { kind: 'other', ext: '' }],
    ['paper/main.tex', { kind: 'text' }],
    ['report.qmd', { kind: 'markdown' }],
    ['CMakeLists.txt', { kind: 'code', lang: 'cmake' }],
    ['Gemfile', { kind: 'code', lang: 'ruby' }],
    ['Dockerfile.md', { kind: 'code', lang: 'dockerfile' }],
    ['lib/Foo.pm', { kind: 'code', lang: 'perl' }],
    ['main.TF', { kind: 'code', lang: 'hcl' }],
    ['a.h', { kind: 'code', lang: 'c' }],
    ['a.tar.gz', { kind: 'other', ext: 'gz' }],
    ['.profile', { kind: 'other', ext: '' }],
    ['photo.JPEG', { kind: 'image', type: 'jpeg' }],
  ])('maps %s to %j', (path, type) => {
    expect(mediaTypeOf(path)).toEqual(type);
  });
});
