import Sqlite, { type Database } from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { columnsOf, inList, sqlBuilder, statement, type Placeholder } from '../src/index.ts';

const build = sqlBuilder<{
  readonly kv: { key: string; value: string };
  readonly files: { file_path: string; byte_len: number };
}>();

let db: Database;
beforeEach(() => {
  db = new Sqlite(':memory:');
  db.exec('CREATE TABLE kv (key TEXT PRIMARY KEY, value TEXT); CREATE TABLE files (file_path TEXT, byte_len INTEGER)');
});
afterEach(() => db.close());

describe('statement', () => {
  it('binds values by name in any order, also the same one twice', () => {
    const put = statement(db, (value: Placeholder<{ readonly value: string; readonly key: string }>) =>
      build
        .insertInto('kv')
        .values(columnsOf(value, ['key', 'value']))
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: value('value') })),
    );
    expect(put.run({ value: 'one', key: 'a' }).changes).toBe(1);
    put.run({ value: 'two', key: 'a' });
    put.run({ key: 'b', value: 'three' });
    const list = statement(db, (value: Placeholder<{ readonly keys: string }>) =>
      build
        .selectFrom('kv')
        .selectAll()
        .where('key', 'in', inList(value('keys')))
        .orderBy('key'),
    );
    expect(list.all({ keys: '["b","a","c"]' })).toEqual([
      { key: 'a', value: 'two' },
      { key: 'b', value: 'three' },
    ]);
    const none = list.first({ keys: '["c"]' });
    expect(none).toBeUndefined();
    expectTypeOf(none).toEqualTypeOf<{ key: string; value: string } | undefined>();
  });

  it('binds the constants of a query beside named values', () => {
    db.exec("INSERT INTO kv VALUES ('x1', '1'), ('x2', '2'), ('y1', '1')");
    const found = statement(db, (value: Placeholder<{ readonly to: string }>) =>
      build
        .selectFrom('kv')
        .select('key')
        .where('value', '=', '1')
        .where('key', '<', value('to'))
        .where('key', '>', 'x'),
    );
    expect([found.all({ to: 'y' }), found.all({ to: 'z' })]).toEqual([[{ key: 'x1' }], [{ key: 'x1' }, { key: 'y1' }]]);
  });

  it('streams rows with exact integers', () => {
    db.exec("INSERT INTO files VALUES ('a', 9007199254740993)");
    const sizes = statement(db, () => build.selectFrom('files').selectAll());
    expect([...sizes.each({})]).toEqual([{ file_path: 'a', byte_len: 9007199254740993n }]);
    expectTypeOf<ReturnType<typeof sizes.each>>().toEqualTypeOf<
      Iterable<{ readonly file_path: string; readonly byte_len: bigint }>
    >();
  });
});
