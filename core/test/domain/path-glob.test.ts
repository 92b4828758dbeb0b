import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePathGlob } from '../../src/domain/path-glob.ts';

const PATHS = [
  'a.md',
  'work:x.txt',
  'work:notes/x.txt',
  'b.txt',
  '.hidden.md',
  'notes/a.md',
  'notes/deep/er/a.md',
  'notes/x[1].md',
  'notes/{x}.md',
  'src/a+b.ts',
  '한국/노트.md',
  'A.md',
  'notes/.git/config',
  '𝒜/x.md',
];

const matching = (glob: string): readonly string[] => PATHS.filter(compilePathGlob(glob));

describe('compilePathGlob', () => {
  it.each([
    ['*.md', ['a.md', '.hidden.md', 'A.md']],
    ['notes/*', ['notes/a.md', 'notes/x[1].md', 'notes/{x}.md']],
    ['**/*.ts', ['src/a+b.ts']],
    ['**/a.md', ['a.md', 'notes/a.md', 'notes/deep/er/a.md']],
    ['notes/**/a.md', ['notes/a.md', 'notes/deep/er/a.md']],
    ['work:**/x.txt', ['work:x.txt', 'work:notes/x.txt']],
    ['**/deep/**', ['notes/deep/er/a.md']],
    ['notes**', PATHS.filter((path) => path.startsWith('notes'))],
    ['?.md', ['a.md', 'A.md']],
    ['?/x.md', ['𝒜/x.md']],
    ['[a-c].*', ['a.md', 'b.txt']],
    ['[!a].md', ['A.md']],
    ['[^a].md', ['A.md']],
    ['{a,b}.{md,txt}', ['a.md', 'b.txt']],
    ['{notes/{a,b},src/*}.*', ['notes/a.md', 'src/a+b.ts']],
    ['notes/x\\[1\\].md', ['notes/x[1].md']],
    ['notes/\\{x\\}.md', ['notes/{x}.md']],
    ['notes/{x}.md', ['notes/{x}.md']],
    ['src/a+b.ts', ['src/a+b.ts']],
    ['./a.md', ['a.md']],
    ['한국/*.md', ['한국/노트.md']],
    ['한국/*.md'.normalize('NFD'), ['한국/노트.md']],
    ['nothing', []],
    ['', []],
    ['notes/', PATHS.filter((path) => path.startsWith('notes/'))],
    ['notes', PATHS.filter((path) => path.startsWith('notes/'))],
    ['notes/deep', ['notes/deep/er/a.md']],
    ['**/er', ['notes/deep/er/a.md']],
    ['n*/', PATHS.filter((path) => path.startsWith('notes/'))],
    ['n*', []],
    ['a.md/', []],
  ])('reads %j', (glob, expected) => expect(matching(glob)).toEqual(expected));

  it.each([
    ['stars between letters', '*a'.repeat(400) + '*b', 'a'.repeat(4000)],
    ['stars over segments', '**/a/'.repeat(190) + 'b', `${'a/'.repeat(2000)}c`],
    ['double stars within a segment', 'x' + '**a'.repeat(300), `x${'a'.repeat(4000)}b`],
    ['alternatives that are empty', '{,}'.repeat(300) + 'b', 'a'],
    ['alternatives in alternatives', '{a,'.repeat(240) + '{b,c}' + '}'.repeat(240), 'x'],
    ['braces that are not closed', '{'.repeat(1000), 'x'],
  ])('takes time by the length of glob and path, whatever the glob: %s', (_, glob, path) => {
    expect(compilePathGlob(glob)(path)).toBe(false);
  });

  it('gives the same result after its cache was cleared', () => {
    const names = Array.from({ length: 3000 }, (_, at) => String.fromCodePoint(0x4e00 + at));
    const matches = compilePathGlob(`*${'?'.repeat(60)}*.md`);
    const path = (from: number): string => `${names.slice(from, from + 100).join('')}.md`;
    for (let from = 0; from < 2900; from += 100) expect(matches(path(from))).toBe(true);
    expect(matches('short.md')).toBe(false);
  });

  it('accepts any text as a glob', () => {
    const odd = fc.string({ unit: fc.constantFrom(...'ab/*?[]{}!^-\\,.(𝒜|$+'), maxLength: 12 });
    fc.assert(
      fc.property(odd, fc.constantFrom(...PATHS), (glob, path) => typeof compilePathGlob(glob)(path) === 'boolean'),
    );
  });

  it('matches a path by itself once its special characters are escaped', () => {
    const name = fc.string({ unit: fc.constantFrom(...'ab/*?[]{}!^-,.(𝒜|$+한'), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(
        name.filter((path) => !path.startsWith('/') && !path.startsWith('./')),
        (path) => compilePathGlob(path.replaceAll(/[\\*?[\]{}]/g, String.raw`\$&`))(path),
      ),
    );
  });
});
