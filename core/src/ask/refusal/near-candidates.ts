import type { AnswerCitation } from '../../wire/index.ts';
import type { Evidence } from '../retrieval/evidence.ts';

/** The passages that came closest, most relevant first, each place once, told without markers. */
export function nearCandidates(evidence: readonly Evidence[]): readonly AnswerCitation[] {
  const seen = new Set<string>();
  return evidence
    .toSorted((a, b) => b.score - a.score)
    .filter(({ citation }) => {
      const place = `${citation.source_id ?? 'default'}:${citation.uri}`;
      return !seen.has(place) && seen.add(place);
    })
    .map(({ citation, score, indexed_at, stale, freshness }) => ({
      marker: null,
      citation,
      score,
      indexed_at,
      stale,
      freshness,
      quotes: [],
      verified: null,
    }));
}
