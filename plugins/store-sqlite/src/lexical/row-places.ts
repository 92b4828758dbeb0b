import type { ChunkId } from '@kebab/core';
import { compareCodePoints } from '@kebab/core/store';
import type { Database as Connection } from 'better-sqlite3';
import { build, inList, statement, type Placeholder } from '../database/statements.ts';
import type { ScoredRow } from './scoreboard.ts';

/** The chunk of a row of the full-text index, with its location. */
interface RowPlace {
  readonly chunkId: ChunkId;
  readonly docPath: string;
  readonly ordinal: number;
  readonly sourceId: string;
}

/** The maximum number of cached places, some 300 bytes each. */
const MAX_KEPT = 16_384;

/**
 * Looks up the places of rows, and orders rows of equal score by document path, ordinal and source. Places are cached until
 * {@link RowPlaces.clear}, because searches on one subject find the same rows repeatedly.
 */
export class RowPlaces {
  readonly #places: ReturnType<typeof placesOf>;
  readonly #known = new Map<number, RowPlace>();

  constructor(db: Connection) {
    this.#places = placesOf(db);
  }

  /** The first `limit` rows of a ranking, with ties resolved; `rows` must be ordered best first. */
  first(rows: readonly ScoredRow[], limit: number): readonly ScoredRow[] {
    const isTied = ({ score }: ScoredRow, at: number): boolean =>
      score === rows[at - 1]?.score || score === rows[at + 1]?.score;
    if (!rows.some(isTied)) return rows.slice(0, limit);
    // Includes the rows that the caller looks up next, which are mostly the same.
    const places = this.of(rows.filter((row, at) => at < limit || isTied(row, at)).map(({ row }) => row));
    return rows
      .toSorted((a, b) => b.score - a.score || compareRowPlaces(places.get(a.row), places.get(b.row)))
      .slice(0, limit);
  }

  /** The places of rows, without those that are gone. Read in one query, because one query per row would cost as much as the ranking. */
  of(rows: readonly number[]): ReadonlyMap<number, RowPlace> {
    const found = new Map<number, RowPlace>();
    const unknown = rows.filter((row) => {
      const place = this.#known.get(row);
      if (place !== undefined) found.set(row, place);
      return place === undefined;
    });
    if (unknown.length === 0) return found;
    if (this.#known.size + unknown.length > MAX_KEPT) this.#known.clear();
    for (const { row, chunkId, docPath, ordinal, sourceId } of this.#places.all({ rows: JSON.stringify(unknown) })) {
      const place = { chunkId: chunkId as ChunkId, docPath, ordinal, sourceId };
      found.set(row, place);
      if (this.#known.size < MAX_KEPT) this.#known.set(row, place);
    }
    return found;
  }

  /** Empties the cache; must be called when the corpus has changed. */
  clear(): void {
    this.#known.clear();
  }
}

function placesOf(db: Connection) {
  return statement(db, (value: Placeholder<{ readonly rows: string }>) =>
    build
      .selectFrom('chunks as c')
      .innerJoin('documents as d', 'd.seq', 'c.doc_seq')
      .select([
        'c.seq as row',
        'c.chunk_id as chunkId',
        'd.workspace_path as docPath',
        'c.ordinal',
        'd.source_id as sourceId',
      ])
      .where('c.seq', 'in', inList<number>(value('rows'))),
  );
}

const NOWHERE: RowPlace = { chunkId: '' as ChunkId, docPath: '', ordinal: 0, sourceId: '' };

function compareRowPlaces(a: RowPlace = NOWHERE, b: RowPlace = NOWHERE): number {
  return compareCodePoints(a.docPath, b.docPath) || a.ordinal - b.ordinal || compareCodePoints(a.sourceId, b.sourceId);
}
