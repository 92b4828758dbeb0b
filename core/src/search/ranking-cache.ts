import type { Ranking } from './rank-chunks.ts';

/**
 * Remembers the rankings of the last few searches of a process, the least recently used forgotten first. What changes
 * without a new corpus revision, freshness above all, is never in a ranking.
 */
export class RankingCache {
  readonly #capacity: number;
  readonly #rankings = new Map<string, Ranking>();

  constructor(capacity = 64) {
    this.#capacity = capacity;
  }

  /** The ranking kept under a key, when it answers for the first `needed` entries. */
  get(key: string, needed: number): Ranking | undefined {
    const known = this.#rankings.get(key);
    if (known === undefined || (!known.complete && known.entries.length < needed)) return undefined;
    this.#rankings.delete(key);
    this.#rankings.set(key, known);
    return known;
  }

  set(key: string, ranking: Ranking): void {
    this.#rankings.delete(key);
    this.#rankings.set(key, ranking);
    if (this.#rankings.size <= this.#capacity) return;
    const oldest = this.#rankings.keys().next();
    if (oldest.done !== true) this.#rankings.delete(oldest.value);
  }
}
