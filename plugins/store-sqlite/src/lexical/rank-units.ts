import type { PostingSource, Postings } from './postings.ts';
import { RowSet } from './row-set.ts';
import type { Scoreboard, ScoredRow } from './scoreboard.ts';

/** A unit of a query that occurs in the index. */
export interface WeighedUnit {
  readonly unit: string;
  /** How many rows match it. */
  readonly frequency: number;
  /** Its scores are multiplied by this. */
  readonly factor: number;
  /** More than it can add to any row. */
  readonly bound: number;
}

/** What is to be ranked: units from the rarest to the most common. */
export interface UnitTask {
  readonly units: readonly WeighedUnit[];
  readonly limit: number;
  readonly admitted?: RowSet | undefined;
  readonly board: Scoreboard;
}

/** Below this a unit's postings cost less than deciding whether to fetch them. */
const MIN_FREQUENCY_TO_PRUNE = 500;
/** Up to so many admitted rows, each unit is asked about these alone. */
const MAX_ROWS_TO_ASK_ABOUT = 2000;
/** At first the list is closed when the units still to come can add no more than this share of what all can. */
const CLOSING_SHARE = 0.3;
/** Absorbs the rounding of sums of bounds. */
const ROUNDING = 1e-9;

/**
 * Ranks rows by the sum of their scores, exactly, without fetching all postings of common units.
 *
 * Units are taken from the rarest to the most common. At some point the list of rows is closed: from then on only rows
 * that have a score can win, and of these only the candidates, whose score plus the bounds of all units still to come
 * reaches the `limit`-th best score so far. Common units are then asked about the candidates only.
 *
 * Why nothing is lost: sums only grow, so the `limit`-th best score so far never exceeds the final one. A row dropped from
 * the candidates was below it even with all bounds added. A row without a score when the list was closed can at most reach
 * the bounds of the units that came after. Whether that is below the final `limit`-th best score is checked in the end. If
 * it is not, all is done again, closing where the bounds still to come are below the score found: `limit` rows reach that
 * score, so the true `limit`-th best is no lower, and no row can be missed.
 */
export function rankUnits(source: PostingSource, task: UnitTask): readonly ScoredRow[] {
  const [only] = task.units;
  if (only !== undefined && task.units.length === 1 && task.admitted === undefined && !source.isWarm(only.unit)) {
    task.board.clear();
    task.board.add(source.best(only.unit, task.limit), only.factor);
    return bestOf(task);
  }
  const total = task.units.reduce((sum, { bound }) => sum + bound, 0);
  const first = new Ranking(source, task, total).run(CLOSING_SHARE * total);
  if (first.missed >= first.least) new Ranking(source, task, total).run(first.least);
  return bestOf(task);
}

/** The best `limit` rows of the board and all that score like the last of them, best first. */
function bestOf({ board, limit }: UnitTask): readonly ScoredRow[] {
  return board.rowsFrom(board.scoreAt(limit)).toSorted((a, b) => b.score - a.score || a.row - b.row);
}

class Ranking {
  readonly #source: PostingSource;
  readonly #task: UnitTask;
  #rest: number;
  #candidates: RowSet | undefined;
  #missed = -1;

  constructor(source: PostingSource, task: UnitTask, total: number) {
    this.#source = source;
    this.#task = task;
    this.#rest = total;
    const { admitted } = task;
    if (admitted !== undefined && admitted.size <= MAX_ROWS_TO_ASK_ABOUT) this.#candidates = admitted;
    task.board.clear();
  }

  /** More than any row can have that was left out of the list; negative when none was. */
  get missed(): number {
    return this.#missed;
  }

  /** The `limit`-th best score; 0 when there are fewer rows. */
  get least(): number {
    return this.#task.board.scoreAt(this.#task.limit);
  }

  /** Takes all units, closing the list before a common one when those still to come can add less than `closeBelow`. */
  run(closeBelow: number): this {
    for (const unit of this.#task.units) {
      if (this.#candidates === undefined && this.#rest + ROUNDING < closeBelow && this.#isCostly(unit)) {
        this.#missed = this.#rest + ROUNDING;
        this.#prune();
      }
      this.#take(unit);
      this.#rest -= unit.bound;
      if (this.#missed >= 0) this.#prune();
    }
    return this;
  }

  #take(unit: WeighedUnit): void {
    const { board, admitted } = this.#task;
    if (this.#candidates === undefined) board.add(this.#source.postings(unit.unit), unit.factor, admitted);
    else board.add(this.#postingsAmong(unit, this.#candidates), unit.factor, this.#candidates);
  }

  #isCostly({ unit, frequency }: WeighedUnit): boolean {
    return frequency >= MIN_FREQUENCY_TO_PRUNE && !this.#source.isWarm(unit);
  }

  #postingsAmong(unit: WeighedUnit, candidates: RowSet): Postings {
    return !this.#isCostly(unit) || candidates.size * 2 > unit.frequency
      ? this.#source.postings(unit.unit)
      : this.#source.postingsAmong(unit.unit, candidates.rows());
  }

  #prune(): void {
    const { board, limit } = this.#task;
    const least = board.scoreAt(limit) - this.#rest - ROUNDING;
    this.#candidates = new RowSet(
      this.#source.maxRow,
      board.rowsFrom(least).map(({ row }) => row),
    );
  }
}
