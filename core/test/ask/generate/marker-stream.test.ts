import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MarkerStream, rewriteMarkers } from '../../../src/ask/generate/marker-stream.ts';

function streamed(tokens: readonly string[], passages = 3): readonly string[] {
  const stream = new MarkerStream(passages);
  return [...tokens.map((token) => stream.push(token)), stream.end()];
}

describe('MarkerStream', () => {
  it('shows text as it comes and holds back what may become a marker', () => {
    expect(streamed(['Tea ', 'is ', 'hot ', '[', '#', '2', ']', ', no'])).toEqual([
      'Tea',
      ' is',
      ' hot',
      '',
      '',
      '',
      ' [2]',
      ', no',
      '',
    ]);
  });

  it('holds back no more than a few of many spaces, which may stand before a marker', () => {
    const shown = streamed(['Tea', ...Array.from({ length: 1000 }, () => ' '), 'is hot']);
    expect(shown.slice(0, -2).join('')).toBe(`Tea${' '.repeat(936)}`);
    expect(shown.join('')).toBe(`Tea${' '.repeat(1000)}is hot`);
  });

  it('leaves out markers of passages that are not there', () => {
    expect(streamed(['Hot [#99', '] tea [#0]', ' [#1].']).join('')).toBe('Hot tea [1].');
  });

  it('shows brackets that turn out to be something else', () => {
    expect(streamed(['see [', 'here](x) [#a] [#1234] [']).join('')).toBe('see [here](x) [#a] [#1234] [');
  });

  it('shows nothing of an answer that begins with the sentinel, however it is cut', () => {
    expect(streamed(['  [', '[NO_EV', 'IDENCE]]', ' Sorry.'])).toEqual(['', '', '', '', '']);
    expect(streamed(['[[NO', ' WAY'])).toEqual(['', '[[NO WAY', '']);
    expect(streamed(['[[NO_EVID'])).toEqual(['', '[[NO_EVID']);
  });

  it('gives the same text however it is cut into tokens', () => {
    const piece = fc.constantFrom(
      'tea',
      ' ',
      '[#1]',
      '[#9]',
      '[',
      '#',
      ']',
      '2',
      '\n',
      '[[NO_EVIDENCE]]',
      '한국',
      '[#12]',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(30)), (pieces, cuts) => {
        const text = pieces.join('');
        const at = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))].toSorted((a, b) => a - b);
        const tokens = [...at, text.length].map((end, i) => text.slice(at[i - 1] ?? 0, end));
        expect(streamed(tokens).join('').trim()).toBe(streamed([text]).join('').trim());
      }),
    );
  });
});

describe('rewriteMarkers', () => {
  it.each([
    ['a [#1][#2] b [#3].', 'a [1][2] b.'],
    ['[#007]', ''],
    ['[#02] x', '[2] x'],
    ['[1] [# 1] [#x]', '[1] [# 1] [#x]'],
  ])('writes %j as %j', (text, expected) => {
    expect(rewriteMarkers(text, 2)).toBe(expected);
  });
});
