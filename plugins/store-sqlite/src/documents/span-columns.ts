import type { SourceSpan } from '@kebab/core';

/** Writes the spans of a chunk as JSON. A line span is the pair of its lines, and alone, as nearly all are, without a list. */
export function encodeSpans(spans: readonly SourceSpan[]): string {
  const [only] = spans;
  if (only !== undefined && only.kind === 'line' && spans.length === 1) return `[${only.start},${only.end}]`;
  return JSON.stringify(spans.map((span) => (span.kind === 'line' ? [span.start, span.end] : span)));
}

/** Reads what {@link encodeSpans} wrote. */
export function decodeSpans(json: string): readonly SourceSpan[] {
  const spans = JSON.parse(json) as Pair | readonly (SourceSpan | Pair)[];
  return isPair(spans) ? [lineSpan(spans)] : spans.map((span) => (isPair(span) ? lineSpan(span) : span));
}

type Pair = readonly [start: number, end: number];

function isPair(value: SourceSpan | Pair | readonly (SourceSpan | Pair)[]): value is Pair {
  return Array.isArray(value) && typeof value[0] === 'number';
}

function lineSpan([start, end]: Pair): SourceSpan {
  return { kind: 'line', start, end };
}
