import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { segmentsOf } from '@kebab/store-kit';
import { SEGMENT_BYTES } from '../../src/documents/document-rows.ts';
import { readText } from '../../src/documents/document-reader.ts';
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
describe('segmentsOf', () => {
  it('splits any text into short segments that add up to it, without splitting surrogate pairs', () => {
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
        const segments = segmentsOf(text, SEGMENT_BYTES);
        expect(segments.map((segment) => segment.text).join('')).toBe(text);
        let start = 0;
        for (const segment of segments) {
          expect(segment.start).toBe(start);
          expect(segment.text.length).toBeGreaterThan(0);
          expect(segment.text.length).toBeLessThanOrEqual(1000);
          expect(Buffer.from(segment.text).toString()).toBe(segment.text);
          start += segment.text.length;
        }
      }),
    );
  });

  it.each([
    ['ASCII', 'The quick brown fox jumps over the lazy dog. '],
    ['Korean', '다람쥐 헌 쳇바퀴에 타고파. '],
    ['astral', '𝓏𝓎 x '],
  ])('wastes little space in the pages of the database: %s', async (_name, sentence) => {
    const db = await memoryDatabase();
    db.pragma('foreign_keys = OFF');
    const insert = db.prepare('INSERT INTO document_texts VALUES (?, ?, ?)');
    let bytes = 0;
    for (let seq = 1; seq <= 400; seq++) {
      const text = sentence.repeat(1 + ((seq * 7919) % 400));
      bytes += Buffer.byteLength(text);
      for (const segment of segmentsOf(text, SEGMENT_BYTES)) insert.run(seq, segment.start, segment.text);
    }
    const used = db.prepare("SELECT sum(pgsize) FROM dbstat WHERE name = 'document_texts'").pluck().get() as number;
    expect(used / bytes).toBeLessThan(1.1);
    db.close();
  });
});

describe('readText', () => {
  it('reads slices across segments of any length, and returns an empty string if there is no text', async () => {
    const db = await memoryDatabase();
    db.pragma('foreign_keys = OFF');
    const insert = db.prepare('INSERT INTO document_texts VALUES (7, ?, ?)');
    for (const [start, text] of [
      [0, 'abc'],
      [3, 'd'.repeat(8000)],
      [8003, 'ef'],
    ])
      insert.run(start, text);
    expect(readText(db, 7, 1, 5)).toBe('bcdd');
    expect(readText(db, 7, 8001, 8005)).toBe('ddef');
    expect([readText(db, 7, 2, 2), readText(db, 8, 0, 4)]).toEqual(['', '']);
    db.close();
  });
});
