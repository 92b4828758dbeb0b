import { COMMON_FACTOR, fts5Idf, unitsByRarity, weighUnit } from '@kebab/core/store';
import type { RankingUnit } from './match-expressions.ts';
import type { PostingSource, Postings } from './posting-lists.ts';
import { RowSet, Scoreboard, type Downweighting, type ScoredRow } from './scoreboard.ts';

/** The units, rows and limit of a ranking. */
export interface RankingTask {
  readonly units: readonly RankingUnit[];
  /** The minimum number of rows to return, if there are as many. */
  readonly limit: number;
  /** Ranks only these rows; all by default. */
  readonly admitted?: RowSet | undefined;
  /** The rows of source code, in an index that has some. */
  readonly code?: RowSet | undefined;
}

/** A unit adds `w · f·(k1 + 1) / (f + …)` to a row, which is less than `w · (k1 + 1)`; FTS5's k1 is 1.2. */
const MAX_FACTOR = 2.2;

/**
 * Ranks rows by the weighted sum of the scores of each unit. Returns the best `limit` rows and all that tie with the last of them, best
 * first, ties by row. Rows, order and scores depend neither on `limit` nor on what is cached.
 *
 * The score of a unit is FTS5's BM25 for it. That is next to nothing for a unit that matches half of the rows, so such units are left out
 * unless the index is small. Rows that match only such units come after all others, and only if the others are fewer than `limit`. A query
 * of only such units ranks by them, with weights that distinguish them.
 */
export function rankRows(source: PostingSource, task: RankingTask): readonly ScoredRow[] {
  const { limit, admitted, code } = task;
  const { rowCount } = source;
  const board = new Scoreboard(source.maxRow);
  const size = { chunks: rowCount, code: code?.size ?? 0 };
  const counted = task.units.map((unit) => ({ ...unit, frequency: source.frequency(unit.expression) }));
  const { rare, common, isSmoothed } = unitsByRarity(counted, size);
  const weigh = (unit: CountedUnit): WeighedUnit => {
    const { expression, frequency } = unit;
    const { idf, inCode, elsewhere } = weighUnit(unit, size, isSmoothed);
    const factor = unit.weight * (idf / fts5Idf(frequency, rowCount));
    const isPlain = code === undefined || (inCode === 1 && elsewhere === 1);
    return {
      unit: expression,
      frequency,
      factor,
      bound: MAX_FACTOR * unit.weight * idf,
      downweighting: isPlain ? undefined : { code, inCode, elsewhere },
    };
  };
  const ranked = rankUnits(source, { units: rare.map(weigh), limit, admitted, board });
  if (ranked.length >= limit || common.length === 0) return ranked;
  const others = allBut(ranked, admitted, source.maxRow);
  const last = common.map((unit) => ({ ...weigh(unit), factor: COMMON_FACTOR }));
  return [...ranked, ...rankUnits(source, { units: last, limit: limit - ranked.length, admitted: others, board })];
}

interface CountedUnit extends RankingUnit {
  readonly frequency: number;
}

function allBut(ranked: readonly ScoredRow[], admitted: RowSet | undefined, maxRow: number): RowSet {
  const rest = new RowSet(maxRow);
  if (admitted === undefined) rest.fill();
  else for (const row of admitted.rows()) rest.add(row);
  for (const { row } of ranked) rest.delete(row);
  return rest;
}

/** A unit of a query that occurs in the index. */
interface WeighedUnit {
  readonly unit: string;
  /** The number of rows that match it. */
  readonly frequency: number;
  /** Multiplier of its scores. */
  readonly factor: number;
  /** An upper bound of what it adds to any row. */
  readonly bound: number;
  /** For function words, and words side by side. */
  readonly downweighting: Downweighting | undefined;
}

/** A ranking by units, ordered from the rarest to the most common. */
interface UnitTask {
  readonly units: readonly WeighedUnit[];
  readonly limit: number;
  readonly admitted?: RowSet | undefined;
  readonly board: Scoreboard;
}

/** Fetching fewer postings than this costs less than deciding whether to fetch them. */
const MIN_FREQUENCY_TO_PRUNE = 500;
/** With at most this many admitted rows, only their postings are fetched from the start. */
const MAX_ROWS_TO_ASK_ABOUT = 2000;
/** In the first pass, the list is closed when the remaining units can add no more than this share of what all units can. */
const CLOSING_SHARE = 0.3;
/** Absorbs the rounding of sums of bounds. */
const ROUNDING = 1e-9;

/**
 * Ranks rows by the sum of their scores, exactly, without fetching all postings of common units.
 *
 * Units are processed from the rarest to the most common. At some point the list of rows is closed: from then on only rows that have a
 * score can win, and of these only the candidates, whose score plus the bounds of all remaining units reaches the `limit`-th best score so
 * far. Of common units only the postings in candidates are then fetched.
 *
 * Correctness: sums only grow, so the `limit`-th best score so far never exceeds the final one. A row dropped from the candidates was below
 * it even with all bounds added. A row without a score when the list was closed can at most reach the sum of the bounds of later units.
 * Whether that is below the final `limit`-th best score is checked at the end. If it is not, the ranking is repeated, closing the list when
 * the remaining bounds are below the score found: `limit` rows reach that score, so the true `limit`-th best is no lower, and no row can be
 * missed.
 */
function rankUnits(source: PostingSource, task: UnitTask): readonly ScoredRow[] {
  const { board, limit } = task;
  const total = task.units.reduce((sum, { bound }) => sum + bound, 0);
  const first = new Ranking(source, task, total).run(CLOSING_SHARE * total);
  if (first.missed >= 0 && first.missed >= first.threshold) new Ranking(source, task, total).run(first.threshold);
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

  /** An upper bound of the score of any row that was left out of the list; negative if none was. */
  get missed(): number {
    return this.#missed;
  }

  /** The `limit`-th best score; 0 if there are fewer rows. */
  get threshold(): number {
    return this.#task.board.scoreAt(this.#task.limit);
  }

  /** Processes all units, closing the list before a common one if the remaining units can add less than `closeBelow`. */
  run(closeBelow: number): this {
    for (const unit of this.#task.units) {
      if (this.#candidates === undefined && this.#canClose(unit, closeBelow)) {
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
    if (this.#candidates === undefined) board.add(this.#source.postings(unit.unit), unit, admitted);
    else board.add(this.#postingsAmong(unit, this.#candidates), unit, this.#candidates);
  }

  #canClose({ unit, frequency }: WeighedUnit, closeBelow: number): boolean {
    return frequency >= MIN_FREQUENCY_TO_PRUNE && !this.#source.isCached(unit) && this.#rest + ROUNDING < closeBelow;
  }

  #postingsAmong(unit: WeighedUnit, candidates: RowSet): Postings {
    const isLong = unit.frequency >= MIN_FREQUENCY_TO_PRUNE && unit.frequency >= candidates.size * 2;
    return isLong && !this.#source.isCached(unit.unit)
      ? this.#source.postingsAmong(unit.unit, candidates.rows())
      : this.#source.postings(unit.unit);
  }

  #prune(): void {
    const min = this.threshold - this.#rest - ROUNDING;
    this.#candidates = new RowSet(
      this.#source.maxRow,
      this.#task.board.rowsFrom(min).map(({ row }) => row),
    );
  }
}
