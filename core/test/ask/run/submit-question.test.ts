import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSegments, textOf } from '../../../src/ask/run/submit-question.ts';

const refs = (question: string): readonly string[] =>
  parseSegments(question).flatMap((segment) => (segment.kind === 'file_ref' ? [segment.path] : []));

describe('parseSegments', () => {
  it.each<[string, readonly string[]]>([
    ['@notes/a.md', ['notes/a.md']],
    ['what is in @notes/a.md?', ['notes/a.md']],
    ['(@a.md), [@b.md] {@c.md}.', ['a.md', 'b.md', 'c.md']],
    ['@"my notes/a b.md" and @c.md', ['my notes/a b.md', 'c.md']],
    ['see “@a.md” and "@b.md".', ['a.md', 'b.md']],
    ['@../../etc/passwd', ['../../etc/passwd']],
    ['@/etc/passwd\n@x.md', ['/etc/passwd', 'x.md']],
    ['@메모.md 요약', ['메모.md']],
    ['@.gitignore!', ['.gitignore']],
    ['me@host.org', []],
    [String.raw`\@a.md`, []],
    ['@', []],
    ['@ a', []],
    ['@... what', []],
    ['@"" @"open', []],
    ['a@b @c.md@d', ['c.md@d']],
  ])('finds in %j the references %j', (question, expected) => {
    expect(refs(question)).toEqual(expected);
  });

  it('reproduces the question when its pieces are joined', () => {
    const piece = fc.oneof(fc.string(), fc.constantFrom('@', '"', ' ', '@a.md', '@"a b"', '\\@', '(', ')', '\n', '”'));
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const question = pieces.join('');
        const segments = parseSegments(question);
        expect(segments.map((each) => (each.kind === 'text' ? each.text : each.raw)).join('')).toBe(question);
      }),
    );
  });

  it('parses a question with a hundred thousand references without delay', () => {
    expect(refs('@a '.repeat(33_000))).toHaveLength(33_000);
  });
});

describe('textOf', () => {
  it.each([
    ['what is in @a.md ?', 'what is in ?'],
    ['@a.md @"b c.md"', ''],
    [String.raw`mail \@ada about @a.md`, 'mail @ada about'],
  ])('leaves of %j the text %j to search for', (question, text) => {
    expect(textOf(parseSegments(question))).toBe(text);
  });
});
