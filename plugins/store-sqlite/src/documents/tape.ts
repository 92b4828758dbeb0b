const MAX_BYTES_A_NUMBER = 8;

/** Writes integers one after the other, small ones in one byte. */
export class TapeWriter {
  #bytes: Buffer;
  #length = 0;

  /** `capacity` is the number of bytes expected; more may follow. */
  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafe(Math.max(capacity, MAX_BYTES_A_NUMBER));
  }

  /** Appends an integer from 0 to 2^53 − 1, seven bits a byte. */
  put(value: number): void {
    if (this.#length + MAX_BYTES_A_NUMBER > this.#bytes.length) this.#grow();
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest % 128) + 128;
      rest = rest < 0x80000000 ? rest >>> 7 : Math.floor(rest / 128);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Appends an integer that may be negative. */
  putSigned(value: number): void {
    this.put(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** What has been written; valid until the next number is. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(): void {
    const bytes = Buffer.allocUnsafe(this.#bytes.length * 2);
    this.#bytes.copy(bytes, 0, 0, this.#length);
    this.#bytes = bytes;
  }
}

/** Reads what a {@link TapeWriter} wrote, in the same order. */
export class TapeReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  take(): number {
    let value = 0;
    let unit = 1;
    for (;;) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new RangeError('a stored list of blocks is cut off');
      if (byte < 128) return value + byte * unit;
      value += (byte - 128) * unit;
      unit *= 128;
    }
  }

  takeSigned(): number {
    const value = this.take();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
