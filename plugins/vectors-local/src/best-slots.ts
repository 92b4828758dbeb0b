/**
 * Keeps the best of the slots it is offered: highest score first, equal scores by slot. A binary heap with the worst of the kept
 * ones at its root, in typed arrays, since a scan offers hundreds of thousands.
 */
export class BestSlots {
  readonly #capacity: number;
  readonly #scores: Float64Array;
  readonly #slots: Float64Array;
  #size = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#scores = new Float64Array(capacity);
    this.#slots = new Float64Array(capacity);
  }

  /** A score must be above this to be kept, or equal to it with a smaller slot. */
  get floor(): number {
    return this.#size < this.#capacity ? -Infinity : (this.#scores[0] ?? Infinity);
  }

  /** Takes a slot in, for the worst one if it is full and this one is better. */
  offer(slot: number, score: number): void {
    if (this.#size < this.#capacity) {
      this.#rise(this.#size++, slot, score);
    } else if (this.#capacity > 0 && this.#isWorse(0, slot, score)) {
      this.#sink(slot, score);
    }
  }

  /** What was kept, best first. */
  sorted(): readonly { readonly slot: number; readonly score: number }[] {
    return Array.from({ length: this.#size }, (_, at) => ({
      slot: this.#slots[at] as number,
      score: this.#scores[at] as number,
    })).toSorted((a, b) => b.score - a.score || a.slot - b.slot);
  }

  #isWorse(at: number, slot: number, score: number): boolean {
    const other = this.#scores[at] as number;
    return other < score || (other === score && (this.#slots[at] as number) > slot);
  }

  #put(at: number, slot: number, score: number): void {
    this.#slots[at] = slot;
    this.#scores[at] = score;
  }

  #rise(from: number, slot: number, score: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#isWorse(parent, slot, score)) break;
      this.#put(at, this.#slots[parent] as number, this.#scores[parent] as number);
      at = parent;
    }
    this.#put(at, slot, score);
  }

  #sink(slot: number, score: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#size) break;
      const right = child + 1;
      if (right < this.#size && !this.#isWorse(child, this.#slots[right] as number, this.#scores[right] as number))
        child = right;
      if (!this.#isWorse(child, slot, score)) break;
      this.#put(at, this.#slots[child] as number, this.#scores[child] as number);
      at = child;
    }
    this.#put(at, slot, score);
  }
}
