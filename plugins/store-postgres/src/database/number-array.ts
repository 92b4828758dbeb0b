/** The types of elements: their object ids on the server, and their bytes. */
const TYPES = { boolean: [16, 1], bigint: [20, 8], smallint: [21, 2], integer: [23, 4] } as const;

const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;

/** An array in the binary form of the protocol, which both ends read many times faster than text. */
export class NumberArray {
  readonly #type: keyof typeof TYPES;
  #bytes = Buffer.allocUnsafe(1 << 16);
  #used = HEADER_BYTES;
  #count = 0;

  constructor(type: keyof typeof TYPES) {
    this.#type = type;
  }

  get length(): number {
    return this.#count;
  }

  /** Adds an element; of 64 bits, `high` are the upper 32. */
  add(value: number, high = 0): void {
    const [, size] = TYPES[this.#type];
    if (this.#used + LENGTH_BYTES + size > this.#bytes.length) this.#grow();
    const bytes = this.#bytes;
    let at = bytes.writeInt32BE(size, this.#used);
    if (size === 8) at = bytes.writeInt32BE(high, at);
    if (size >= 4) at = bytes.writeInt32BE(value | 0, at);
    else at = size === 2 ? bytes.writeInt16BE(value, at) : bytes.writeUInt8(value, at);
    this.#used = at;
    this.#count++;
  }

  /** The array as a parameter, which the driver sends as it is. */
  parameter(): Buffer {
    const [type] = TYPES[this.#type];
    const header = this.#count === 0 ? [0, 0, type] : [1, 0, type, this.#count, 1]; // dimensions, nulls, type, length, first index
    for (const [at, value] of header.entries()) this.#bytes.writeInt32BE(value, at * 4);
    return this.#bytes.subarray(0, this.#count === 0 ? 12 : this.#used);
  }

  #grow(): void {
    const larger = Buffer.allocUnsafe(this.#bytes.length * 2);
    this.#bytes.copy(larger, 0, 0, this.#used);
    this.#bytes = larger;
  }
}
