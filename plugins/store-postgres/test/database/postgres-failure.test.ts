import { createServer, type AddressInfo, type Socket } from 'node:net';
import { isKebabError } from '@kebab/core';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { TEST_USERS } from '../../../../scripts/postgres-cluster.ts';
import { connecting } from '../../src/database/connection.ts';
import { PostgresDatabase } from '../../src/database/open-database.ts';
import { POSTGRES_MISSING, newSchema, testConfig, withPostgres } from '../with-postgres.ts';

const SECRET = 'hidden-word';
const CONFIG = {
  schema: 'kebab',
  tls: 'auto',
  connectTimeoutMs: 3000,
  statementTimeoutMs: 10_000,
  jobLeaseS: 300,
  hasWords: true,
  readUrl: '',
} as const;

/** The message and the hint of what opening a database at a URL throws. */
async function failureAt(url: string): Promise<readonly [code: string, message: string]> {
  try {
    const config = { ...CONFIG, url, schema: newSchema(), poolSize: 2, readonly: false };
    await (await PostgresDatabase.open(config, () => new Date())).close();
  } catch (error) {
    if (!isKebabError(error)) throw error;
    expect(JSON.stringify([error.message, error.hint, error.details])).not.toContain(SECRET);
    return [error.code, `${error.message} (${error.hint})`];
  }
  return ['opened', ''];
}

describe('the address of a server', () => {
  it.each([
    ['', /storage\.postgres\.url: it is not set/],
    [`postgres://me:${SECRET}#@host:port/x`, /cannot be read/],
    [`postgres://me:${SECRET}@host:port/x`, /cannot be read \(a port is a number/],
    [`postgres://me:${SECRET}@host/x?sslmode=verify_full`, /no sslmode "verify_full" \(.*verify-full/],
    [`postgres://me:${SECRET}@host/x?sslmode=`, /no sslmode ""/],
    [`postgres://me:${SECRET}@host/x?sslmode=toString`, /no sslmode "toString"/],
  ])('is refused without its password when it is %j', async (url, expected) => {
    expect(await failureAt(url)).toEqual(['config_invalid', expect.stringMatching(expected)]);
  });

  it('is shown without user and password, with the default port', () => {
    const { address } = connecting(CONFIG, `postgres://me:${SECRET}@db.example/team`);
    expect(address.shown).toBe('postgres://db.example:5432/team?schema=kebab');
    expect(connecting(CONFIG, 'postgres://me@[::1]:6000/').address.shown).toBe('postgres://[::1]:6000/me?schema=kebab');
  });

  it.each([
    ['postgres://me@127.0.0.1/x', 'auto', false],
    ['postgres://me@localhost/x', 'auto', false],
    ['postgres://me@db.example/x', 'auto', { rejectUnauthorized: true }],
    ['postgres://me@db.example/x', 'off', false],
    ['postgres://me@127.0.0.1/x', 'verify', { rejectUnauthorized: true }],
    ['postgres://me@db.example/x?sslmode=disable', 'auto', false],
    ['postgres://me@db.example/x?sslmode=require', 'verify', { rejectUnauthorized: false }],
    ['postgres://me@127.0.0.1/x?sslmode=verify-full', 'off', { rejectUnauthorized: true }],
  ] as const)('decides about TLS: %s with tls = %s', (url, tls, expected) => {
    expect(connecting({ ...CONFIG, tls }, url).client.ssl).toEqual(expected);
  });

  it('is reported with the cause where nothing listens, and where there is no such host', async () => {
    expect(await failureAt(`postgres://me:${SECRET}@127.0.0.1:1/x`)).toEqual([
      'io_error',
      expect.stringMatching(/^PostgreSQL at 127\.0\.0\.1:1 cannot be reached: nothing listens there/),
    ]);
    expect(await failureAt(`postgres://me:${SECRET}@no-such-host.invalid/x?sslmode=disable`)).toEqual([
      'io_error',
      expect.stringMatching(/no-such-host\.invalid:5432 cannot be reached/),
    ]);
  });
});

describe('a port where something else listens', () => {
  it.each<[string, (socket: Socket) => void]>([
    ['ends the connection', (socket) => socket.end()],
    ['resets it', (socket) => socket.resetAndDestroy()],
    ['greets first', (socket) => socket.end('220 mail ESMTP\r\n')],
    ['answers in another protocol', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ])('is not taken for a connection that was lost when it %s', async (_how, answer) => {
    const server = createServer((socket) => socket.on('error', () => {}).once('data', () => answer(socket)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    for (const mode of ['disable', 'require'])
      expect(await failureAt(`postgres://me:${SECRET}@127.0.0.1:${port}/x?sslmode=${mode}`)).toEqual([
        'io_error',
        expect.stringMatching(/cannot be reached: what listens there ends the connection.*check the address/),
      ]);
    server.close();
  });
});

describe.skipIf(POSTGRES_MISSING)('a server that refuses', () => {
  const urlWith = async (change: (url: URL) => void): Promise<string> => {
    const url = new URL((await testConfig()).url);
    change(url);
    return url.href;
  };

  it.each<[string, (url: URL) => void, RegExp]>([
    [
      'a wrong password',
      (url) => Object.assign(url, { username: TEST_USERS.restricted, password: SECRET }),
      /rejects the password of "restricted"/,
    ],
    [
      'no password',
      (url) => Object.assign(url, { username: TEST_USERS.restricted }),
      /wants a password of "restricted", and there is none .*PGPASSWORD/,
    ],
    [
      'an unknown user',
      (url) => Object.assign(url, { username: 'ghost', password: SECRET }),
      /does not let "ghost" in: .*pg_hba\.conf/,
    ],
    [
      'a missing database',
      (url) => Object.assign(url, { pathname: '/nothing', password: SECRET }),
      /has no database "nothing" \(create it: createdb/,
    ],
    ['TLS that it does not have', (url) => url.searchParams.set('sslmode', 'require'), /does not support TLS/],
    [
      'a user who may not make tables',
      (url) =>
        Object.assign(url, { username: TEST_USERS.restricted, password: encodeURIComponent(TEST_USERS.password) }),
      /does not let "restricted" write: permission denied .*GRANT CREATE ON DATABASE kebab TO restricted/,
    ],
    [
      'a server that is read-only, which no right changes',
      (url) => url.searchParams.set('options', '-c default_transaction_read_only=on'),
      /is read-only: .*\(use the address of the primary server/,
    ],
  ])('says so in a sentence of its own: %s', async (_name, change, expected) => {
    expect(await failureAt(await urlWith(change))).toEqual(['io_error', expect.stringMatching(expected)]);
  });

  it('says that the tables are those of another user, and not that there are none', async () => {
    await withPostgres(async ({ config }) => {
      const url = await urlWith((own) =>
        Object.assign(own, { username: TEST_USERS.restricted, password: encodeURIComponent(TEST_USERS.password) }),
      );
      for (const readonly of [true, false])
        await expect(PostgresDatabase.open({ ...config, url, readonly }, () => new Date())).rejects.toMatchObject({
          code: 'io_error',
          message: expect.stringMatching(
            /"restricted" use what another user made: permission denied for schema/,
          ) as string,
        });
    });
  });

  it('says that all connections are in use while other requests have them for longer than a connection may take', async () => {
    await withPostgres(async ({ again }) => {
      const database = await again({ readonly: true, poolSize: 1, connectTimeoutMs: 500 });
      const other = database.statement((db) => sql`SELECT pg_sleep(3)`.execute(db));
      await expect(database.revision()).rejects.toMatchObject({
        code: 'io_error',
        message: expect.stringMatching(/^all connections of this process to PostgreSQL at \S+ are in use$/) as string,
      });
      await other;
      expect(await database.revision()).toBe(0);
    });
  });

  it('ends a statement that takes too long, and says so', async () => {
    await withPostgres(async ({ again }) => {
      const database = await again({ readonly: true, statementTimeoutMs: 1000 });
      await expect(database.read((tx) => sql`SELECT pg_sleep(60)`.execute(tx))).rejects.toMatchObject({
        code: 'timeout',
        message: expect.stringMatching(/^PostgreSQL at \S+ has not finished a statement within 1 s$/) as string,
        details: { after_ms: 1000 },
      });
      expect(await database.revision()).toBe(0);
    });
  });

  it.skipIf(process.env['KEBAB_TEST_POSTGRES_URL'] !== undefined)(
    'does not wait longer for a server that is frozen, and reads through another connection afterwards',
    async () => {
      await withPostgres(async ({ again }) => {
        const database = await again({ readonly: true, poolSize: 1, statementTimeoutMs: 1000 });
        const asked = sql<{ readonly pid: number }>`SELECT pg_backend_pid() AS pid`;
        const pid = (await database.statement((db) => asked.execute(db))).rows[0]?.pid ?? Number.NaN;
        process.kill(pid, 'SIGSTOP');
        try {
          await expect(database.read((tx) => sql`SELECT 1`.execute(tx))).rejects.toMatchObject({
            code: 'timeout',
            message: expect.stringMatching(/^PostgreSQL at \S+ has not responded for 1 s$/) as string,
          });
          expect(await database.revision()).toBe(0);
        } finally {
          process.kill(pid, 'SIGCONT');
        }
      });
    },
  );
});
