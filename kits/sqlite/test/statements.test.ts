import { describe, expect, expectTypeOf, it } from 'vitest';
import { build, columnsOf, inList, statement, type Placeholder, type NewRow } from '../../src/database/statements.ts';
import { memoryDatabase } from '../open-test-store.ts';

describe('statement', () => {
  it('binds values by name in any order, also the same one twice', async () => {
    const db = await memoryDatabase();
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
    db.close();
  });

  it('binds the constants of a query beside named values', async () => {
    const db = await memoryDatabase();
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
    db.close();
  });

  it('streams rows with exact integers', async () => {
    const db = await memoryDatabase();
    db.exec("INSERT INTO seen_places VALUES ('s', 'a', 'file', 9007199254740993, 0.5)");
    const sizes = statement(db, () => build.selectFrom('seen_places').select(['path', 'size']));
    expect([...sizes.each({})]).toEqual([{ path: 'a', size: 9007199254740993n }]);
    expectTypeOf<ReturnType<typeof sizes.each>>().toEqualTypeOf<
      Iterable<{ readonly path: string; readonly size: bigint }>
    >();
    db.close();
  });

  it('requires exactly the columns without a default', () => {
    expectTypeOf<NewRow<'document_texts'>['start']>().toEqualTypeOf<number>();
    expectTypeOf<NewRow<'documents'>['source_id']>().toEqualTypeOf<string | undefined>();
  });
});
