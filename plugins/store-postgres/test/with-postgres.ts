import { randomBytes } from 'node:crypto';
import { hasPostgres, testServerUrl } from '../../../scripts/postgres-cluster.ts';
import { PostgresDatabase } from '../src/database/open-database.ts';
import { postgresConfigSchema, type PostgresConfig } from '../src/postgres-config.ts';

/** Whether tests that need a server are skipped, which the test run says at its start. */
export const POSTGRES_MISSING = !hasPostgres();

const now = (): Date => new Date('2026-01-01T00:00:00Z');

/** The configuration of a schema on the server of this test run. */
export async function testConfig(overrides: Partial<PostgresConfig> = {}): Promise<PostgresConfig> {
  const url = await testServerUrl();
  const result = postgresConfigSchema['~standard'].validate({
    url,
    schema: newSchema(),
    readonly: false,
    ...overrides,
  });
  if (!('value' in result)) throw new Error(JSON.stringify(await result));
  return result.value;
}

/** The name of a schema that does not exist yet. */
export function newSchema(): string {
  return `t_${randomBytes(8).toString('hex')}`;
}

/** A knowledge base of its own on the server; `close` removes its tables. */
export interface TestDatabase {
  readonly config: PostgresConfig;
  readonly database: PostgresDatabase;
  /** Opens it as another process would. */
  readonly again: (overrides?: Partial<PostgresConfig>) => Promise<PostgresDatabase>;
  readonly close: () => Promise<void>;
}

/** Makes a knowledge base without documents. */
export async function testDatabase(overrides: Partial<PostgresConfig> = {}): Promise<TestDatabase> {
  const config = await testConfig(overrides);
  const database = await PostgresDatabase.open(config, now);
  const opened: PostgresDatabase[] = [];
  return {
    config,
    database,
    again: async (changes = {}) => {
      const other = await PostgresDatabase.open({ ...config, ...changes }, now);
      opened.push(other);
      return other;
    },
    close: async () => {
      for (const other of opened) await other.close();
      await database.close();
      await dropSchema(config);
    },
  };
}

/** Runs a test with a knowledge base of its own. */
export async function withPostgres(test: (made: TestDatabase) => Promise<void>): Promise<void> {
  const made = await testDatabase();
  try {
    await test(made);
  } finally {
    await made.close();
  }
}

/** Removes the tables of a knowledge base. */
export async function dropSchema({ url, schema }: Pick<PostgresConfig, 'url' | 'schema'>): Promise<void> {
  const { default: driver } = await import('pg');
  const client = new driver.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
  } finally {
    await client.end();
  }
}
