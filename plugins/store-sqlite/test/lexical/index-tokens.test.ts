import { existsSync, readFileSync } from 'node:fs';
import { analyseChunk } from '@kebab/core';
import { indexTokens } from '@kebab/core/store';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';

const TOKENIZER = `porter unicode61 remove_diacritics 2 categories ''L* N* Co M*''`.replaceAll("''", "'");

/** The terms that FTS5 makes of each text, with their offsets, in order. */
function tokensOfFts5(texts: readonly string[]): readonly (readonly string[])[] {
  const db = new SqliteDatabase(':memory:');
  db.exec(`CREATE VIRTUAL TABLE t USING fts5(x, content = '', tokenize = "${TOKENIZER}")`);
  db.exec('CREATE VIRTUAL TABLE v USING fts5vocab(t, instance)');
  const insert = db.prepare('INSERT INTO t (rowid, x) VALUES (?, ?)');
  texts.forEach((text, at) => insert.run(at + 1, text.replaceAll('\0', ' ')));
  const rows = db.prepare('SELECT doc, offset, term FROM v ORDER BY doc, offset').raw().all() as [
    number,
    number,
    string,
  ][];
  const found: string[][] = texts.map(() => []);
  for (const [doc, , term] of rows) found[doc - 1]?.push(term);
  db.close();
  return found;
}

const material = { title: 't', headingPath: [], workspacePath: 't.md', symbol: null, extra: [], prefix: null };

function compare(texts: readonly string[]): { readonly differing: readonly string[]; readonly total: number } {
  const columns = texts.flatMap((text) => {
    const { text: words, cjk } = analyseChunk({ ...material, text });
    return [words, cjk];
  });
  const expected = tokensOfFts5(columns);
  const differing: string[] = [];
  let total = 0;
  for (const [at, column] of columns.entries()) {
    const own = indexTokens(column).map(({ token }) => token);
    const theirs = expected[at] ?? [];
    total += theirs.length;
    if (own.join(' ') === theirs.join(' ')) continue;
    const ownSet = new Set(own);
    const theirSet = new Set(theirs);
    differing.push(
      ...own.filter((t) => !theirSet.has(t)).map((t) => `+${t}`),
      ...theirs.filter((t) => !ownSet.has(t)).map((t) => `-${t}`),
    );
  }
  return { differing, total };
}

describe('indexTokens', () => {
  it('makes the tokens that the tokenizer of the full-text index makes', () => {
    const texts = [
      'Running runners ran easily; relational databases, hopping hopefully at 1.5 GHz with mp3s and utf8s',
      'Ein Café in São Paulo, ÅNGSTRÖM, naïvely crème brûlée façades Straßen Größe straßenbahnen',
      'ΟΔΟΣ ὁδός Ελληνικά σοφίας ΣΟΦΟΣ οδοσ',
      'Русский язык, ещё Ёлка, ИЗМЕНЕНИЯ, українська їжа',
      '한국은행 서울에서 API를 쓴다. 東京都庁でカタカナーを読む。 我们在北京大学学习',
      'हिन्दी भाषा में, שלום עולם, العربية والكتابة, ภาษาไทย, Հայերեն ԼԵԶՈՒ, ქართული',
      'parseHTTPUrl snake_case_name os.path.join 3.11.4 C++ F# node.js x86_64 a1b2c3',
      'sky skies dying lies ties yes yelling abilities generalizations oscillators controlling rolls',
      'Zażółć gęślą jaźń, Příliš žluťoučký, Việt Nam tiếng, İstanbul Iğdır ŞIK',
    ];
    expect(compare(texts).differing).toEqual([]);
  });

  const shared = new URL('../../../../../shared/data/', import.meta.url);
  it.skipIf(!existsSync(shared))('does so for every fourth text of the judged sets', () => {
    const texts = ['cranfield', 'cacm', 'ko-autorag', 'cosqa-dev', 'squad2'].flatMap((set) =>
      readFileSync(new URL(`${set}/corpus.jsonl`, shared), 'utf8')
        .split('\n')
        .filter((line, at) => line !== '' && at % 4 === 0)
        .map((line) => (JSON.parse(line) as { readonly text: string }).text),
    );
    const { differing, total } = compare(texts);
    expect(total).toBeGreaterThan(150_000);
    expect(differing).toEqual([]);
  });
});
