import { describe, expect, it } from 'vitest';
import { textPieces } from '../../src/encode/text-pieces.ts';

describe('textPieces', () => {
  it.each(['', 'a', 'one two three four five', 'x'.repeat(50), '😀'.repeat(30), `${'y'.repeat(9)} ${'z'.repeat(40)}`])(
    'cuts %j into pieces that are the text when joined',
    (text) => {
      const pieces = [...textPieces(text, 10)];
      expect(pieces.join('')).toBe(text);
      for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(10);
    },
  );

  it('cuts at white space where there is any', () => {
    expect([...textPieces('one two three four', 10)]).toEqual(['one two', ' three', ' four']);
  });

  it('cuts no character in two', () => {
    for (const piece of textPieces(`a${'😀'.repeat(20)}`, 10)) expect(encodeURIComponent(piece)).not.toBe(''); // throws for half a character
    expect([...textPieces(`a${'😀'.repeat(3)}`, 4)]).toEqual(['a😀', '😀😀']);
  });
});
