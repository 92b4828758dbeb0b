import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyseQuery } from '../../src/analysis/analyse-query.ts';
import { analyseChunk } from '../../src/analysis/index-text.ts';
import { searchForm, traceableForm } from '../../src/analysis/search-form.ts';
import { wordsOf } from '../../src/analysis/snippet.ts';

/** Letters of Hangul outside syllables, with their fillers. */
const LONE_JAMO = /[\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\ud7b0-\ud7ff\uffa0-\uffdc]/u;

describe('the form in which text is searched', () => {
  it.each([
    ['full width', 'ＴＲＡＩＮ２０２５', 'TRAIN2025'],
    ['half-width kana', 'ﾊﾞｹﾂ', 'バケツ'],
    ['ligatures', 'ﬂag ﬃx cliﬀ', 'flag ffix cliff'],
    ['superscripts', 'a² + b³', 'a2 + b3'],
    ['subscripts', 'C₆H₁₂O₆', 'C6H12O6'],
    ['roman numerals', 'Act Ⅸ', 'Act IX'],
    ['mathematical letters', '𝐛𝐨𝐥𝐝 𝒾𝓉𝒶𝓁', 'bold ital'],
    ['letter-like signs', 'ℵ Ωm', 'א Ωm'],
    ['long s and digraphs', 'ſtein ǌiva', 'stein njiva'],
    ['Arabic presentation forms', 'ﻛﺘﺎﺏ ﻻ', 'كتاب لا'],
    ['Arabic vowels and tatweel', 'كِتَابٌ كتـــاب', 'كتاب كتاب'],
    ['Hebrew points', 'שָׁלוֹם', 'שלום'],
    ['soft hyphens', 'water\u00ADmill', 'watermill'],
    ['zero-width characters', 'wa\u200Bter\u2060mi\u200Dll\uFEFF', 'watermill'],
    ['bidirectional marks', '\u202Bwater\u202C\u200E', 'water'],
    ['variation selectors', '葛\uFE00飾', '葛飾'],
    ['a zero-width space in Hangul', '물레\u200B방아', '물레방아'],
    ['a zero-width non-joiner in Persian', 'می\u200Cروم', 'میروم'],
    ['Cyrillic ё', 'Ёж в зелёной траве', 'Еж в зеленой траве'],
    ['decomposed ё', 'е\u0308лки', 'елки'],
    ['ß', 'Straße STRAẞE daß', 'Strasse STRASSE dass'],
    ['French ligatures', 'œuvre Œuvre cœur', 'oeuvre OEuvre coeur'],
    ['Nordic letters', 'smørrebrød Ærø', 'smorrebrod AEro'],
    ['Polish ł', 'Łódź złoty', 'Lódź zloty'],
    ['Croatian đ', 'Đakovo međa', 'Dakovo meda'],
    ['Turkish ı', 'ışık kapı', 'işik kapi'],
    ['jamo', '한글'.normalize('NFD'), '한글'],
    ['compatibility ideographs', '\uF900', '豈'],
  ])('folds %s', (_name, written, form) => {
    expect(searchForm(written)).toBe(form);
  });

  it.each([
    'ガラス カラス',
    'й и',
    'कि की के',
    'Höhe über Null',
    'ї і',
    'أب اب',
    'ㅋㅋㅋ',
    'a–b “c” d’e',
    '日本語、テスト。',
  ])('keeps what tells words apart: %s', (text) => {
    expect(searchForm(text)).toBe(text);
  });

  it('leaves words beside a sign whole', () => {
    expect(searchForm('Kebab™ 5㎏ 1½ 25℃').trim().split(/\s+/)).toEqual([
      'Kebab',
      'TM',
      '5',
      'kg',
      '1',
      '1⁄2',
      '25',
      '°C',
    ]);
    expect(searchForm('＂a＂ … ＊')).toBe('＂a＂ … ＊');
  });

  it('is stable, and composed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!LONE_JAMO.test(text)); // their fillers become spaces, whose number a second folding changes
        const form = searchForm(text);
        expect(searchForm(form)).toBe(form);
        expect(searchForm(text.normalize('NFD'))).toBe(searchForm(text.normalize('NFC')));
      }),
    );
  });

  it.each([
    ['The ofﬁce of the water\u00ADmill', 'office', 'ofﬁce'],
    ['ein water\u00ADmill dort', 'watermill', 'water\u00ADmill'],
    ['５㎏ Ｆｌｏｕｒ!', 'flour', 'Ｆｌｏｕｒ'],
    ['cafe\u0301 bar', 'café', 'cafe\u0301'],
    ['ёлка', 'елка', 'ёлка'],
    ['물레\u200B방아가', '물레방아', '물레\u200B방아'],
    ['כָּתַב', 'כתב', 'כָּתַב'],
  ])('leads back to what is written in %j', (text, query, written) => {
    const [first] = wordsOf(text, analyseQuery(query));
    expect(text.slice(first?.start, first?.end)).toBe(written);
  });

  it('has ranges that cover the written text in order', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        const form = traceableForm(text);
        expect(form.text).toBe(searchForm(text));
        let last = 0;
        for (let at = 0; at < form.text.length; at++) {
          const { start, end } = form.written({ start: at, end: at + 1 });
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          last = start;
        }
      }),
    );
  });
});

describe('scripts without spaces', () => {
  const indexed = (text: string): string =>
    analyseChunk({ text, title: '', headingPath: [], workspacePath: '', symbol: null, extra: [], prefix: null }).cjk;

  it.each([
    ['Thai', 'โรงสีเก่าตั้งอยู่ริมแม่น้ำ', 'ริมแม่น้ำ'],
    ['Lao', 'ໂຮງສີເກົ່າຢູ່ແຄມແມ່ນ້ຳ', 'ແມ່ນ້ຳ'],
    ['Khmer', 'រោងម៉ាស៊ីនកិនស្រូវចាស់នៅមាត់ទន្លេ', 'ទន្លេ'],
    ['Burmese', 'မြစ်ကမ်းနားရှိဆန်စက်ဟောင်း', 'ဆန်စက်'],
  ])('have the words inside a run in the index: %s', (_name, text, word) => {
    const tokens = new Set(indexed(text).split(' '));
    const { terms } = analyseQuery(word);
    const pairs = terms.flatMap((term) => (term.kind === 'cjk' ? [term.token] : []));
    expect(pairs.length).toBeGreaterThan(2);
    for (const pair of pairs) expect(tokens).toContain(pair);
  });
});
