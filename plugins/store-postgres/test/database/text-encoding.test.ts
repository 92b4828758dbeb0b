import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { decodeText, encodeJson, encodeText } from '../../src/database/text-encoding.ts';
import { POSTGRES_MISSING, withPostgres } from '../with-postgres.ts';

const ODD = [
  '',
  'plain',
  'a\0b',
  '\ud83d',
  '\ude00\ud83d',
  '😀',
  '\u001a',
  '\u001a0000',
  '\\u0000',
  '\\\0',
  '\\\\\ud800"',
  '한\0글',
];

describe('the encoding of texts', () => {
  it('leaves ordinary texts as they are', () => {
    const texts = ['', 'plain', 'añ𝒜한 line\n', '\u0001\u001b', '\\u0000', '{"a":"\\u0000"}'];
    expect(texts.map(encodeText)).toEqual(texts);
  });

  it('encodes what the server cannot store, and gives back every text', () => {
    for (const text of ODD) {
      expect(encodeText(text)).not.toMatch(/\0|[\ud800-\udfff]/u);
      expect(decodeText(encodeText(text))).toBe(text);
    }
    fc.assert(
      fc.property(
        fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
        (text) => {
          expect(decodeText(encodeText(text))).toBe(text);
          expect((JSON.parse(encodeJson([text])) as readonly string[]).map(decodeText)).toEqual([text]);
        },
      ),
    );
  });

  it('encodes each text in JSON like the text by itself', () => {
    for (const text of ODD) expect(JSON.parse(encodeJson({ a: [text] }))).toEqual({ a: [encodeText(text)] });
  });
});

describe.skipIf(POSTGRES_MISSING)('texts on a PostgreSQL server', () => {
  it('come back exactly, one by one, in lists and in JSON that the server takes apart', async () => {
    await withPostgres(async ({ database }) => {
      const back = await database.statement((db) =>
        sql<{ readonly text: string }>`SELECT unnest(${ODD}::text[]) AS text`.execute(db),
      );
      expect(back.rows.map(({ text }) => text)).toEqual(ODD);
      const rows = ODD.map((value, key) => ({ key: String(key), value }));
      await database.change((tx) =>
        sql`INSERT INTO kv SELECT * FROM json_populate_recordset(null::kv, ${encodeJson(rows)}::json)`.execute(tx),
      );
      for (const { key, value } of rows) {
        const found = await database.statement((db) =>
          db.selectFrom('kv').select('key').where('value', '=', value).where('key', '=', key).execute(),
        );
        expect(found, JSON.stringify(value)).toEqual([{ key }]);
      }
    });
  });
});
