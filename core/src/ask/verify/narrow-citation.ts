import { formatUri } from '../../domain/uri.ts';
import type { NumberedEvidence } from '../retrieval/evidence.ts';
import { findQuote } from './find-quote.ts';

/**
 * The URI of a passage, narrowed to the lines on which a quotation stands. Passages that are not cited by lines, and those in
 * which it does not stand, keep their URI.
 */
export function narrowCitation({ citation, text }: NumberedEvidence, quote: string): string {
  if (citation.kind !== 'line' && citation.kind !== 'code') return citation.uri;
  const range = findQuote(text, quote);
  if (range === null) return citation.uri;
  const first = citation.kind === 'line' ? citation.start : citation.line_start;
  const last = citation.kind === 'line' ? citation.end : citation.line_end;
  // NFC changes no line feed, so the offsets may count in either form.
  const normal = text.normalize('NFC');
  const start = Math.min(last, first + lineFeeds(normal.slice(0, range.start)));
  const end = Math.min(last, start + lineFeeds(normal.slice(range.start, range.end)));
  return formatUri({ path: citation.path, fragment: { kind: 'line', start, end } });
}

function lineFeeds(text: string): number {
  return text.split('\n').length - 1;
}
