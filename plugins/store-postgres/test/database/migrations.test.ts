import { readdirSync } from 'node:fs';
import { isKebabError } from '@kebab/core';
import { blake3Hex } from '@kebab/core/store';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { SCHEMA_VERSION, checkServer, postgresMigrations, readSchemaVersion } from '../../src/database/migrate.ts';
import { POSTGRES_MISSING, testConfig, withPostgres } from '../with-postgres.ts';
import { PostgresDatabase } from '../../src/database/open-database.ts';

describe.skipIf(POSTGRES_MISSING)('migrations of PostgreSQL', () => {
  it('are the files of the folder, each with its recorded checksum', () => {
    const migrations = postgresMigrations();
    const names = migrations.map(
      ({ version, description }) => `V${String(version).padStart(3, '0')}__${description}.sql`,
    );
    expect(readdirSync(new URL('../../../../migrations/postgres/', import.meta.url)).toSorted()).toEqual(names);
    expect(migrations.map(({ checksum }) => checksum)).toEqual(migrations.map(({ sql: text }) => blake3Hex(text)));
  });

  it('build an empty database, once, and record what was applied', async () => {
    await withPostgres(async ({ database, again }) => {
      expect(await database.statement(readSchemaVersion)).toBe(SCHEMA_VERSION);
      const applied = await database.read((tx) => tx.selectFrom('migrations').selectAll().orderBy('id').execute());
      expect(applied).toEqual(
        postgresMigrations().map(({ version, description, checksum }) => ({
          id: version,
          applied_at: '2026-01-01T00:00:00.000Z',
          description,
          checksum,
        })),
      );
      const idOf = (from: PostgresDatabase): Promise<unknown> =>
        from.read((tx) => tx.selectFrom('kv').select('value').where('key', '=', 'knowledge_base').executeTakeFirst());
      expect(await idOf(await again())).toEqual(await idOf(database));
    });
  });

  it('are applied by one of several processes that open a new database together', async () => {
    const config = await testConfig();
    const opened = await Promise.all(Array.from({ length: 5 }, () => PostgresDatabase.open(config, () => new Date(0))));
    expect(await opened[0]?.statement(readSchemaVersion)).toBe(SCHEMA_VERSION);
    for (const database of opened) await database.close();
  });

  it('are not applied by a reader, which reports that nothing is there, nor to a database of a newer kebab', async () => {
    const config = await testConfig();
    const codeOf = async (readonly: boolean): Promise<unknown> => {
      try {
        await (await PostgresDatabase.open({ ...config, readonly }, () => new Date(0))).close();
        return 'opened';
      } catch (error) {
        return isKebabError(error) ? [error.code, error.details] : error;
      }
    };
    const nothing = ['not_indexed', { expected: 'the tables of a knowledge base', found: 'no tables' }];
    expect([await codeOf(true), await codeOf(true)]).toEqual([nothing, nothing]);
    expect([await codeOf(false), await codeOf(true)]).toEqual(['opened', 'opened']);
    const writer = await PostgresDatabase.open(config, () => new Date(0));
    await writer.change((tx) => sql`UPDATE schema_meta SET value = '999'`.execute(tx));
    await writer.close();
    const newer = ['not_indexed', { expected: `schema ${SCHEMA_VERSION}`, found: 'schema 999' }];
    expect([await codeOf(false), await codeOf(true)]).toEqual([newer, newer]);
  });

  it('are not applied by a server that is too old', async () => {
    await withPostgres(async ({ database }) => {
      const old = database.read((tx) => {
        const db = tx.withPlugin({
          transformQuery: ({ node }) => node,
          transformResult: ({ result }) =>
            Promise.resolve({
              ...result,
              rows: result.rows.map((row) => ('version' in row ? { ...row, version: '13.14' } : row)),
            }),
        });
        return checkServer(db, database.target);
      });
      await expect(old).rejects.toMatchObject({
        code: 'config_invalid',
        message: expect.stringMatching(/^PostgreSQL at \S+ is version 13\.14; kebab needs 14 or newer$/) as string,
      });
    });
  });

  it('leave a schema alone that has tables of another program', async () => {
    await withPostgres(async ({ database, again }) => {
      await database.change((tx) => sql`DROP TABLE schema_meta`.execute(tx));
      await expect(again()).rejects.toMatchObject({
        code: 'io_error',
        message: expect.stringMatching(/tables that kebab did not make: relation "\w+" already exists/) as string,
      });
    });
  });
});
