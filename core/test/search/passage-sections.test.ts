import { describe, expect, it } from 'vitest';
import type { ChunkId, DocumentId } from '../../src/domain/ids.ts';
import type { Media } from '../../src/domain/kinds.ts';
import { questionWords } from '../../src/relevance/question-words.ts';
import { headingTokensOf, orderSections } from '../../src/search/passage-kind.ts';

interface Section {
  readonly score: number;
  readonly heading?: string;
  /** Its document; one of its own by default. */
  readonly of?: string;
  readonly media?: Media;
}

/** The names of sections in their order for a query, with their factors. */
function order(query: string, sections: Readonly<Record<string, Section>>) {
  const entries = Object.entries(sections).map(([name, { score }]) => {
    return { chunkId: name as ChunkId, score, lexical: null, vector: null, fusionScore: null };
  });
  const passages = new Map(
    Object.entries(sections).map(([name, { heading = 'Notes', of = name, media = 'markdown' }]) => [
      name as ChunkId,
      { docId: of as DocumentId, media, headingTokens: headingTokensOf(heading) },
    ]),
  );
  return orderSections(entries, passages, questionWords(query));
}

const namesOf = (ordered: ReturnType<typeof order>): readonly string[] => ordered.map(({ chunkId }) => chunkId);

describe('orderSections', () => {
  it.each([
    ['English', 'how do I write a custom filter', 'Writing custom filters', 'Filters and time zones'],
    ['an identifier', 'what does select_related do', 'select_related()', 'prefetch_related()'],
    ['Korean', '휴가 신청은 어떻게', '휴가 신청', '출장 신청'],
  ])('puts the section that is called what is asked for first: %s', (_, query, called, other) => {
    const ordered = order(query, { other: { score: 10, heading: other }, called: { score: 9, heading: called } });
    expect(namesOf(ordered)).toEqual(['called', 'other']);
    expect(ordered[0]?.section).toBeGreaterThan(1.3);
  });

  it('leaves a plainly better passage before a heading of which one word is asked for', () => {
    const ordered = order('landlord boiler part', { daily: { score: 10 }, person: { score: 7, heading: 'Landlord' } });
    expect(namesOf(ordered)).toEqual(['daily', 'person']);
  });

  it('prefers the document of which more was found', () => {
    const others = { a2: { score: 8, of: 'a' }, a3: { score: 8, of: 'a' }, a4: { score: 8, of: 'a' } };
    const ordered = order('brass pumps', { alone: { score: 10 }, a1: { score: 9.7, of: 'a' }, ...others });
    expect(namesOf(ordered)[0]).toBe('a1');
  });

  it('counts a document for the best of its passages, not for their number', () => {
    const long = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`b${at}`, { score: 7, of: 'b' }]));
    expect(namesOf(order('brass pumps', { alone: { score: 10 }, ...long }))[0]).toBe('alone');
  });

  it('keeps the scores of source code, and the order of equals', () => {
    const code = order('brass pumps', {
      first: { score: 5, media: 'code' },
      second: { score: 5, media: 'code' },
    });
    expect(code.map(({ chunkId, score }) => [chunkId, score])).toEqual([
      ['first', 5],
      ['second', 5],
    ]);
  });
});
