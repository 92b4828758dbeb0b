import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyseQuery } from '../../src/analysis/analyse-query.ts';
import { bestWindow } from '../../src/analysis/snippet.ts';
import { charCount } from '../../src/domain/text-size.ts';

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
const LONG = `${'First comes much that nobody asked for. '.repeat(20)}Heading boundaries come first in chunking, as a rule.
  ${'Then more of it follows, line by line. '.repeat(20)}`;

describe('bestWindow', () => {
  it('returns a short text whole, with white space collapsed', () => {
    expect(bestWindow(' one\n\n  two\t', analyseQuery('two'), 60)).toEqual({ text: 'one two', isWhole: true });
  });

  it('collapses white space of every kind and length', () => {
    const unit = fc.constantFrom(' ', '\n', '\t', '\u00a0', '\u3000', '\r\n', 'a', 'b');
    fc.assert(
      fc.property(fc.array(unit), (units) => {
        const text = units.join('');
        expect(bestWindow(text, analyseQuery('a'), 1000).text).toBe(text.split(/\s+/).filter(Boolean).join(' '));
      }),
    );
  });

  it('shows the part of the text that matches most of the query', () => {
    const { text, isWhole } = bestWindow(LONG, analyseQuery('which chunking rules do headings follow?'), 80);
    expect(text).toBe('…Heading boundaries come first in chunking, as a rule. Then more of it follows,…');
    expect(isWhole).toBe(false);
  });

  it.each([
    ['rules of chunks', 'chunking'],
    ['"boundaries come"', 'boundaries come'],
    ['BOUNDARY', 'boundaries'],
  ])('finds other forms of the words of %s', (query, shown) => {
    expect(bestWindow(LONG, analyseQuery(query), 60).text).toContain(shown);
  });

  it.each([
    ['Café'.normalize('NFD'), 'cafe'],
    ['parseHTTPUrl', 'url http'],
    ['한국은', '한국의'],
    ['한국은'.normalize('NFD'), '한국의'],
    ['東京都', '京'],
    ['os.path.join', 'os.path.join'],
  ])('shows %j for the query %j', (word, query) => {
    const filler = 'und so weiter. '.repeat(30);
    const text = (filler + word + filler.slice(0, -1)).normalize(word === word.normalize('NFC') ? 'NFC' : 'NFD');
    expect(bestWindow(text, analyseQuery(query), 60).text).toContain(word);
  });

  it('shows the beginning of the text if nothing matches', () => {
    expect(bestWindow(LONG, analyseQuery('zebra'), 60).text).toMatch(/^First comes much .*…$/);
  });

  it('never exceeds the limit, splits a character or changes the text', () => {
    const unit = fc.constantFrom(...'ab ,.\n', 'word ', '한국은 ', '😀', '\u0301', 'É', '𠮷', 'İ');
    const text = fc.array(unit, { maxLength: 400 }).map((units) => units.join(''));
    const query = fc.constantFrom('word', '한국', '"word b" 𠮷', 'é i', '😀', 'b');
    fc.assert(
      fc.property(text, query, fc.integer({ min: 60, max: 200 }), (chunk, asked, maxChars) => {
        const snippet = bestWindow(chunk, analyseQuery(asked), maxChars);
        const flat = chunk.replaceAll(/\s+/g, ' ').trim();
        const shown = snippet.text.replaceAll(/^…|…$/g, '');
        expect(charCount(snippet.text)).toBeLessThanOrEqual(maxChars);
        expect(snippet.isWhole).toBe(charCount(flat) <= maxChars);
        expect(flat).toContain(shown);
        expect(snippet.text.length > 0).toBe(flat.length > 0);
        expect(shown).not.toMatch(LONE_SURROGATE);
      }),
      { numRuns: 500 },
    );
  });
});
