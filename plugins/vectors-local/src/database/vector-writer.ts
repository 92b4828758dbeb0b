import type { EmbeddingId, VectorRecord } from '@kebab/core';
import { statement, type Placeholder } from '@kebab/sqlite-kit';
import type { Database as Connection } from 'better-sqlite3';
import { sql } from 'kysely';
import { SEGMENT_ROWS, segmentKey, segmentRange, slotKey, strideOf, type KeyRange } from '../segment-layout.ts';
import { damaged } from '../vector-failure.ts';
import { build } from './vector-schema.ts';
import { bytesOf, floatsOf, idBytes } from './blobs.ts';
import { lastSegment, type CollectionRow } from './collections.ts';
import { SegmentDraft } from './segment-draft.ts';

/** The statements of a {@link VectorWriter}, prepared once per connection. */
export type WriterStatements = ReturnType<typeof writerStatements>;

/**
 * The changes of one transaction to one collection. Rows and slots are written immediately, segments by {@link finish}, so that a segment
 * is rewritten once however many of its vectors change.
 */
export class VectorWriter {
  readonly #statements: WriterStatements;
  readonly #row: CollectionRow;
  readonly #file: string;
  readonly #drafts = new Map<number, SegmentDraft>();
  /** Segments with free rows, the next one last; undefined until one is needed. */
  #open: number[] | undefined;
  #segments = 0;
  #added = 0;

  constructor(statements: WriterStatements, row: CollectionRow, file: string) {
    this.#statements = statements;
    this.#row = row;
    this.#file = file;
  }

  /** Writes a record, whose vector is a unit vector, replacing the one with the same id. */
  put({ embeddingId, chunkId, docId, vector }: VectorRecord): void {
    const { collection } = this.#row;
    const id = idBytes(embeddingId);
    let slot = this.#statements.findSlot.first({ collection, id })?.slot;
    if (slot === undefined) {
      slot = this.#freeSlot();
      this.#statements.putSlot.run({ collection, id, slot });
      this.#added++;
    }
    this.#draftOf(slot).put(slot % SEGMENT_ROWS, vector, { chunkId, docId });
    this.#statements.putRow.run({
      slot: slotKey(collection, slot),
      id,
      chunk: idBytes(chunkId),
      document: idBytes(docId),
      vector: bytesOf(vector),
    });
  }

  /** Removes the vector with an id, if there is one. */
  remove(embeddingId: EmbeddingId): void {
    const { collection } = this.#row;
    const slot = this.#statements.removeSlot.first({ collection, id: idBytes(embeddingId) })?.slot;
    if (slot === undefined) return;
    this.#draftOf(slot).remove(slot % SEGMENT_ROWS);
    this.#statements.removeRow.run({ slot: slotKey(collection, slot) });
    this.#added--;
  }

  /** Writes the changed segments, as the next version of the collection. */
  finish(): void {
    if (this.#drafts.size === 0) return;
    const { collection } = this.#row;
    const version = this.#row.version + 1;
    for (const [number, { parts, vectors, changedCodes }] of this.#drafts) {
      const segment = segmentKey(collection, number);
      const { live, scales, ids } = parts;
      const coded = changedCodes === undefined ? 0 : 1;
      this.#statements.putSegment.run({ segment, version, coded, vectors, live, scales: bytesOf(scales), ids });
      if (changedCodes !== undefined) this.#statements.putCodes.run({ segment, codes: bytesOf(changedCodes) });
    }
    this.#statements.touch.run({ collection, version, added: this.#added });
  }

  #freeSlot(): number {
    this.#open ??= this.#findOpen();
    for (let number = this.#open.at(-1); number !== undefined; number = this.#open.at(-1)) {
      const row = this.#draft(number).freeRow();
      if (row !== undefined) return number * SEGMENT_ROWS + row;
      this.#open.pop();
    }
    const number = this.#segments++;
    this.#drafts.set(number, SegmentDraft.empty(strideOf(this.#row.dimensions)));
    this.#open.push(number);
    return number * SEGMENT_ROWS;
  }

  #findOpen(): number[] {
    const range = segmentRange(this.#row.collection);
    const last = this.#statements.lastSegment.first(range)?.segment;
    this.#segments = last === undefined ? 0 : last - range.first + 1;
    const open = this.#statements.openSegments.all(range);
    return open.map(({ segment }) => segment - range.first).toReversed();
  }

  #draftOf(slot: number): SegmentDraft {
    return this.#draft(Math.floor(slot / SEGMENT_ROWS));
  }

  #draft(number: number): SegmentDraft {
    let draft = this.#drafts.get(number);
    if (draft === undefined) {
      draft = this.#fetch(number);
      this.#drafts.set(number, draft);
    }
    return draft;
  }

  #fetch(number: number): SegmentDraft {
    const stride = strideOf(this.#row.dimensions);
    const segment = segmentKey(this.#row.collection, number);
    const segmentRow = this.#statements.segment.first({ segment });
    if (segmentRow === undefined)
      throw damaged(this.#file, { table: 'vector_segments', cause: `segment ${number} is missing` });
    const { live, scales, ids } = segmentRow;
    return new SegmentDraft({ live, scales: floatsOf(scales), ids }, stride, () => {
      const codes = this.#statements.codes.first({ segment })?.codes;
      if (codes?.length !== SEGMENT_ROWS * stride)
        throw damaged(this.#file, { table: 'vector_codes', cause: `segment ${number} is missing or malformed` });
      return new Int8Array(codes.buffer, codes.byteOffset, codes.length);
    });
  }
}

type Embedded = Placeholder<{ readonly collection: number; readonly id: Buffer }>;
type Ranged = Placeholder<KeyRange>;
type Numbered = Placeholder<{ readonly segment: number }>;

/** Declares the statements of a {@link VectorWriter}. */
export function writerStatements(db: Connection) {
  return {
    findSlot: statement(db, (value: Embedded) =>
      build
        .selectFrom('vector_slots')
        .select('slot')
        .where('collection', '=', value('collection'))
        .where('embedding_id', '=', value('id')),
    ),
    putSlot: statement(
      db,
      (value: Placeholder<{ readonly collection: number; readonly id: Uint8Array; readonly slot: number }>) =>
        build
          .insertInto('vector_slots')
          .values({ collection: value('collection'), embedding_id: value('id'), slot: value('slot') }),
    ),
    removeSlot: statement(db, (value: Embedded) =>
      build
        .deleteFrom('vector_slots')
        .where('collection', '=', value('collection'))
        .where('embedding_id', '=', value('id'))
        .returning('slot'),
    ),
    putRow: statement(
      db,
      (
        value: Placeholder<{
          readonly slot: number;
          readonly id: Uint8Array;
          readonly chunk: Uint8Array;
          readonly document: Uint8Array;
          readonly vector: Uint8Array;
        }>,
      ) =>
        build.replaceInto('vector_rows').values({
          slot: value('slot'),
          embedding_id: value('id'),
          chunk_id: value('chunk'),
          doc_id: value('document'),
          vector: value('vector'),
        }),
    ),
    removeRow: statement(db, (value: Placeholder<{ readonly slot: number }>) =>
      build.deleteFrom('vector_rows').where('slot', '=', value('slot')),
    ),
    // The limit is written out, because SQLite uses a partial index only for a condition that it can compare with the index.
    openSegments: statement(db, (value: Ranged) =>
      build
        .selectFrom('vector_segments')
        .select('segment')
        .where('segment', '>=', value('first'))
        .where('segment', '<', value('end'))
        .where('vectors', '<', sql.lit(SEGMENT_ROWS))
        .orderBy('segment'),
    ),
    lastSegment: lastSegment(db),
    segment: statement(db, (value: Numbered) =>
      build.selectFrom('vector_segments').select(['live', 'scales', 'ids']).where('segment', '=', value('segment')),
    ),
    codes: statement(db, (value: Numbered) =>
      build.selectFrom('vector_codes').select('codes').where('segment', '=', value('segment')),
    ),
    putSegment: statement(
      db,
      (
        value: Placeholder<{
          readonly segment: number;
          readonly version: number;
          /** Whether its codes have changed: 1 or 0. */
          readonly coded: number;
          readonly vectors: number;
          readonly live: Uint8Array;
          readonly scales: Uint8Array;
          readonly ids: Uint8Array;
        }>,
      ) =>
        build
          .insertInto('vector_segments')
          .values({
            segment: value('segment'),
            version: value('version'),
            codes_version: value('version'),
            vectors: value('vectors'),
            live: value('live'),
            scales: value('scales'),
            ids: value('ids'),
          })
          .onConflict((conflict) =>
            conflict.column('segment').doUpdateSet((eb) => ({
              version: eb.ref('excluded.version'),
              codes_version: eb.fn<number>('iif', [
                value('coded'),
                eb.ref('excluded.version'),
                eb.ref('vector_segments.codes_version'),
              ]),
              vectors: eb.ref('excluded.vectors'),
              live: eb.ref('excluded.live'),
              scales: eb.ref('excluded.scales'),
              ids: eb.ref('excluded.ids'),
            })),
          ),
    ),
    putCodes: statement(db, (value: Placeholder<{ readonly segment: number; readonly codes: Uint8Array }>) =>
      build
        .insertInto('vector_codes')
        .values({ segment: value('segment'), codes: value('codes') })
        .onConflict((conflict) =>
          conflict.column('segment').doUpdateSet((eb) => ({ codes: eb.ref('excluded.codes') })),
        ),
    ),
    touch: statement(
      db,
      (value: Placeholder<{ readonly collection: number; readonly version: number; readonly added: number }>) =>
        build
          .updateTable('vector_collections')
          .set((row) => ({ version: value('version'), vectors: row('vectors', '+', value('added')) }))
          .where('collection', '=', value('collection')),
    ),
  };
}
