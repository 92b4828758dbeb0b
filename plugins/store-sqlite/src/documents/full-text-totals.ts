import type { Database as Connection, Statement } from 'better-sqlite3';

const TOTALS_ROW = 1;
const TRIAL = 'full_text_trial';

/**
 * Keeps FTS5's totals true: how many rows there are and how many tokens they have, which BM25 compares every row with. Up to
 * SQLite 3.53 FTS5 adds to them, but does not subtract in a table without content, so that deleted rows would count for ever
 * and rankings would depend on what was there before; later versions subtract by themselves, and are left alone. The totals
 * lie in one record of its data table, the sizes of a row in another. Goes with the last SQLite before 3.54 (decision 0023).
 */
export class FullTextTotals {
  readonly #db: Connection;
  readonly #sizes: Statement;
  readonly #flush: Statement;
  readonly #read: Statement;
  /** Rows, then tokens a column, to be subtracted. */
  #removed: readonly number[] = [];
  /** Of the one SQLite that this process has. */
  static #isLeftAlone: boolean | undefined;

  constructor(db: Connection) {
    this.#db = db;
    this.#sizes = db.prepare('SELECT sz FROM chunks_fts_docsize WHERE id >= @from AND id < @to').pluck();
    this.#flush = db.prepare("INSERT INTO chunks_fts(chunks_fts) VALUES ('flush')");
    this.#read = db.prepare('SELECT block FROM chunks_fts_data WHERE id = @id').pluck();
  }

  /** Whether this SQLite subtracts deleted rows by itself. It is tried, not concluded from its version: that may be a patched one. */
  static subtractsItself(db: Connection): boolean {
    db.exec(`CREATE VIRTUAL TABLE temp.${TRIAL} USING fts5(text, content = '', contentless_delete = 1);
      INSERT INTO temp.${TRIAL}(rowid, text) VALUES (1, 'word');
      DELETE FROM temp.${TRIAL} WHERE rowid = 1;
      INSERT INTO temp.${TRIAL}(${TRIAL}) VALUES ('flush');`);
    const totals = db.prepare(`SELECT block FROM temp.${TRIAL}_data WHERE id = ?`).pluck().get(TOTALS_ROW);
    db.exec(`DROP TABLE temp.${TRIAL}`);
    return decodeVarints(totals as Uint8Array)[0] === 0;
  }

  /** Notes the rows `[from, to)`, which are about to be deleted. */
  note(from: number, to: number): void {
    for (const sizes of this.#sizes.all({ from, to }) as readonly Uint8Array[])
      this.#removed = added(this.#removed, [1, ...decodeVarints(sizes)]);
  }

  /** Subtracts what has been noted; to be called when everything else of the transaction is written. */
  settle(): void {
    if (this.#removed.length === 0) return;
    FullTextTotals.#isLeftAlone ??= FullTextTotals.subtractsItself(this.#db);
    if (FullTextTotals.#isLeftAlone) return this.discard();
    this.#flush.run();
    const totals = decodeVarints(this.#read.get({ id: TOTALS_ROW }) as Uint8Array);
    this.#write(totals.map((total, i) => Math.max(0, total - (this.#removed[i] ?? 0))));
    this.#removed = [];
  }

  /** Forgets what has been noted, because the transaction was undone. */
  discard(): void {
    this.#removed = [];
  }

  /** SQLite protects the tables of a virtual table, unless a connection asks it not to. */
  #write(totals: readonly number[]): void {
    this.#db.unsafeMode(true);
    try {
      this.#db
        .prepare('UPDATE chunks_fts_data SET block = @block WHERE id = @id')
        .run({ block: encodeVarints(totals), id: TOTALS_ROW });
    } finally {
      this.#db.unsafeMode(false);
    }
  }
}

function added(a: readonly number[], b: readonly number[]): readonly number[] {
  return b.map((value, i) => value + (a[i] ?? 0));
}

/** Numbers of seven bits a byte, the highest first; all but the last byte of a number have their top bit set. */
function decodeVarints(bytes: Uint8Array): readonly number[] {
  const values: number[] = [];
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 127);
    if (byte > 127) continue;
    values.push(value);
    value = 0;
  }
  return values;
}

function encodeVarints(values: readonly number[]): Uint8Array {
  return Uint8Array.from(
    values.flatMap((value) => {
      const bytes = [value % 128];
      for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128))
        bytes.unshift((rest % 128) + 128);
      return bytes;
    }),
  );
}
