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
  /** The function words among the units. */
  readonly grammar: ReadonlySet<string>;
  /** The rows of source code, in an index that has some. */
  readonly code?: RowSet | undefined;
}

/** In an index with at most this many rows every unit counts, because units there easily match half of the rows. */
const SMALL_INDEX = 2000;
/** The factor for common units in rows that no other unit matches; too small to exceed any score of other units. */
const COMMON_FACTOR = 1e-6;
/** More units than this do not improve a ranking; the rarest are kept. */
const MAX_UNITS = 128;
/** A unit adds `w · f·(k1 + 1) / (f + …)` to a row, which is less than `w · (k1 + 1)`; FTS5's k1 is 1.2. */
const MAX_FACTOR = 2.2;
/** FTS5 uses this weight if its formula yields a negative one. */
const MIN_FTS5_IDF = 1e-6;
/**
 * The factor for function words in source code. Rarity is a measure of importance in prose, where `which` and `whether` are common. In code
 * they are rarer than most names, but occur only in messages and templates.
 */
const GRAMMAR_IN_CODE = 0.25;
/** The factor for words side by side in source code, where names are composed and separated in many ways. */
const NEIGHBOURS_IN_CODE = 0.35;

/**
 * Ranks rows by the weighted sum of the scores of each unit. Returns the best `limit` rows and all that tie with the last of them, best
 * first, ties by row. Rows, order and scores depend neither on `limit` nor on what is cached.
 *
 * The score of a unit is FTS5's BM25 for it. That is next to nothing for a unit that matches half of the rows, so such units are left out
 * unless the index is small. Rows that match only such units come after all others, and only if the others are fewer than `limit`. A query
 * of only such units ranks by them, with weights that distinguish them.
 */
export function rankRows(source: PostingSource, task: RankingTask): readonly ScoredRow[] {
  const { limit, admitted, grammar, code } = task;
  const { rowCount } = source;
  const board = new Scoreboard(source.maxRow);
  const units = unitsByFrequency(source, task.units);
  const isCommon = ({ frequency }: CountedUnit): boolean => rowCount > SMALL_INDEX && frequency >= rowCount / 2;
  const rare = units.filter((unit) => !isCommon(unit));
  const isSmoothed = rare.length === 0 || rowCount <= SMALL_INDEX;
  const weigh = ({ unit, frequency, weight, isNeighbours }: CountedUnit): WeighedUnit => {
    const idf = fts5Idf(frequency, rowCount);
    const factor = weight * (isSmoothed ? smoothedIdf(frequency, rowCount) / idf : 1);
    const downweighting = (): Downweighting | undefined => {
      if (code === undefined) return undefined;
      if (isNeighbours) return { code, inCode: NEIGHBOURS_IN_CODE, elsewhere: 1 };
      if (!grammar.has(unit)) return undefined;
      return { code, inCode: GRAMMAR_IN_CODE, elsewhere: rarityInProse(frequency, rowCount, code) };
    };
    return { unit, frequency, factor, bound: MAX_FACTOR * factor * idf, downweighting: downweighting() };
  };
  if (rare.length === 0) return rankUnits(source, { units: units.map(weigh), limit, admitted, board });
  const ranked = rankUnits(source, { units: rare.map(weigh), limit, admitted, board });
  if (ranked.length >= limit || rare.length === units.length) return ranked;
  const others = allBut(ranked, admitted, source.maxRow);
  const common = units.filter(isCommon).map((unit) => ({ ...weigh(unit), factor: COMMON_FACTOR }));
  return [...ranked, ...rankUnits(source, { units: common, limit: limit - ranked.length, admitted: others, board })];
}

/**
 * The rarity of a function word in prose relative to its rarity in the index, 0 to 1, because beside much code `who` and `did` look as rare
 * as the subject of a question. How many of its rows are prose is not counted, because that would require all its postings; assuming that
 * all are is right for most function words, and ranks the others lower.
 */
function rarityInProse(frequency: number, rowCount: number, code: RowSet): number {
  const prose = Math.max(0, rowCount - code.size);
  return Math.min(1, smoothedIdf(Math.min(frequency, prose), prose) / smoothedIdf(frequency, rowCount));
}

interface CountedUnit {
  readonly unit: string;
  readonly frequency: number;
  readonly weight: number;
  readonly isNeighbours: boolean;
}

/** The units that occur, rarest first. Scores are always summed in this order, so that equal rows get equal sums. */
function unitsByFrequency(source: PostingSource, units: readonly RankingUnit[]): readonly CountedUnit[] {
  return units
    .map(({ expression, weight, isNeighbours = false }) => ({
      unit: expression,
      frequency: source.frequency(expression),
      weight,
      isNeighbours,
    }))
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

/** The weight that FTS5's `bm25()` derives from the number of rows that match a unit, and that its scores include. */
export function fts5Idf(frequency: number, rowCount: number): number {
  return Math.max(Math.log(oddsAgainst(frequency, rowCount)), 0) || MIN_FTS5_IDF;
}

/** A weight that distinguishes units even if most rows match them: `ln(1 + (N − df + 0.5) / (df + 0.5))`. */
export function smoothedIdf(frequency: number, rowCount: number): number {
  return Math.log(1 + oddsAgainst(frequency, rowCount));
}

function oddsAgainst(frequency: number, rowCount: number): number {
  return (rowCount - frequency + 0.5) / (frequency + 0.5);
}
