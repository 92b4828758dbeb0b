import { safeCut } from '@kebab/core';
import type { Database as Connection } from 'better-sqlite3';
import { build, statement, statementsOn, type Placeholder } from '../database/statements.ts';

/** A part of a text, with its offset. */
export interface TextSegment {
  readonly start: number;
  readonly text: string;
}

/**
 * The size of a segment. Rows do not span pages of the file, so that long segments waste space: 5.7 MB of text take 6.1 MB in segments of
 * 1,000 bytes, 6.25 MB in segments of 2,000, 7.1 MB in segments of 8,000. Reading the text of a chunk takes 4 µs with each of them.
 */
const SEGMENT_BYTES = 1000;

/** Splits a text into the segments in which it is stored, without splitting surrogate pairs. */
export function segmentsOf(text: string): readonly TextSegment[] {
  const segments: TextSegment[] = [];
  const length = Math.max(2, Math.floor((SEGMENT_BYTES * text.length) / Buffer.byteLength(text)));
  for (let start = 0; start < text.length;) {
    const end = safeCut(text, Math.min(text.length, start + length));
    segments.push({ start, text: text.slice(start, end) });
    start = end;
  }
  return segments;
}

/** The segment that contains `start`, and the following ones that begin before `end`. */
function segmentsBetween(db: Connection) {
  return statement(
    db,
    (value: Placeholder<{ readonly doc_seq: number; readonly start: number; readonly end: number }>) =>
      build
        .selectFrom('document_texts')
        .select(['start', 'text'])
        .where('doc_seq', '=', value('doc_seq'))
        .where('start', '>=', ({ fn, val, selectFrom }) =>
          fn.coalesce(
            selectFrom('document_texts')
              .select(({ fn: { max } }) => max<number>('start').as('start'))
              .where('doc_seq', '=', value('doc_seq'))
              .where('start', '<=', value('start')),
            val(0),
          ),
        )
        .where('start', '<', value('end'))
        .orderBy('start'),
  );
}

/** The slice `[start, end)` of a document's text. */
export function readText(db: Connection, docSeq: number, start: number, end: number): string {
  const segments = statementsOn(db, segmentsBetween).all({ doc_seq: docSeq, start, end });
  const from = segments[0]?.start ?? start;
  const stretch = segments.map(({ text }) => text).join('');
  return stretch.slice(Math.max(0, start - from), Math.max(0, end - from));
}
