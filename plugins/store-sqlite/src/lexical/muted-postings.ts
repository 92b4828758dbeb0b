import type { PostingSource, Postings } from './posting-lists.ts';
import type { RowSet } from './scoreboard.ts';

/**
 * What a word of grammar counts in source code. How rare a word is tells what it is worth among sentences, where `which` and
 * `whether` are common. In code they are rarer than most names, and what holds them is a message or a template.
 */
const SHARE_IN_CODE = 0.25;

const muted = new WeakMap<Postings, Postings>();

/** The postings of another source, in which some units add less to the rows of source code. */
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

  isWarm(unit: string): boolean {
    return this.#source.isWarm(unit);
  }

  isCheap(unit: string): boolean {
    return this.#source.isCheap(unit);
  }

  postings(unit: string): Postings {
    const list = this.#source.postings(unit);
    if (!this.#units.has(unit)) return list;
    let known = muted.get(list);
    if (known === undefined) muted.set(list, (known = this.#mute(list)));
    return known;
  }

  postingsAmong(unit: string, rows: readonly number[]): Postings {
    const list = this.#source.postingsAmong(unit, rows);
    return this.#units.has(unit) ? this.#mute(list) : list;
  }

  /** Of a unit that is muted, all: the best of the source need not be the best here. */
  best(unit: string, limit: number): Postings {
    return this.#units.has(unit) ? this.postings(unit) : this.#source.best(unit, limit);
  }

  #mute({ rows, scores }: Postings): Postings {
    return {
      rows,
      scores: scores.map((score, at) => (this.#code.has(rows[at] as number) ? score * SHARE_IN_CODE : score)),
    };
  }
}
