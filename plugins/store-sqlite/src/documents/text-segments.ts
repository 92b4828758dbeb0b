import { itemsOf, statement, statementsOn, type Placeholder } from '@kebab/sqlite-kit';
import type { Database as Connection } from 'better-sqlite3';
import type { Expression } from 'kysely';
import { build } from '../database/tables.ts';

/**
 * The size of a segment of text. Rows do not span pages of the file, so that long segments waste space: 5.7 MB of text take 6.1 MB in segments of
 * 1,000 bytes, 6.25 MB in segments of 2,000, 7.1 MB in segments of 8,000. Reading the text of a chunk takes 4 µs with each of them.
 */
export const SEGMENT_BYTES = 1000;

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

/**
 * The chunks `c` of a JSON list `j` of keys, each with the segments that contain its text; the caller says which column the keys are of. Not
 * sorted, because SQLite would copy all texts to sort them.
 */
export function chunksWithText<Key = string>(keys: Expression<string>) {
  return build
    .selectFrom(itemsOf<Key>(keys))
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
    .select(['j.key as place', 'c.text_start', 'c.text_end', 't.start as segment_start', 't.text as segment']);
}
