/** A set of rows of the full-text index. */
export class RowSet {
  /** By row: 1 for a member. */
  readonly bits: Uint8Array;
  #size = 0;

  constructor(maxRow: number, rows: Iterable<number> = []) {
    this.bits = new Uint8Array(maxRow + 1);
    for (const row of rows) this.add(row);
  }

  get size(): number {
    return this.#size;
  }

  has(row: number): boolean {
    return this.bits[row] === 1;
  }

  add(row: number): void {
    if (row >= this.bits.length || this.bits[row] === 1) return;
    this.bits[row] = 1;
    this.#size++;
  }

  delete(row: number): void {
    if (this.bits[row] !== 1) return;
    this.bits[row] = 0;
    this.#size--;
  }

  /** Takes in every row there can be. */
  fill(): void {
    this.bits.fill(1);
    this.#size = this.bits.length;
  }

  /** Its members, ascending. */
  rows(): readonly number[] {
    const rows: number[] = [];
    for (let row = this.bits.indexOf(1); row >= 0; row = this.bits.indexOf(1, row + 1)) rows.push(row);
    return rows;
  }
}
