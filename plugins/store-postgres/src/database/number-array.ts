/** The types of elements: their object ids on the server, and their bytes. */
const TYPES = { bigint: { id: 20, size: 8 }, smallint: { id: 21, size: 2 } } as const;

const HEADER_BYTES = 20;
const EMPTY_HEADER_BYTES = 12;
const LENGTH_BYTES = 4;
const FIRST_BYTES = 1 << 18;

/** An array in the binary form of the protocol, which both ends read many times faster than text. */
export class NumberArray {
  readonly #id: number;
  readonly #size: number;
  #bytes = new DataView(new ArrayBuffer(FIRST_BYTES));
  #used = HEADER_BYTES;
  #count = 0;

  constructor(type: keyof typeof TYPES) {
    ({ id: this.#id, size: this.#size } = TYPES[type]);
  }

  get length(): number {
    return this.#count;
  }

  /** Adds an element; of 64 bits, `high` are the upper 32. */
  add(value: number, high = 0): void {
    let at = this.#used;
    this.#used += LENGTH_BYTES + this.#size;
    if (this.#used > this.#bytes.byteLength) this.#grow();
    const bytes = this.#bytes;
    bytes.setInt32(at, this.#size);
    at += LENGTH_BYTES;
    if (this.#size === 2) bytes.setInt16(at, value);
    else {
      bytes.setInt32(at, high);
      bytes.setInt32(at + 4, value);
    }
    this.#count++;
  }

  /** The array as a parameter, which the driver sends as it is. */
  parameter(): Buffer {
    const isEmpty = this.#count === 0;
    const header = [isEmpty ? 0 : 1, 0, this.#id, this.#count, 1]; // dimensions, nulls, type, length, first index
    for (const [at, value] of header.entries()) this.#bytes.setInt32(at * 4, value);
    return Buffer.from(this.#bytes.buffer, 0, isEmpty ? EMPTY_HEADER_BYTES : this.#used);
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.byteLength * 2);
    larger.set(new Uint8Array(this.#bytes.buffer));
    this.#bytes = new DataView(larger.buffer);
  }
}
