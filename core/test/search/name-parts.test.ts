import { describe, expect, it } from 'vitest';
import { nameParts } from '../../src/search/name-parts.ts';

describe('nameParts', () => {
  it.each([
    ['parseHTTPUrls', 'parsing of HTTP URLs'],
    ['read_text_files', 'reads the text of a file'],
    ['DocumentWriter', 'document writers'],
    ['utf8Decode', 'decoding UTF 8'],
  ])('finds the words of %s in "%s"', (name, sentence) => {
    const said = new Set(nameParts(sentence));
    expect(nameParts(name).filter((part) => !said.has(part))).toEqual([]);
  });

  it('leaves out what says nothing, and single letters', () => {
    expect(nameParts('how to get the x of a list')).toEqual(['get', 'list']);
  });

  it('finds no parts of a name in signs', () => {
    expect(nameParts('<=> ()')).toEqual([]);
  });
});
