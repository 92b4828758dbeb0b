import { LRU } from 'tiny-lru';
import type { Ranking } from './rank-chunks.ts';

/**
 * Remembers the rankings of the last few searches of a process, the least recently used forgotten first. What changes
 * without a new corpus revision, freshness above all, is never in a ranking.
 */
export class RankingCache {
  readonly #rankings: LRU<Ranking>;

  constructor(capacity = 64) {
    this.#rankings = new LRU(capacity);
  }

  /** The ranking kept under a key, when it answers for the first `needed` entries. */
  get(key: string, needed: number): Ranking | undefined {
    const known = this.#rankings.get(key);
    return known !== undefined && (known.complete || known.entries.length >= needed) ? known : undefined;
  }

  set(key: string, ranking: Ranking): void {
    this.#rankings.set(key, ranking);
  }
}

/** One page of a list. */
interface Page<T> {
  readonly items: readonly T[];
  /** Whether the list goes on behind the page. */
  readonly hasMore: boolean;
}

/** How many entries of a list must be known to cut the page of `k` entries behind `offset`, and to know what follows. */
export function neededFor(offset: number, k: number): number {
  return offset + k + 1;
}

/** The page of `k` entries behind `offset`, out of at least the first {@link neededFor} entries of the list. */
export function pageOf<T>(list: readonly T[], offset: number, k: number): Page<T> {
  return { items: list.slice(offset, offset + k), hasMore: list.length > offset + k };
}
