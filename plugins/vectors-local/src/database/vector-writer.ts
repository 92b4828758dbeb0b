import type { EmbeddingId, VectorRecord } from '@kebab/core';
import type { Database as Connection, Statement } from 'better-sqlite3';
import { SEGMENT_ROWS, segmentKey, slotKey, strideOf } from '../segment-layout.ts';
import { damaged } from '../vector-failure.ts';
import { bytesOf, floatsOf, idBytes } from './blobs.ts';
import type { CollectionRow } from './collections.ts';
import { SegmentDraft } from './segment-draft.ts';

const SEGMENT_RANGE = 'FROM vector_segments WHERE segment >= ? AND segment < ?';

/** The statements of a {@link VectorWriter}, prepared once per connection. */
export class WriterStatements {
  readonly findSlot: Statement;
  readonly putSlot: Statement;
  readonly removeSlot: Statement;
  readonly putRow: Statement;
  readonly removeRow: Statement;
  readonly openSegments: Statement;
  readonly lastSegment: Statement;
  readonly segment: Statement;
  readonly codes: Statement;
  readonly putSegment: Statement;
  readonly putCodes: Statement;
  readonly touch: Statement;

  constructor(db: Connection) {
    this.findSlot = db.prepare('SELECT slot FROM vector_slots WHERE collection = ? AND embedding_id = ?').pluck();
    this.putSlot = db.prepare('INSERT INTO vector_slots VALUES (?, ?, ?)');
    this.removeSlot = db
      .prepare('DELETE FROM vector_slots WHERE collection = ? AND embedding_id = ? RETURNING slot')
      .pluck();
    this.putRow = db.prepare('INSERT OR REPLACE INTO vector_rows VALUES (?, ?, ?, ?, ?)');
    this.removeRow = db.prepare('DELETE FROM vector_rows WHERE slot = ?');
    this.openSegments = db.prepare(`SELECT segment ${SEGMENT_RANGE} AND vectors < 256 ORDER BY segment`).pluck();
    this.lastSegment = db.prepare(`SELECT max(segment) ${SEGMENT_RANGE}`).pluck();
    this.segment = db.prepare('SELECT live, scales, ids FROM vector_segments WHERE segment = ?').raw();
    this.codes = db.prepare('SELECT codes FROM vector_codes WHERE segment = ?').pluck();
    this.putSegment = db.prepare(
      'INSERT INTO vector_segments VALUES (@segment, @version, @version, @vectors, @live, @scales, @ids) ON CONFLICT DO UPDATE SET ' +
        'version = @version, codes_version = iif(@coded, @version, codes_version), vectors = @vectors, live = @live, ' +
        'scales = @scales, ids = @ids',
    );
    this.putCodes = db.prepare(
      'INSERT INTO vector_codes VALUES (?, ?) ON CONFLICT DO UPDATE SET codes = excluded.codes',
    );
    this.touch = db.prepare('UPDATE vector_collections SET version = ?, vectors = vectors + ? WHERE collection = ?');
  }
}

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
    let slot = this.#statements.findSlot.get(collection, id) as number | undefined;
    if (slot === undefined) {
      slot = this.#freeSlot();
      this.#statements.putSlot.run(collection, id, slot);
      this.#added++;
    }
    this.#draftOf(slot).put(slot % SEGMENT_ROWS, vector, { chunkId, docId });
    this.#statements.putRow.run(slotKey(collection, slot), id, idBytes(chunkId), idBytes(docId), bytesOf(vector));
  }

  /** Removes the vector with an id, if there is one. */
  remove(embeddingId: EmbeddingId): void {
    const { collection } = this.#row;
    const slot = this.#statements.removeSlot.get(collection, idBytes(embeddingId)) as number | undefined;
    if (slot === undefined) return;
    this.#draftOf(slot).remove(slot % SEGMENT_ROWS);
    this.#statements.removeRow.run(slotKey(collection, slot));
    this.#added--;
  }

  /**
   * Writes the changed segments, as the next version of the collection. Returns the rows whose codes changed, by segment; null if nothing
   * has changed.
   */
  finish(): ReadonlyMap<number, readonly number[]> | null {
    if (this.#drafts.size === 0) return null;
    const changed = new Map<number, readonly number[]>();
    const { collection } = this.#row;
    const version = this.#row.version + 1;
    for (const [number, { parts, vectors, changedCodes, written }] of this.#drafts) {
      const segment = segmentKey(collection, number);
      const { live, scales, ids } = parts;
      const coded = changedCodes === undefined ? 0 : 1;
      this.#statements.putSegment.run({ segment, version, coded, vectors, live, scales: bytesOf(scales), ids });
      if (changedCodes === undefined) continue;
      this.#statements.putCodes.run(segment, bytesOf(changedCodes));
      changed.set(number, written);
    }
    this.#statements.touch.run(version, this.#added, collection);
    return changed;
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
    const first = segmentKey(this.#row.collection, 0);
    const end = segmentKey(this.#row.collection + 1, 0);
    const last = this.#statements.lastSegment.get(first, end) as number | null;
    this.#segments = last === null ? 0 : last - first + 1;
    const open = this.#statements.openSegments.all(first, end) as readonly number[];
    return open.map((key) => key - first).toReversed();
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
    const found = this.#statements.segment.get(segment) as readonly [Buffer, Buffer, Buffer] | undefined;
    if (found === undefined)
      throw damaged(this.#file, { table: 'vector_segments', cause: `segment ${number} is missing` });
    const [live, scales, ids] = found;
    return new SegmentDraft({ live, scales: floatsOf(scales), ids }, stride, () => {
      const codes = this.#statements.codes.get(segment) as Buffer | undefined;
      if (codes?.length !== SEGMENT_ROWS * stride)
        throw damaged(this.#file, { table: 'vector_codes', cause: `segment ${number} is missing or malformed` });
      return new Int8Array(codes.buffer, codes.byteOffset, codes.length);
    });
  }
}
