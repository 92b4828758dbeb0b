import { describe, expect, it } from 'vitest';
import { narrowCitation } from '../../../src/ask/verify/narrow-citation.ts';
import { numbered } from '../evidence-example.ts';

describe('narrowCitation', () => {
  const [, second] = numbered('first', 'alpha\nbeta gamma\ndelta\nbeta');

  it.each([
    ['gamma', 'notes/a.md#L12'],
    ['gamma delta', 'notes/a.md#L12-L13'],
    ['alpha', 'notes/a.md#L11'],
    ['absent', 'notes/a.md#L11-L14'],
  ])('narrows to the lines of %j: %s', (quote, uri) => {
    if (second === undefined) throw new Error('there is no second passage');
    expect(narrowCitation(second, quote)).toBe(uri);
  });

  it('leaves a page as it is', () => {
    const [first] = numbered('words on a page');
    if (first === undefined) throw new Error('there is no passage');
    const citation = {
      schema_version: 'citation.v1',
      kind: 'page',
      path: 'a.pdf',
      uri: 'a.pdf#p=3',
      content_hash: '0123456789abcdef',
      page: 3,
      section: null,
    } as const;
    expect(narrowCitation({ ...first, citation }, 'words')).toBe('a.pdf#p=3');
  });
});
