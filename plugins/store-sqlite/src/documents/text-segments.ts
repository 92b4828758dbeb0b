import { safeCut } from '@kebab/core';
import type { Database as Connection } from 'better-sqlite3';
import type { Expression } from 'kysely';
import { build, itemsOf, statement, statementsOn, type Placeholder } from '../database/statements.ts';

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
        .where('start', '>=', (eb) =>
          eb.fn.coalesce(
            eb
              .selectFrom('document_texts')
              .select(({ fn }) => fn.max<number>('start').as('start'))
              .where('doc_seq', '=', value('doc_seq'))
              .where('start', '<=', value('start')),
            eb.val(0),
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

/** One of the segments that contain the text of a chunk, and the index of the chunk's id in the requested list. */
export interface Stretch {
  readonly place: number;
  readonly segment_start: number | null;
  readonly segment: string | null;
}

/** The chunks `c` of a JSON list of ids, each with the segments that contain its text. */
export function stretchesOf(ids: Expression<string>) {
  return build
    .selectFrom(itemsOf(ids))
    .crossJoin('chunks as c')
    .leftJoin('document_texts as t', (join) =>
      join
        .onRef('t.doc_seq', '=', 'c.doc_seq')
        .onRef('t.start', '<', 'c.text_end')
        .on('t.start', '>=', (eb) =>
          eb.fn.coalesce(
            eb
              .selectFrom('document_texts as before')
              .select(({ fn }) => fn.max<number>('before.start').as('start'))
              .whereRef('before.doc_seq', '=', 'c.doc_seq')
              .whereRef('before.start', '<=', 'c.text_start'),
            eb.val(0),
          ),
        ),
    )
    .where('c.chunk_key', '=', ({ fn }) => fn<Uint8Array>('unhex', ['j.value']))
    .select(['j.key as place', 't.start as segment_start', 't.text as segment']);
}

/** Groups rows by id, in the order of the requested list; the rows of one id are ordered by the start of their segments. */
export function inOrder<T extends Stretch>(rows: readonly T[]): readonly (readonly T[])[] {
  const order = (a: T, b: T): number => a.place - b.place || (a.segment_start ?? 0) - (b.segment_start ?? 0);
  // SQLite nearly always returns this order, but does not guarantee it.
  const isOrdered = rows.every((row, at) => at === 0 || order(rows[at - 1] as T, row) <= 0);
  const groups: T[][] = [];
  let last = -1;
  for (const row of isOrdered ? rows : rows.toSorted(order)) {
    if (row.place === last) groups.at(-1)?.push(row);
    else groups.push([row]);
    last = row.place;
  }
  return groups;
}
