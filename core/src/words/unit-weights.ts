import type { RankingUnit } from './ranking-units.ts';

/** In an index with at most this many chunks every unit counts, because units there easily match half of them. */
const SMALL_INDEX = 2000;
/** More units than this do not improve a ranking; the rarest are kept. */
const MAX_UNITS = 128;
/** The factor for common units in chunks that no other unit matches; too small to exceed any score of other units. */
export const COMMON_FACTOR = 1e-6;
/** FTS5 uses this weight if its formula yields a negative one. */
const MIN_FTS5_IDF = 1e-6;
/**
 * The factor for function words in source code. Rarity is a measure of importance in prose, where `which` and `whether` are common. In code
 * they are rarer than most names, but occur only in messages and templates.
 */
const GRAMMAR_IN_CODE = 0.25;
/** Fewer passages do not tell a function word by its frequency: there `over` may be as rare as what a question is about. */
const ENOUGH_FOR_GRAMMAR = 250;
/** In prose, a function word has at most the weight of a word in a thirtieth of the chunks: it is as rare as its language, where others are written too. */
const MAX_GRAMMAR_IDF = Math.log(30);
/** The factor for words side by side in source code, where names are composed and separated in many ways. */
const NEIGHBOURS_IN_CODE = 0.35;

/** The numbers of chunks of an index: all, and those of source code. */
export interface CorpusSize {
  readonly chunks: number;
  readonly code: number;
}

/** A unit with the number of chunks that match it. */
export interface UnitCount extends Pick<RankingUnit, 'weight' | 'isNeighbours' | 'isGrammar'> {
  readonly frequency: number;
}

/** What the term-frequency part of a unit's BM25 is multiplied by, besides its own weight. */
export interface UnitWeight {
  /** Its rarity. */
  readonly idf: number;
  /** Further factors, in source code and in all other chunks. */
  readonly inCode: number;
  readonly elsewhere: number;
}

/** Units by the part they have in a ranking. */
export interface UnitsByRarity<T> {
  /** Those that rank, rarest first. */
  readonly rare: readonly T[];
  /** Those that match half of the chunks or more: they only rank chunks that no other unit matches. */
  readonly common: readonly T[];
  /** Whether rarity is smoothed, so that units that most chunks match are told apart. */
  readonly isSmoothed: boolean;
}

/**
 * Divides the units that occur. BM25 gives next to nothing for a unit that half of the chunks match, so such units are left out unless the
 * index is small, or the query has no others.
 */
export function unitsByRarity<T extends { readonly frequency: number }>(
  units: readonly T[],
  { chunks }: Pick<CorpusSize, 'chunks'>,
): UnitsByRarity<T> {
  const counted = units
    .filter(({ frequency }) => frequency > 0)
    .toSorted((a, b) => a.frequency - b.frequency)
    .slice(0, MAX_UNITS);
  const isCommon = ({ frequency }: T): boolean => chunks > SMALL_INDEX && frequency >= chunks / 2;
  const rare = counted.filter((unit) => !isCommon(unit));
  if (rare.length === 0) return { rare: counted, common: [], isSmoothed: true };
  return { rare, common: counted.filter(isCommon), isSmoothed: chunks <= SMALL_INDEX };
}

/** The weight of a unit in an index. */
export function weighUnit(unit: UnitCount, size: CorpusSize, isSmoothed: boolean): UnitWeight {
  const { frequency, isGrammar = false } = unit;
  const rarity = isSmoothed ? smoothedIdf(frequency, size.chunks) : fts5Idf(frequency, size.chunks);
  const idf = isGrammar ? rarity * Math.min(1, size.chunks / ENOUGH_FOR_GRAMMAR) : rarity;
  const inProse = isGrammar ? Math.min(1, MAX_GRAMMAR_IDF / idf) : 1;
  if (size.code === 0) return { idf: idf * inProse, inCode: 1, elsewhere: 1 };
  const { inCode, elsewhere } = factorsOf(unit, size);
  return { idf, inCode, elsewhere: Math.min(elsewhere, inProse) };
}

function factorsOf(
  { frequency, isNeighbours = false, isGrammar = false }: UnitCount,
  size: CorpusSize,
): Pick<UnitWeight, 'inCode' | 'elsewhere'> {
  if (isNeighbours) return { inCode: NEIGHBOURS_IN_CODE, elsewhere: 1 };
  return isGrammar
    ? { inCode: GRAMMAR_IN_CODE, elsewhere: rarityInProse(frequency, size) }
    : { inCode: 1, elsewhere: 1 };
}

/**
 * The rarity of a function word in prose relative to its rarity in the index, 0 to 1, because beside much code `who` and `did` look as rare
 * as the subject of a question. How many of its chunks are prose is not counted, because that would require all its postings; assuming that
 * all are is right for most function words, and ranks the others lower.
 */
function rarityInProse(frequency: number, { chunks, code }: CorpusSize): number {
  const prose = Math.max(0, chunks - code);
  return Math.min(1, smoothedIdf(Math.min(frequency, prose), prose) / smoothedIdf(frequency, chunks));
}

/** The weight that FTS5's `bm25()` derives from the number of chunks that match a unit, and that its scores include. */
export function fts5Idf(frequency: number, chunks: number): number {
  return Math.max(Math.log(oddsAgainst(frequency, chunks)), 0) || MIN_FTS5_IDF;
}

/** A weight that distinguishes units even if most chunks match them: `ln(1 + (N − df + 0.5) / (df + 0.5))`. */
export function smoothedIdf(frequency: number, chunks: number): number {
  return Math.log(1 + oddsAgainst(frequency, chunks));
}

function oddsAgainst(frequency: number, chunks: number): number {
  return (chunks - frequency + 0.5) / (frequency + 0.5);
}
