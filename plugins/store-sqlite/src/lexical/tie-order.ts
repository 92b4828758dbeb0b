import type { Statements } from '../database/statements.ts';
import type { ScoredRow } from './scoreboard.ts';

const PLACES = `SELECT c.seq FROM chunks c JOIN documents d ON d.seq = c.doc_seq
                WHERE c.seq IN (SELECT value FROM json_each(?)) ORDER BY d.workspace_path, c.ordinal, d.source_id`;

/** Puts rows of equal score in order of document path, ordinal and source. */
export class TieOrder {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** The first `limit` of rows that come best first. */
  first(rows: readonly ScoredRow[], limit: number): readonly ScoredRow[] {
    const tied = rows.filter(({ score }, i) => score === rows[i - 1]?.score || score === rows[i + 1]?.score);
    if (tied.length === 0) return rows.slice(0, limit);
    const rowsJson = JSON.stringify(tied.map(({ row }) => row));
    const order = this.#statements.firstColumnOf(PLACES).all(rowsJson) as readonly number[];
    const places = new Map(order.map((row, place) => [row, place]));
    const placeOf = ({ row }: ScoredRow): number => places.get(row) ?? 0;
    return rows.toSorted((a, b) => b.score - a.score || placeOf(a) - placeOf(b)).slice(0, limit);
  }
}
