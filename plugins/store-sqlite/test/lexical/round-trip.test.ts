import { analyseQuery } from '@kebab/core';
import { foldWord } from '@kebab/core/store';
import { searchable } from '@kebab/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenExpression } from '../../src/lexical/match-expressions.ts';
import { openLexicalDatabase, type LexicalDatabase } from './open-lexical-database.ts';

describe('the index of a text', () => {
  let database: LexicalDatabase;
  beforeAll(async () => {
    database = await openLexicalDatabase();
  });
  afterAll(() => database.close());

  it('contains every token of a query with the whole text or with one of its words', async () => {
    const texts = fc.sample(text, { numRuns: 400, seed: 20 });
    await database.commit(texts.map((each, i) => searchable(`${i}.md`, each)));
    const matches = database.reader
      .prepare(
        `SELECT d.workspace_path FROM chunks_fts f JOIN chunks c ON c.seq = f.rowid JOIN documents d ON d.seq = c.doc_seq
         WHERE chunks_fts MATCH ?`,
      )
      .pluck();
    for (const [i, each] of texts.entries()) {
      const queries = [each, ...each.split(/\s+/)].map((query) => query.replaceAll(/["-]/g, ' '));
      for (const term of queries.flatMap((query) => analyseQuery(query).terms)) {
        const expression = tokenExpression(term.kind === 'cjk_run' ? term.tokens.join(' ') : term.token);
        expect(matches.all(expression), `${expression} of ${JSON.stringify(each)}`).toContain(`${i}.md`);
      }
    }
  });

  it('has the same tokens for a word and for its folded form', () => {
    const tokenizer = /tokenize = ".*"/.exec(definition(database))?.[0];
    database.reader.exec(`CREATE VIRTUAL TABLE temp.probe USING fts5(word, ${tokenizer ?? ''});
                          CREATE VIRTUAL TABLE temp.tokens USING fts5vocab(temp, probe, instance)`);
    const codes = Array.from({ length: 0x20000 }, (_, code) => code).filter((code) => code < 0xd800 || code > 0xdfff);
    const words = codes.map((code) => `x${String.fromCodePoint(code)}y`.normalize('NFC'));
    const changed = words.filter((word) => /^[\p{L}\p{N}\p{M}]+$/u.test(word) && foldWord(word) !== word);
    expect(changed.length).toBeGreaterThan(800);
    const insert = database.reader.prepare('INSERT INTO temp.probe(rowid, word) VALUES (?, ?)');
    for (const [i, word] of changed.entries())
      for (const [j, form] of [word, foldWord(word)].entries()) insert.run(2 * i + j, form);
    const tokens = database.reader.prepare('SELECT term FROM temp.tokens ORDER BY doc, "offset"').pluck().all();
    expect(tokens.length).toBe(2 * changed.length);
    const apart = changed.filter((_word, i) => tokens[2 * i] !== tokens[2 * i + 1]);
    expect(apart).toEqual([]);
  });
});

function definition({ reader }: LexicalDatabase): string {
  return String(reader.prepare("SELECT sql FROM sqlite_schema WHERE name = 'chunks_fts'").pluck().get());
}

const letters = fc.constantFrom(
  ...'abcXYZ019_éÅßñøĳЯжиΣςλअिनשبक한국은서울東京カーナ々がば\u0301\u0308\u3099\u1112\u1161\u11ab𠮷𐐀ﬁǅ½²Ⅷ',
);
const breaks = fc.constantFrom(...' \n\t.,;:/\\()[]{}<>*+=\u2019\u2026\u2014😀…。、・→');
const identifiers = fc.constantFrom(
  ...'parseHTTPUrl snake_case_name __init__ utf8 x86_64 v1.2.3 os.path.join IDs APIs iPhone15Pro ÉtéChaud'.split(' '),
  ...'größeÄndern a1b2c3d4e5f6a7b8c9 B2B e-Mail C++ don’tStop naïveBayes2 ПриветМир3'.split(' '),
);
const text = fc
  .array(fc.oneof({ weight: 6, arbitrary: letters }, { weight: 2, arbitrary: breaks }, identifiers), {
    minLength: 1,
    maxLength: 30,
  })
  .chain((pieces) => fc.constantFrom(pieces.join(''), pieces.join('').normalize('NFD'), pieces.join(' ')));
