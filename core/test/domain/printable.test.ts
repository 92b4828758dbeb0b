import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellWord } from '../../src/domain/printable.ts';

it.each([
  ['docs/a.md', 'docs/a.md'],
  ['한국어.md', '한국어.md'],
  ['a b', "'a b'"],
  ["it's", String.raw`'it'\''s'`],
  ['~/notes', "'~/notes'"],
  ['$HOME', "'$HOME'"],
  ['', "''"],
])('writes %j as %s, which a shell reads as the same word', (text, written) => {
  expect(shellWord(text)).toBe(written);
  if (process.platform !== 'win32')
    expect(execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' })).toBe(text);
});
