import type { Postings, PostingSource } from './posting-lists.ts';
import { gentleWeight } from './rank-rows.ts';
import type { RowSet } from './scoreboard.ts';

/**
 * The factor for function words in source code. Rarity is a measure of importance in prose, where `which` and `whether` are common. In code
 * they are rarer than most names, but occur only in messages and templates.
 */
const SHARE_IN_CODE = 0.25;

const muted = new WeakMap<Postings, Postings>();

/**
 * The postings of another source, with lower scores for some units: those of function words. In rows of source code they count a quarter;
 * in all other rows they count by their rarity in prose, since beside much code `who` and `did` look as rare as the subject of a question.
 */
export class MutedPostings implements PostingSource {
  readonly #source: PostingSource;
  readonly #units: ReadonlySet<string>;
  readonly #code: RowSet;

  constructor(source: PostingSource, units: ReadonlySet<string>, code: RowSet) {
    this.#source = source;
    this.#units = units;
    this.#code = code;
  }

  get rowCount(): number {
    return this.#source.rowCount;
  }

  get maxRow(): number {
    return this.#source.maxRow;
  }

  frequency(unit: string): number {
    return this.#source.frequency(unit);
  }

  isCached(unit: string): boolean {
    return this.#source.isCached(unit);
  }

  postings(unit: string): Postings {
    const list = this.#source.postings(unit);
    if (!this.#units.has(unit)) return list;
    let known = muted.get(list);
    if (known === undefined) muted.set(list, (known = this.#mute(list, this.#shareInProse(unit))));
    return known;
  }

  postingsAmong(unit: string, rows: readonly number[]): Postings {
    const list = this.#source.postingsAmong(unit, rows);
    return this.#units.has(unit) ? this.#mute(list, this.#shareInProse(unit)) : list;
  }

  /** For a muted unit all postings, because the best ones of the source need not be the best after muting. */
  best(unit: string, limit: number): Postings {
    return this.#units.has(unit) ? this.postings(unit) : this.#source.best(unit, limit);
  }

  /**
   * A unit's rarity in prose relative to its rarity in the index, 0 to 1. How many of its rows are prose is not counted, because that
   * would require all its postings; assuming that all are is right for most function words, and ranks the others lower.
   */
  #shareInProse(unit: string): number {
    const { rowCount } = this.#source;
    const prose = Math.max(0, rowCount - this.#code.size);
    const frequency = this.#source.frequency(unit);
    return Math.min(1, gentleWeight(Math.min(frequency, prose), prose) / gentleWeight(frequency, rowCount));
  }

  #mute({ rows, scores }: Postings, inProse: number): Postings {
    const share = (row: number): number => (this.#code.has(row) ? SHARE_IN_CODE : inProse);
    return { rows, scores: scores.map((score, at) => score * share(rows[at] as number)) };
  }
}
