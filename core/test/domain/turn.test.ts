import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ThinkFilter } from '../../src/domain/turn.ts';

/** The output of the filter when the text arrives in pieces of `size`. */
function filtered(text: string, size = text.length): string {
  const filter = new ThinkFilter();
  let passed = '';
  for (let at = 0; at < text.length; at += Math.max(1, size)) passed += filter.push(text.slice(at, at + size));
  return passed + filter.end();
}

describe('ThinkFilter', () => {
  it.each([
    ['<think>hm</think>yes', 'yes'],
    ['\n<think>\nhm\n</think>\n\nyes', 'yes'],
    ['<thinking>hm </think> hm</thinking> yes', 'yes'],
    ['<think></think>yes', 'yes'],
    ['<think>without an end', ''],
    ['<think>hm</think>', ''],
    ['yes <think>no</think>', 'yes <think>no</think>'],
    ['<thin ice', '<thin ice'],
    ['<thinker>', '<thinker>'],
    ['  yes', '  yes'],
    ['<', '<'],
    ['', ''],
  ])('turns %j, however it is split, into %j', (text, answer) => {
    for (let size = 1; size <= Math.max(1, text.length); size++) expect(filtered(text, size)).toBe(answer);
  });

  it('passes on at once what cannot become a tag', () => {
    const filter = new ThinkFilter();
    expect([filter.push('It'), filter.push(' <thi'), filter.push('nk>')]).toEqual(['It', ' <thi', 'nk>']);
  });

  it('leaves a text without reasoning unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 5 }), (text, size) => {
        fc.pre(!/^\s*<think/.test(text));
        expect(filtered(text, size)).toBe(text);
      }),
    );
  });
});
