import { describe, expect, it } from 'vitest';
import { html } from '../src/html.ts';

describe('the template for markup', () => {
  it.each<[string, string]>([
    ['<b>', '&lt;b&gt;'],
    ['a & b', 'a &amp; b'],
    ['&lt;', '&amp;lt;'],
    [`"quoted" 'single' \`tick\``, '&quot;quoted&quot; &#39;single&#39; &#96;tick&#96;'],
    ['\u0000\u001b', '⟨U+0000⟩⟨U+001B⟩'],
    ['a\u202eb\u2066c', 'a⟨U+202E⟩b⟨U+2066⟩c'],
    ['\ud800', '⟨U+D800⟩'],
    ['😀 한국어 עברית', '😀 한국어 עברית'],
    ['one\n  two\ttab', 'one\n  two\ttab'],
  ])('escapes text: %j', (text, expected) => {
    expect(String(html`${text}`)).toBe(expected);
    expect(String(html`<a title="${text}"></a>`)).toBe(`<a title="${expected}"></a>`);
  });

  it('keeps markup of other templates, joins lists, and leaves out what is absent', () => {
    expect(String(html`<p>${[html`<b>${'<'}</b>`, 1, null, undefined, false, ['x']]}</p>`)).toBe(
      '<p><b>&lt;</b>1x</p>',
    );
  });

  it('makes one space of its own line breaks, never of those in a text', () => {
    const strings = ['<p>\n    ', '\n  </p>'];
    expect(String(html(Object.assign(strings, { raw: strings }), 'a\n   b'))).toBe('<p> a\n   b </p>');
  });
});
