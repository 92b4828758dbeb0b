import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_SEGMENT_LENGTH, PageFiller, sliceOf } from '../../src/documents/text-segments.ts';
import { memoryDatabase } from '../open-test-store.ts';

const unit = fc.constantFrom(
  'a',
  'é',
  '한',
  '𝒜',
  '\n',
  '\u0000',
  'word '.repeat(200),
  '글자'.repeat(300),
  '𝓏'.repeat(500),
);
const texts = fc.array(fc.string({ unit, maxLength: 60 }), { maxLength: 6 });

describe('PageFiller', () => {
  it('cuts texts into segments that make the text again, none too long, no pair of surrogates split', () => {
    fc.assert(
      fc.property(texts, (given) => {
        const pages = new PageFiller();
        for (const text of given) {
          const segments = pages.segmentsOf(text);
          expect(segments.map((segment) => segment.text).join('')).toBe(text);
          let start = 0;
          for (const segment of segments) {
            expect(segment.start).toBe(start);
            expect(segment.text.length).toBeGreaterThan(0);
            expect(segment.text.length).toBeLessThanOrEqual(MAX_SEGMENT_LENGTH);
            expect(Buffer.from(segment.text).toString()).toBe(segment.text);
            start += segment.text.length;
          }
        }
      }),
    );
  });

  it.each([
    ['ASCII', 'The quick brown fox jumps over the lazy dog. '],
    ['Korean', '다람쥐 헌 쳇바퀴에 타고파. '],
    ['astral', '𝓏𝓎 x '],
  ])('leaves hardly any room of the pages empty: %s', async (_name, sentence) => {
    const db = await memoryDatabase();
    db.pragma('foreign_keys = OFF');
    const insert = db.prepare('INSERT INTO document_texts VALUES (?, ?, ?)');
    const pages = new PageFiller();
    let bytes = 0;
    for (let seq = 1; seq <= 400; seq++) {
      const text = sentence.repeat(1 + ((seq * 7919) % 400));
      bytes += Buffer.byteLength(text);
      for (const segment of pages.segmentsOf(text)) insert.run(seq, segment.start, segment.text);
    }
    const used = db.prepare("SELECT sum(pgsize) FROM dbstat WHERE name = 'document_texts'").pluck().get() as number;
    expect(used / bytes).toBeLessThan(1.04);
    db.close();
  });
});

describe('sliceOf', () => {
  it('cuts across segments, and nothing out of nothing', () => {
    const segments = [
      { start: 10, text: 'abc' },
      { start: 13, text: 'def' },
    ];
    expect(sliceOf(segments, 11, 15)).toBe('bcde');
    expect(sliceOf(segments.slice(0, 1), 10, 13)).toBe('abc');
    expect([sliceOf(segments, 12, 12), sliceOf([], 0, 4)]).toEqual(['', '']);
  });
});
