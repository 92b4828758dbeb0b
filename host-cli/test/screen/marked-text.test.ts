import { describe, expect, it } from 'vitest';
import { markedFrom, markedRows } from '../../src/screen/marked-text.ts';

/** A text in which the parts in brackets are matches. */
function marked(written: string) {
  const matches: { start: number; end: number; of: string }[] = [];
  let text = '';
  for (const [at, piece] of written.split(/[[\]]/).entries()) {
    if (at % 2 === 1) matches.push({ start: text.length, end: text.length + piece.length, of: piece });
    text += piece;
  }
  return { text, matches };
}

const rows = (written: string, columns: number, maxRows = 2): readonly string[] =>
  markedRows(marked(written), { columns, maxRows, mark: (text) => `[${text}]` });

const LONG = `${'before '.repeat(30)}[needle] and [thread] ${'after '.repeat(30)}[needle]`;

describe('a text with matches', () => {
  it.each([
    ['no [match] is lost', 40, ['no [match] is lost']],
    ['words are [broken] at spaces', 16, ['words are [broken]', 'at spaces']],
    ['한국어 [검색]은 넓다', 12, ['한국어', '[검색]은 넓다']],
    ['\treturn [x];', 20, ['    return [x];']],
    ['a\u001bc\u202eb', 20, ['a␛c\u{fffd}b']],
    ['', 20, []],
  ])('%j in %i columns is %j', (written, columns, expected) => {
    expect(rows(written, columns)).toEqual(expected);
  });

  it('that is too long shows the part with the most matches and the words before it', () => {
    const [first = '', second = ''] = rows(LONG, 40);
    expect(first).toMatch(/^…before before \[needle\] and \[thread\]/);
    expect(second).toMatch(/after…$/);
  });

  it.each([8, 40, 80, 140])('is never wider than %i columns or higher than its maximum', (columns) => {
    for (const written of [LONG, '넓은글자'.repeat(80), 'x'.repeat(900), `${'👩‍👩‍👧 '.repeat(90)}[x]`]) {
      const shown = markedRows(marked(written), { columns, maxRows: 3, mark: (text) => text });
      expect(shown.length).toBeLessThanOrEqual(3);
      for (const row of shown)
        expect(Array.from(new Intl.Segmenter().segment(row)).length).toBeLessThanOrEqual(columns);
      if (written.startsWith('넓'))
        for (const row of shown) expect(2 * row.replaceAll('…', '').length).toBeLessThanOrEqual(columns);
    }
  });

  it('keeps its matches when its beginning is dropped', () => {
    expect(markedFrom(marked('[one] two [three]'), 4)).toEqual({
      text: 'two three',
      matches: [{ start: 4, end: 9, of: 'three' }],
    });
  });
});
