import type { NumberedEvidence } from '../retrieval/evidence.ts';
import { findQuote } from './find-quote.ts';
import type { MarkerGroup } from './parse-markers.ts';
import { quotationBefore } from './quotation-before.ts';

/** A quotation and the passage it is held against. */
export interface CheckedQuote {
  /** The first of the markers behind it. */
  readonly at: number;
  readonly number: number;
  readonly text: string;
  readonly verified: boolean;
}

/**
 * Holds the quotation before each group of markers against the passages that the group cites. It counts for the passages
 * it stands in; one that stands in none counts, unverified, for all of them.
 */
export function verifyQuotes(
  text: string,
  groups: readonly MarkerGroup[],
  passages: readonly NumberedEvidence[],
): readonly CheckedQuote[] {
  return groups.flatMap((group) => {
    const at = group[0]?.start ?? 0;
    const quote = quotationBefore(text, at);
    if (quote === null) return [];
    const numbers = [...new Set(group.map(({ number }) => number))];
    const holding = numbers.filter((number) => {
      const passage = passages.find((each) => each.number === number);
      return passage !== undefined && findQuote(passage.text, quote) !== null;
    });
    const verified = holding.length > 0;
    return (verified ? holding : numbers).map((number) => ({ at, number, text: quote, verified }));
  });
}
