import { LRU } from 'tiny-lru';
import type { Ranking } from './rank-chunks.ts';

/**
 * Caches the rankings of the last few searches of a process, evicting the least recently used. A ranking contains nothing that can change
 * without a new corpus revision, such as freshness.
 */
export class RankingCache {
  readonly #rankings: LRU<Ranking>;

  constructor(capacity = 64) {
    this.#rankings = new LRU(capacity);
  }

  /** The cached ranking for a key, if it covers the first `needed` entries. */
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
  /** Whether the list continues after the page. */
  readonly hasMore: boolean;
}

/** How many entries of a list are needed to cut the page of `k` entries after `offset`, and to know whether more follow. */
export function neededFor(offset: number, k: number): number {
  return offset + k + 1;
}

/** Cuts the page of `k` entries after `offset` from at least the first {@link neededFor} entries of the list. */
export function pageOf<T>(list: readonly T[], offset: number, k: number): Page<T> {
  return { items: list.slice(offset, offset + k), hasMore: list.length > offset + k };
}
