import { describe, expect, it } from 'vitest';
import { nearCandidates } from '../../../src/ask/refusal/near-candidates.ts';
import { passage } from '../evidence-example.ts';

describe('nearCandidates', () => {
  it('lists places without markers, the most relevant first, each once', () => {
    const found = [
      passage('a', { score: 0.1 }),
      passage('b', { score: 0.2, start: 5 }),
      passage('c', { score: 0.05, start: 5 }),
    ];
    expect(nearCandidates(found).map(({ marker, citation, score }) => [marker, citation.uri, score])).toEqual([
      [null, 'notes/a.md#L5', 0.2],
      [null, 'notes/a.md#L1', 0.1],
    ]);
  });
});
