import type { NumberedEvidence } from '../../src/ask/prompt/pack-context.ts';
import { findOrders } from '../../src/ask/retrieval/reader-orders.ts';
import type { Evidence } from '../../src/ask/retrieval/retrieve-evidence.ts';
import { formatUri } from '../../src/domain/uri.ts';

/** A passage of a note that begins on a line, 1 by default. */
export function passage(text: string, more: Partial<Evidence> & { readonly start?: number } = {}): Evidence {
  const { start = 1, ...rest } = more;
  const end = start + text.split('\n').length - 1;
  const path = 'notes/a.md';
  return {
    key: `${path}:${start}:${text}`,
    chunkId: null,
    docId: null,
    title: 'Note',
    headingPath: ['Top', 'Section'],
    trust: 'primary',
    text,
    citation: {
      schema_version: 'citation.v1',
      kind: 'line',
      path,
      uri: formatUri({ sourceId: null, path, fragment: { kind: 'line', start, end } }),
      content_hash: '0123456789abcdef',
      start,
      end,
      section: 'Section',
    },
    score: 0.5,
    indexed_at: '2026-01-01T00:00:00.000Z',
    stale: false,
    freshness: 'fresh',
    bm25: null,
    cosine: null,
    ...rest,
  };
}

/** Passages numbered from 1. */
export function numbered(...texts: readonly string[]): readonly NumberedEvidence[] {
  return texts.map((text, at) => ({
    ...passage(text, { start: 10 * at + 1 }),
    number: at + 1,
    orders: findOrders(text),
  }));
}
