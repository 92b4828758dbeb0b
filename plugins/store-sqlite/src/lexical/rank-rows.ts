import type { RankingUnit } from './match-expressions.ts';
import type { PostingSource } from './postings.ts';
import { rankUnits, type WeighedUnit } from './rank-units.ts';
import { RowSet } from './row-set.ts';
import type { Scoreboard, ScoredRow } from './scoreboard.ts';
import { fts5Weight, gentleWeight } from './unit-weight.ts';

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
 * others are fewer than `limit`. A query of nothing but such units ranks by them, with weights that tell them apart.
 */
export function rankRows(source: PostingSource, task: RankingTask): readonly ScoredRow[] {
  const { limit, admitted, board } = task;
  const found = findUnits(source, task.units);
  const isCommon = (unit: FoundUnit): boolean => source.rowCount > SMALL_INDEX && unit.frequency >= source.rowCount / 2;
  const telling = found.filter((unit) => !isCommon(unit));
  const isGentle = telling.length === 0 || source.rowCount <= SMALL_INDEX;
  const weigh = ({ unit, frequency, weight: own }: FoundUnit): WeighedUnit => {
    const given = fts5Weight(frequency, source.countedRows);
    const wanted = isGentle ? gentleWeight(frequency, source.rowCount) : fts5Weight(frequency, source.rowCount);
    const factor = own * (wanted / given);
    return { unit, frequency, factor, bound: MAX_FACTOR * factor * given };
  };
  if (telling.length === 0) return rankUnits(source, { units: found.map(weigh), limit, admitted, board });
  const ranked = rankUnits(source, { units: telling.map(weigh), limit, admitted, board });
  if (ranked.length >= limit || telling.length === found.length) return ranked;
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
