import type { Database as Connection, Statement } from 'better-sqlite3';
import { valuesOf, type Statements } from '../database/statements.ts';

/** The number of lengths in one row of `chunk_lengths`, at two bytes each, so that two such rows fit on a page. */
export const ROWS_A_BLOCK = 2032;
/** Longer rows are not recorded; 0 marks a row that is not recorded. */
const MAX_LENGTH = 65_535;

const BLOCK = valuesOf<Buffer>('SELECT lengths FROM chunk_lengths WHERE block = @block');
const SIZES = valuesOf<string>('SELECT hex(sz) FROM chunks_fts_docsize WHERE id = @row');

/**
 * The number of tokens of each row of the full-text index, for BM25. Read in blocks from `chunk_lengths`; lengths that are not recorded
 * there are looked up in the docsize table of FTS5, which takes 750 ns a row.
 */
export class RowLengths {
  readonly #statements: Statements;
  readonly #blocks: Uint16Array[] = [];
  readonly #long = new Map<number, number>();

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** The length of a row of the index, in tokens. */
  of(row: number): number {
    const block = this.block(Math.floor(row / ROWS_A_BLOCK));
    return block[row % ROWS_A_BLOCK] || (this.#long.get(row) ?? this.#lookUp(row, block));
  }

  /** The lengths of a block of rows, for loops over many rows; for a length of 0, call {@link RowLengths.of}. */
  block(number: number): Uint16Array {
    return this.#blocks[number] ?? this.#read(number);
  }

  #read(number: number): Uint16Array {
    const block = (this.#blocks[number] = new Uint16Array(ROWS_A_BLOCK));
    const stored = this.#statements.value(BLOCK, { block: number });
    if (stored !== undefined) new Uint8Array(block.buffer).set(IS_LITTLE_ENDIAN ? stored : stored.swap16());
    return block;
  }

  #lookUp(row: number, block: Uint16Array): number {
    const sizes = this.#statements.value(SIZES, { row });
    if (sizes === undefined) throw new RangeError('a row of the full-text index has no length');
    const length = tokensIn(sizes);
    if (length > MAX_LENGTH) this.#long.set(row, length);
    else block[row % ROWS_A_BLOCK] = length;
    return length;
  }
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Records the lengths of full-text rows. The length of a removed row stays until another row with its number replaces it. */
export class RowLengthsWriter {
  readonly #sizes: Statement;
  readonly #read: Statement;
  readonly #write: Statement;
  readonly #extent: Statement;

  constructor(db: Connection) {
    // As one string, because a buffer for each row takes four times as long.
    this.#sizes = db
      .prepare(
        `SELECT group_concat(id || ' ' || hex(sz), ' ') FROM
          (SELECT id, sz FROM chunks_fts_docsize WHERE id >= @from AND id < @to ORDER BY id)`,
      )
      .pluck();
    this.#read = db.prepare('SELECT lengths FROM chunk_lengths WHERE block = @block').pluck();
    this.#write = db.prepare('INSERT OR REPLACE INTO chunk_lengths(block, lengths) VALUES (@block, @lengths)');
    this.#extent = db.prepare(
      'SELECT (SELECT min(seq) FROM chunks) AS first, (SELECT max(seq) FROM chunks) AS last, (SELECT min(block) FROM chunk_lengths) AS begun',
    );
  }

  /** Records all rows if the first ones are missing: in a database of an earlier version, and after the index was rebuilt. */
  fill(): void {
    const { first, last, begun } = this.#extent.get() as Readonly<Record<'first' | 'last' | 'begun', number | null>>;
    if (first === null || last === null) return;
    if (begun === null || begun > Math.floor(first / ROWS_A_BLOCK)) this.put(first, last + 1);
  }

  /** Records the rows `[from, to)`, which must be in the index. */
  put(from: number, to: number): void {
    for (let block = Math.floor(from / ROWS_A_BLOCK); block * ROWS_A_BLOCK < to; block++) {
      const first = block * ROWS_A_BLOCK;
      const lengths = (this.#read.get({ block }) as Buffer | undefined) ?? Buffer.alloc(2 * ROWS_A_BLOCK);
      const range = { from: Math.max(from, first), to: Math.min(to, first + ROWS_A_BLOCK) };
      const sizes = ((this.#sizes.get(range) as string | null) ?? '').split(' ');
      for (let i = 0; i + 1 < sizes.length; i += 2) {
        const length = tokensIn(sizes[i + 1] ?? '');
        lengths.writeUInt16LE(length > MAX_LENGTH ? 0 : length, 2 * (Number(sizes[i]) - first));
      }
      this.#write.run({ block, lengths });
    }
  }
}

/** The sum of the tokens of all columns, decoded from the hex digits of varints (seven bits a byte). */
function tokensIn(sizes: string): number {
  let [sum, value] = [0, 0];
  for (let i = 0; i < sizes.length; i += 2) {
    const byte = (digitAt(sizes, i) << 4) | digitAt(sizes, i + 1);
    value = value * 128 + (byte & 127);
    if (byte > 127) continue;
    sum += value;
    value = 0;
  }
  return sum;
}

/** A digit as SQLite writes it: `0` to `9`, `A` to `F`. */
function digitAt(digits: string, at: number): number {
  const unit = digits.charCodeAt(at);
  return unit > 0x39 ? unit - 0x37 : unit - 0x30;
}
