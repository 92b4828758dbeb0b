import type { Database } from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { ColumnKind } from '@kebab/store-kit';
import { TABLES } from '../../src/database/tables.ts';
import { memoryDatabase } from '../open-test-store.ts';

interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
  readonly pk: number;
  readonly hidden: number;
}

describe('TABLES', () => {
  it('declares the tables and columns of the migrated database in their order', async () => {
    const db = await memoryDatabase();
    const found = Object.fromEntries(tableNames(db).map((table) => [table, columnsOf(db, table)]));
    const described = Object.entries(TABLES).map(([table, columns]) => [
      table,
      Object.entries(columns).map(([name, kind]) => ({ name, ...shapeOf(kind) })),
    ]);
    expect(found).toEqual(Object.fromEntries(described));
    db.close();
  });
});

function tableNames(db: Database): readonly string[] {
  const sql = `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'`;
  return db.prepare(sql).pluck().all() as readonly string[];
}

function columnsOf(db: Database, table: string): readonly object[] {
  const columns = db.pragma(`table_xinfo(${table})`) as readonly ColumnInfo[];
  return columns.map(({ name, type, notnull, dflt_value, pk, hidden }) => {
    const isRowId = pk === 1 && type === 'INTEGER' && columns.filter((column) => column.pk > 0).length === 1;
    return {
      name,
      type,
      nullable: notnull === 0 && !isRowId && hidden === 0,
      isFilledIn: isRowId || dflt_value !== null || hidden > 0,
    };
  });
}

function shapeOf(kind: ColumnKind): object {
  const type =
    kind === 'key' || kind.startsWith('bigint') ? 'INTEGER' : (/^[a-z]+/.exec(kind)?.[0] ?? '').toUpperCase();
  return {
    type,
    nullable: kind.endsWith('?'),
    isFilledIn: kind === 'key' || kind.endsWith('=') || kind.endsWith('generated'),
  };
}
