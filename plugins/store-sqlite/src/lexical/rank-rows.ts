import type { RankingUnit } from './match-expressions.ts';
import { MIN_FTS5_WEIGHT, type PostingSource, type Postings } from './posting-lists.ts';
import { RowSet, type Scoreboard, type ScoredRow } from './scoreboard.ts';

/** What is to be ranked. */
export interface RankingTask {
  readonly units: readonly RankingUnit[];
  /** How many rows are wanted at least, if there are as many. */
  readonly limit: number;
  /** Only these rows; default all. */
  readonly admitted?: RowSet | undefined;
  /** Where scores are summed; its size is that of the index. */
  readonly board: Scoreboard;
}

/** In an index of at most so many rows every unit counts, because there half of the rows are soon matched. */
const SMALL_INDEX = 2000;
/** What common units count where others have ranked before: less than anything those could have added. */
const AFTERTHOUGHT = 1e-6;
/** More units than this do not make a query clearer; the rarest are kept. */
const MAX_UNITS = 128;
/** A unit adds `w · f·(k1 + 1) / (f + …)` to a row, which stays under `w · (k1 + 1)`; FTS5's k1 is 1.2. */
const MAX_FACTOR = 2.2;

/**
 * Ranks rows by the weighed sum of what each unit adds: the best `limit` rows and all that score like the last of them, best
 * first, equals by row. Rows, order and scores depend neither on `limit` nor on what is cached.
 *
 * What a unit adds is FTS5's BM25 for it. That is as good as nothing for a unit which half of the rows match, so in an
 * index that is not small such units are left out. Rows that match nothing else come after all others, and only when the
 * others are fewer than `limit`. A query of nothing but such units ranks by them, with weights that distinguish them.
 */
export function rankRows(source: PostingSource, task: RankingTask): readonly ScoredRow[] {
  const { limit, admitted, board } = task;
  const found = findUnits(source, task.units);
  const isCommon = (unit: FoundUnit): boolean => source.rowCount > SMALL_INDEX && unit.frequency >= source.rowCount / 2;
  const rare = found.filter((unit) => !isCommon(unit));
  const isGentle = rare.length === 0 || source.rowCount <= SMALL_INDEX;
  const weigh = ({ unit, frequency, weight: own }: FoundUnit): WeighedUnit => {
    const given = fts5Weight(frequency, source.rowCount);
    const factor = own * (isGentle ? gentleWeight(frequency, source.rowCount) / given : 1);
    return { unit, frequency, factor, bound: MAX_FACTOR * factor * given };
  };
  if (rare.length === 0) return rankUnits(source, { units: found.map(weigh), limit, admitted, board });
  const ranked = rankUnits(source, { units: rare.map(weigh), limit, admitted, board });
  if (ranked.length >= limit || rare.length === found.length) return ranked;
  const others = allBut(ranked, admitted, source.maxRow);
  const common = found.filter(isCommon).map((unit) => ({ ...weigh(unit), factor: AFTERTHOUGHT }));
  return [...ranked, ...rankUnits(source, { units: common, limit: limit - ranked.length, admitted: others, board })];
}

interface FoundUnit {
  readonly unit: string;
  readonly frequency: number;
  readonly weight: number;
}

/** Units that occur, rarest first. Scores are summed in this order, always, so that equal rows get equal sums. */
function findUnits(source: PostingSource, units: readonly RankingUnit[]): readonly FoundUnit[] {
  return units
    .map(({ expression, weight }) => ({ unit: expression, frequency: source.frequency(expression), weight }))
    .filter(({ frequency }) => frequency > 0)
    .toSorted((a, b) => a.frequency - b.frequency)
    .slice(0, MAX_UNITS);
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
  /** How many rows match it. */
  readonly frequency: number;
  /** Its scores are multiplied by this. */
  readonly factor: number;
  /** More than it can add to any row. */
  readonly bound: number;
}

/** What is to be ranked: units from the rarest to the most common. */
interface UnitTask {
  readonly units: readonly WeighedUnit[];
  readonly limit: number;
  readonly admitted?: RowSet | undefined;
  readonly board: Scoreboard;
}

/** Below this a unit's postings cost less than deciding whether to fetch them. */
const MIN_FREQUENCY_TO_PRUNE = 500;
/** Up to so many admitted rows, each unit is asked about these alone. */
const MAX_ROWS_TO_ASK_ABOUT = 2000;
/** Where a unit is fetched for little, the list is closed before one of so many rows, and so many times as many as have a score: closing goes over all these. */
const MIN_CHEAP_TO_PRUNE = 2000;
const TIMES_LONGER = 4;
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
function rankUnits(source: PostingSource, task: UnitTask): readonly ScoredRow[] {
  const [only] = task.units;
  if (only !== undefined && task.units.length === 1 && task.admitted === undefined && !source.isCheap(only.unit)) {
    task.board.clear();
    task.board.add(source.best(only.unit, task.limit), only.factor);
    return takeBest(task);
  }
  const total = task.units.reduce((sum, { bound }) => sum + bound, 0);
  const first = new Ranking(source, task, total).run(CLOSING_SHARE * total);
  if (first.missed >= 0 && first.missed >= first.least) new Ranking(source, task, total).run(first.least);
  return takeBest(task);
}

/** The best `limit` rows of the board and all that score like the last of them, best first. */
function takeBest({ board, limit }: UnitTask): readonly ScoredRow[] {
  return board.takeBest(limit).toSorted((a, b) => b.score - a.score || a.row - b.row);
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
    if (this.#candidates === undefined) board.add(this.#source.postings(unit.unit), unit.factor, admitted);
    else board.add(this.#postingsAmong(unit, this.#candidates), unit.factor, this.#candidates);
  }

  /** Where a unit is fetched for little, only when it is certain that nothing will be missed: to do all again would cost more. */
  #canClose({ unit, frequency }: WeighedUnit, closeBelow: number): boolean {
    if (frequency < MIN_FREQUENCY_TO_PRUNE || this.#source.isWarm(unit)) return false;
    if (!this.#source.isCheap(unit)) return this.#rest + ROUNDING < closeBelow;
    const isLong = frequency >= Math.max(MIN_CHEAP_TO_PRUNE, TIMES_LONGER * this.#task.board.size);
    return this.#source.isCold && isLong && this.#rest + ROUNDING < this.least;
  }

  #postingsAmong(unit: WeighedUnit, candidates: RowSet): Postings {
    const isLong = unit.frequency >= MIN_FREQUENCY_TO_PRUNE && unit.frequency >= candidates.size * 2;
    return isLong && !this.#source.isWarm(unit.unit)
      ? this.#source.postingsAmong(unit.unit, candidates.rows())
      : this.#source.postings(unit.unit);
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

/** The weight that FTS5's `bm25()` gives a unit by how many of the rows match it, and has built into its scores. */
export function fts5Weight(frequency: number, rowCount: number): number {
  return Math.max(Math.log(oddsAgainst(frequency, rowCount)), 0) || MIN_FTS5_WEIGHT;
}

/** A weight that distinguishes units even where most rows match them: `ln(1 + (N − df + 0.5) / (df + 0.5))`. */
export function gentleWeight(frequency: number, rowCount: number): number {
  return Math.log(1 + oddsAgainst(frequency, rowCount));
}

function oddsAgainst(frequency: number, rowCount: number): number {
  return (rowCount - frequency + 0.5) / (frequency + 0.5);
}
