import assert from 'node:assert/strict';
import { HOSTILE_QUERIES } from './hostile-texts.ts';
import { type LexicalCase, searchable } from './lexical-case.ts';

/** Another document, so that a case cannot pass by returning everything. */
const OTHER = searchable('other.md', 'Nothing of all this stands here.');

/** The promises about what a query finds. */
export function lexicalFindingCases(): readonly LexicalCase[] {
  return [...words(), ...scripts(), ...marks(), ...hostileQueries()];
}

/** A case in which each query, separated by `|`, finds exactly the one document with a text. */
function eachFinds(name: string, text: string, queries: string): LexicalCase {
  return {
    name,
    documents: [searchable('it.md', text), OTHER],
    check: async ({ find }) => {
      for (const query of queries.split('|')) assert.deepEqual(await find(query), ['it.md#0'], `${query} in ${text}`);
    },
  };
}

function words(): readonly LexicalCase[] {
  return [
    eachFinds(
      'finds words regardless of case and diacritics',
      'Ein Café in São Paulo, ÅNGSTRÖM',
      'café|CAFE|cafe\u0301|sao|São|ångström|angstrom',
    ),
    eachFinds(
      'finds decomposed text by composed words',
      're\u0301sume\u0301 d\u2019e\u0301te\u0301',
      'résumé|resume|été',
    ),
    eachFinds(
      'finds identifiers whole and by their parts',
      'call parseHTTPUrl(snake_case_name, utf8, v2)',
      'parseHTTPUrl|parsehttpurl|parse|http|url|snake_case_name|snake|case|utf8|utf|8',
    ),
    eachFinds(
      'finds dotted names whole and by their parts',
      'import os.path.join since 3.11.4',
      'os.path.join|path|join|3.11.4|11',
    ),
    eachFinds('finds words in scripts with marks', 'हिन्दी भाषा и русский язык, שלום', 'हिन्दी|भाषा|РУССКИЙ|שלום'),
    {
      name: 'ORs the words of a question',
      documents: [searchable('it.md', 'Chunks begin at headings.'), OTHER],
      check: async ({ find }) => assert.deepEqual(await find('which rules decide where chunks are cut?'), ['it.md#0']),
    },
    {
      name: 'finds chunks by title, heading, file name and symbol',
      documents: [
        searchable('a/zebra-crossing.md', ['text', { text: 'text', headingPath: ['Okapi herd'] }], { title: 'Gnu' }),
        searchable('b.rs', [{ text: 'fn x() {}', symbol: '<Quagga as Equine>::gallopFast' }]),
        OTHER,
      ],
      check: async ({ find }) => {
        assert.deepEqual(await find('zebra'), ['a/zebra-crossing.md#0', 'a/zebra-crossing.md#1']);
        assert.deepEqual(await find('gnu'), ['a/zebra-crossing.md#0', 'a/zebra-crossing.md#1']);
        assert.deepEqual(await find('okapi'), ['a/zebra-crossing.md#1']);
        assert.deepEqual(await find('quagga'), ['b.rs#0']);
        assert.deepEqual(await find('gallop'), ['b.rs#0']);
      },
    },
    {
      name: 'finds nothing for a query without letters and digits, and for words that occur nowhere',
      documents: [searchable('it.md', 'One * two ^ three.'), OTHER],
      check: async ({ find }) => {
        for (const query of ['', ' \n', '***', '"', '""', '- -- "…" _ ()', '😀', 'absent'])
          assert.deepEqual(await find(query), []);
      },
    },
  ];
}

function scripts(): readonly LexicalCase[] {
  return [
    eachFinds(
      'finds Korean nouns with any particle, and terms of one and two characters',
      '한국은 API를 서울은 쓴다',
      `한국|한|국|은|서울의|서울|API|를|쓴다|한국은|API를|${'한국'.normalize('NFD')}`,
    ),
    eachFinds(
      'finds Japanese and Chinese terms inside a run',
      '東京都庁でカタカナーを読む。我们在北京大学学习𠮷野家',
      '東京|京都|都庁|庁|カタカナ|カナー|読|北京大学|学习|们|𠮷|𠮷野|野家',
    ),
    eachFinds('finds the beginning of a Thai run', 'ท่าเรือแหลมฉบังเปิดทำการ', 'ท่าเรือ'),
    {
      name: 'finds decomposed Korean text',
      documents: [searchable('it.md', '서울은 크다'.normalize('NFD')), OTHER],
      check: async ({ find }) => assert.deepEqual(await find('서울'), ['it.md#0']),
    },
    {
      name: 'does not match a bigram across the border of two runs',
      documents: [searchable('it.md', '한국 은행, 東京\n都庁'), OTHER],
      check: async ({ find }) => {
        for (const query of ['국은', '京都']) assert.deepEqual(await find(query), [], query);
      },
    },
  ];
}

function marks(): readonly LexicalCase[] {
  const documents = [
    searchable('phrase.md', 'The chunking rules of kebab: a draft.'),
    searchable('apart.md', 'Rules for chunking, and kebab.'),
    searchable('stem.md', 'One chunk rule of kebab.'),
  ];
  return [
    {
      name: 'requires a quoted phrase verbatim, regardless of case',
      documents,
      check: async ({ find }) => {
        assert.deepEqual(await find('"Chunking RULES"'), ['phrase.md#0']);
        assert.deepEqual(await find('kebab "chunking rules"'), ['phrase.md#0']);
        assert.deepEqual(await find('"chunking rules" "no such words"'), []);
        assert.deepEqual(await find('kebab "rules chunking"'), []);
      },
    },
    {
      name: 'excludes what follows a minus, and nothing else',
      documents,
      check: async ({ find }) => {
        assert.deepEqual((await find('kebab -draft')).toSorted(), ['apart.md#0', 'stem.md#0']);
        assert.deepEqual((await find('kebab -"chunking rules"')).toSorted(), ['apart.md#0', 'stem.md#0']);
        assert.deepEqual((await find('kebab -chunks')).toSorted(), ['apart.md#0', 'phrase.md#0', 'stem.md#0']);
        for (const data of ['kebab --draft', 'kebab - draft', 'kebab-draft', 'kebab -"draft', "kebab '-draft'"])
          assert.equal((await find(data)).length, 3, data);
      },
    },
    {
      name: 'finds phrases that mix scripts or span runs only where they occur',
      documents: [searchable('it.md', '새 API를 서울에서 쓴다'), searchable('apart.md', '서울에서 쓴다. 를 API 새')],
      check: async ({ find }) => {
        assert.deepEqual(await find('"API를 서울에서"'), ['it.md#0']);
        assert.deepEqual((await find('"서울에서 쓴다"')).toSorted(), ['apart.md#0', 'it.md#0']);
        assert.deepEqual(await find('"새 API"'), ['it.md#0']);
      },
    },
    {
      name: 'finds a phrase of the parts of an identifier, and one with a name in it',
      documents: [searchable('it.md', 'Use parseHTTPUrl or snake_case.'), OTHER],
      check: async ({ find }) => {
        for (const query of ['"parse http url"', '"parseHTTPUrl or snake_case"', '"snake case"'])
          assert.deepEqual(await find(query), ['it.md#0'], query);
      },
    },
  ];
}

function hostileQueries(): readonly LexicalCase[] {
  return [
    {
      name: 'never throws, whatever the query',
      documents: [searchable('it.md', 'a b c word text x y 한국은'), OTHER],
      check: async ({ find }) => {
        for (const query of HOSTILE_QUERIES)
          await assert.doesNotReject(find(query), `the query ${JSON.stringify(query.slice(0, 60))}`);
      },
    },
    {
      name: 'treats operators of other query languages as words',
      documents: [searchable('it.md', 'this AND that NEAR those'), OTHER],
      check: async ({ find }) => {
        for (const query of ['AND', 'near(', 'x AND y', '{that}', 'that*', '^those'])
          assert.deepEqual(await find(query), ['it.md#0'], query);
      },
    },
  ];
}
