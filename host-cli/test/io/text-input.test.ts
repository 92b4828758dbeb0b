import { describe, expect, it } from 'vitest';
import { readAll, readLines } from '../../src/io/text-input.ts';
import type { TextInput } from '../../src/io/printer.ts';
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

/** Input without an end. */
function countedInput(piece: string, onRead: () => void): TextInput {
  return {
    isTerminal: false,
    async *read() {
      for (;;) {
        onRead();
        yield piece;
      }
    },
  };
}

describe('a line without an end', () => {
  it('is rejected with its number before it is read to its end', async () => {
    let read = 0;
    const lines = readLines(
      countedInput('x'.repeat(100_000), () => read++),
      signal,
    );
    await expect(lines.next()).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/^line 1 /),
    });
    expect(read).toBeLessThan(13);
  });

  it('is limited individually: many shorter lines are read', async () => {
    let count = 0;
    for await (const line of readLines(
      memoryInput(Array.from({ length: 30 }, () => `${'x'.repeat(100_000)}\n`)),
      signal,
    ))
      count += line.length;
    expect(count).toBe(3_000_000);
  });
});

describe('readAll', () => {
  it('keeps every character', async () => {
    const limits = { signal, maxMb: 1, hint: '' };
    expect(await readAll(memoryInput(['a\r\n', '', '\n b']), limits)).toBe('a\r\n\n b');
  });

  it('stops reading when a text exceeds its maximum length', async () => {
    let read = 0;
    const endless = countedInput('x'.repeat(100_000), () => read++);
    const reading = readAll(endless, { signal, maxMb: 1, hint: 'split it' });
    await expect(reading).rejects.toMatchObject({
      code: 'invalid_input',
      details: { field: 'stdin' },
      hint: 'split it',
    });
    expect(read).toBeLessThan(13);
  });
});
