import type { Database as Connection, Statement } from 'better-sqlite3';

const TOTALS_ROW = 1;
const TRIAL = 'full_text_trial';

/**
 * Corrects the totals of FTS5, the numbers of rows and tokens that BM25 compares every row with. Up to SQLite 3.53, FTS5 does not subtract
 * deleted rows from them in a contentless table, so that rankings would depend on rows that are gone. Later versions subtract by
 * themselves, and this class does nothing. The totals are in one record of the data table of FTS5, the sizes of a row in the docsize table.
 * To be removed with support for SQLite before 3.54 (decision 0023).
 */
export class FullTextTotals {
  readonly #db: Connection;
  readonly #sizes: Statement;
  readonly #flush: Statement;
  readonly #read: Statement;
  /** The amounts to subtract: rows, then tokens of each column. */
  #removed: readonly number[] = [];
  /** Cached for the process, which has only one SQLite. */
  static #subtractsItself: boolean | undefined;

  constructor(db: Connection) {
    this.#db = db;
    this.#sizes = db.prepare('SELECT sz FROM chunks_fts_docsize WHERE id >= @from AND id < @to').pluck();
    this.#flush = db.prepare("INSERT INTO chunks_fts(chunks_fts) VALUES ('flush')");
    this.#read = db.prepare('SELECT block FROM chunks_fts_data WHERE id = @id').pluck();
  }

  /** Whether this SQLite subtracts deleted rows by itself. Tested rather than derived from the version, because SQLite may be patched. */
  static subtractsItself(db: Connection): boolean {
    db.exec(`CREATE VIRTUAL TABLE temp.${TRIAL} USING fts5(text, content = '', contentless_delete = 1);
      INSERT INTO temp.${TRIAL}(rowid, text) VALUES (1, 'word');
      DELETE FROM temp.${TRIAL} WHERE rowid = 1;
      INSERT INTO temp.${TRIAL}(${TRIAL}) VALUES ('flush');`);
    const totals = db.prepare(`SELECT block FROM temp.${TRIAL}_data WHERE id = ?`).pluck().get(TOTALS_ROW);
    db.exec(`DROP TABLE temp.${TRIAL}`);
    return decodeVarints(totals as Uint8Array)[0] === 0;
  }

  /** Notes the sizes of the rows `[from, to)`, which are about to be deleted. */
  note(from: number, to: number): void {
    for (const sizes of this.#sizes.all({ from, to }) as readonly Uint8Array[])
      this.#removed = added(this.#removed, [1, ...decodeVarints(sizes)]);
  }

  /** Subtracts the noted sizes; must be called after all other writes of the transaction. */
  settle(): void {
    if (this.#removed.length === 0) return;
    FullTextTotals.#subtractsItself ??= FullTextTotals.subtractsItself(this.#db);
    if (FullTextTotals.#subtractsItself) return this.discard();
    this.#flush.run();
    const totals = decodeVarints(this.#read.get({ id: TOTALS_ROW }) as Uint8Array);
    this.#write(totals.map((total, i) => Math.max(0, total - (this.#removed[i] ?? 0))));
    this.#removed = [];
  }

  /** Forgets the noted sizes, because the transaction was rolled back. */
  discard(): void {
    this.#removed = [];
  }

  /** Needs unsafe mode, because SQLite protects the tables behind a virtual table. */
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

/** Decodes numbers of seven bits a byte, most significant first; all but the last byte of a number have their top bit set. */
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
