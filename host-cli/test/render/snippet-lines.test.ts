import { describe, expect, it } from 'vitest';
import { snippetLines } from '../../src/render/snippet-lines.ts';
import { textWidth } from '../../src/render/text-width.ts';

const LONG = 'Heading boundaries come first. Code blocks are never cut in the middle. '.repeat(3).trim();

describe('snippetLines', () => {
  it('keeps a short snippet on one line', () => {
    expect(snippetLines('short', { columns: 80, whole: false })).toEqual(['short']);
  });

  it('cuts to two lines of a terminal', () => {
    const lines = snippetLines(LONG, { columns: 60, whole: false });
    expect(lines).toEqual([
      'Heading boundaries come first. Code blocks are never cut',
      'in the middle. Heading boundaries come first. Code block…',
    ]);
  });

  it('loses nothing outside a terminal, or when the length was asked for', () => {
    for (const layout of [
      { columns: null, whole: false },
      { columns: 40, whole: true },
    ]) {
      const lines = snippetLines(LONG, layout);
      expect(lines.join(' ')).toBe(LONG);
      expect(lines.length).toBeLessThanOrEqual(2);
    }
  });

  it('breaks text without spaces by the columns it takes', () => {
    const lines = snippetLines('마크다운청킹규칙'.repeat(10), { columns: 43, whole: false });
    expect(lines.map(textWidth)).toEqual([40, 39]);
  });
});
