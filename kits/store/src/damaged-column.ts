/** An unreadable value in a column of a row. */
export class DamagedColumn extends Error {
  readonly table: string;

  constructor(table: string, column: string, cause: unknown) {
    super(`${table}.${column} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.table = table;
  }
}

/** Decodes a stored value; any failure is reported as damage of its column. */
export function decoded<T>(table: string, column: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new DamagedColumn(table, column, error);
  }
}
