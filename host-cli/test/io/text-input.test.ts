import { describe, expect, it } from 'vitest';
import { readAll, readLines } from '../../src/io/text-input.ts';
import { memoryInput } from '../fakes/memory-io.ts';

const { signal } = new AbortController();

describe('readLines', () => {
  it.each([
    [['a\nb\n'], ['a', 'b']],
    [
      ['a', 'b\nc', '\n', 'd'],
      ['ab', 'c', 'd'],
    ],
    [['a\r\n\r\n  \nb\r'], ['a', 'b']],
    [[], []],
  ])('reads the lines of %j', async (pieces, expected) => {
    const lines: string[] = [];
    for await (const line of readLines(memoryInput(pieces), signal)) lines.push(line);
    expect(lines).toEqual(expected);
  });
});

describe('readAll', () => {
  it('keeps every character', async () => {
    expect(await readAll(memoryInput(['a\r\n', '', '\n b']), signal)).toBe('a\r\n\n b');
  });
});
