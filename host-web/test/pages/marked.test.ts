import { describe, expect, it } from 'vitest';
import { html } from '../../src/html.ts';
import { lighterFor } from '../../src/pages/marked.ts';

/** Lights forms in a text, with brackets for the markup. */
function lit(forms: readonly string[], text: string): string {
  const lines = forms.map((form) => ({ text: form, matches: [{ start: 0, end: form.length, of: form }] }));
  const light = lighterFor([lines.map((line, at) => ({ ...line, number: at + 1 }))]);
  return String(html`${light(text)}`)
    .replaceAll('<mark>', '[')
    .replaceAll('</mark>', ']');
}

describe('lighterFor', () => {
  it.each([
    ['a whole word, not the part of another', ['art'], 'art, party and start', '[art], party and start'],
    ['the parts of a name', ['max', 'size'], 'max_size and maxsize', '[max]_[size] and maxsize'],
    ['Hangul anywhere', ['검색'], '전문검색을 쓰면', '전문[검색]을 쓰면'],
    ['Han beside kana', ['設定'], 'サーバーの設定ファイル', 'サーバーの[設定]ファイル'],
    ['Latin letters that Hangul follows', ['kebab'], 'kebab은 빠르다', '[kebab]은 빠르다'],
    ['a phrase', ['heap overflow'], 'heap overflows; heap overflow', 'heap overflows; [heap overflow]'],
    ['a name with signs', ['C++', 'std::move'], 'C++ has std::move', '[C++] has [std::move]'],
    ['the longest form', ['a.b', 'a.b.c'], 'a.b.c', '[a.b.c]'],
    ['Cyrillic and accented words', ['мир', 'été'], 'мир, мира; été', '[мир], мира; [été]'],
    ['signs of expressions as text', ['a|b', '[x]'], 'a|b [x]', '[a|b] [[x]]'],
    ['nothing without forms', [], 'text', 'text'],
  ])('lights %s', (_, forms, text, shown) => {
    expect(lit(forms, text)).toBe(shown);
  });
});
