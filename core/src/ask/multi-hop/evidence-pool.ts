import type { Evidence } from '../retrieval/evidence.ts';

/** The passages that several searches found: each once, with the best relevance any of them gave it, up to a limit. */
export class EvidencePool {
  readonly #capacity: number;
  readonly #passages = new Map<string, Evidence>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get isFull(): boolean {
    return this.#passages.size >= this.#capacity;
  }

  /** Most relevant first; of equal ones the first found. */
  get ordered(): readonly Evidence[] {
    return [...this.#passages.values()].toSorted((a, b) => b.score - a.score);
  }

  /** Adds passages in order while there is room; returns how many were new. */
  add(evidence: readonly Evidence[]): number {
    let added = 0;
    for (const passage of evidence) {
      const known = this.#passages.get(passage.key);
      if (known !== undefined) {
        if (passage.score > known.score) this.#passages.set(passage.key, { ...known, score: passage.score });
      } else if (!this.isFull) {
        this.#passages.set(passage.key, passage);
        added++;
      }
    }
    return added;
  }
}
