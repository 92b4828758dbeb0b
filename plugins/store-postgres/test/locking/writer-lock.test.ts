import { isKebabError } from '@kebab/core';
import { sampleWrite } from '@kebab/testing';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { PostgresDocumentStore } from '../../src/documents/postgres-document-store.ts';
import { NO_WORDS } from '../../src/lexical/posted-words.ts';
import { testStore, type TestStore } from '../open-test-store.ts';
import { POSTGRES_MISSING } from '../with-postgres.ts';

async function withStore(test: (made: TestStore) => Promise<void>): Promise<void> {
  const made = await testStore();
  try {
    await test(made);
  } finally {
    await made.close();
  }
}

/** Ends the connection that has the lock, as an administrator or a failure of the network would. */
async function loseWriter({ database }: TestStore): Promise<void> {
  await database.change((tx) => sql`SELECT pg_terminate_backend(backend) FROM writer`.execute(tx));
}

describe.skipIf(POSTGRES_MISSING)('the lock of the writer on PostgreSQL', () => {
  it('names the process that has it', async () => {
    await withStore(async ({ store, again }) => {
      const writer = await store.openWriter({ waitMs: 0 });
      const other = new PostgresDocumentStore(await again(), NO_WORDS);
      const error: unknown = await other.openWriter({ waitMs: 20 }).catch((reason: unknown) => reason);
      expect(isKebabError(error, 'locked') && error.message).toContain(`is being written by process ${process.pid}`);
      await writer.close();
      await (await other.openWriter({ waitMs: 0 })).close();
    });
  });

  it('goes to a writer that waits when it is released, and a signal ends the wait', async () => {
    await withStore(async ({ store, again }) => {
      const writer = await store.openWriter({ waitMs: 0 });
      const [next, cancelled] = [
        new PostgresDocumentStore(await again(), NO_WORDS),
        new PostgresDocumentStore(await again(), NO_WORDS),
      ];
      const abort = new AbortController();
      const stopped = cancelled.openWriter({ waitMs: 60_000, signal: abort.signal }).catch((reason: unknown) => reason);
      const waiting = next.openWriter({ waitMs: 60_000 });
      abort.abort();
      expect(await stopped).toMatchObject({ code: 'cancelled' });
      await writer.close();
      await (await waiting).close();
    });
  });

  it('is one for each schema', async () => {
    await withStore(async ({ store }) => {
      await withStore(async (elsewhere) => {
        const writers = [await store.openWriter({ waitMs: 0 }), await elsewhere.store.openWriter({ waitMs: 0 })];
        expect(writers).toHaveLength(2);
        for (const writer of writers) await writer.close();
      });
    });
  });

  it('ends with its connection, which leaves nothing uncommitted and lets the next writer in', async () => {
    await withStore(async (made) => {
      const { store } = made;
      const first = await store.openWriter({ waitMs: 0 });
      await first.transaction((tx) => tx.putDocument(sampleWrite('a.md', 'one\n')));
      await loseWriter(made);
      await expect(first.transaction((tx) => tx.putDocument(sampleWrite('b.md', 'two\n')))).rejects.toMatchObject({
        code: 'io_error',
        message: expect.stringMatching(/connection to PostgreSQL at .* was lost/) as string,
      });
      const second = await store.openWriter({ waitMs: 5000 });
      await second.transaction((tx) => tx.putDocument(sampleWrite('c.md', 'three\n')));
      await second.close();
      await first.close();
      const { documents } = await store.listDocuments({}, { offset: 0, limit: 10 });
      expect(documents.map(({ workspacePath }) => workspacePath)).toEqual(['a.md', 'c.md']);
      expect(await store.checkIntegrity({ deep: true })).toEqual([]);
    });
  });

  it('leaves all or nothing of a transaction whose connection is lost at any moment', async () => {
    await withStore(async (made) => {
      const { store } = made;
      for (let round = 0; round < 10; round++) {
        const writer = await store.openWriter({ waitMs: 5000 });
        const writes = [0, 1, 2].map((at) => sampleWrite(`${round}/${at}.md`, `text ${round} ${at}\n`.repeat(200)));
        const written = writer
          .transaction((tx) => writes.forEach((write) => tx.putDocument(write)))
          .then(
            () => true,
            () => false,
          );
        await new Promise((resolve) => void setTimeout(resolve, round * 3));
        await loseWriter(made);
        const isCommitted = await written;
        await writer.close();
        const found = await store.listDocuments({ pathGlob: [`${round}/*`] }, { offset: 0, limit: 10 });
        expect([0, 3]).toContain(found.total);
        if (isCommitted) expect(found.total).toBe(3);
        expect(await store.checkIntegrity({ deep: true })).toEqual([]);
      }
    });
  });

  it('reads again after the connection of a reader was ended', async () => {
    await withStore(async ({ again, database }) => {
      const other = await again({ readonly: true, poolSize: 1 });
      const backend = (): Promise<number> =>
        other.statement(async (db) => {
          const { rows } = await sql<{ readonly pid: number }>`SELECT pg_backend_pid() AS pid`.execute(db);
          return rows[0]?.pid ?? 0;
        });
      const first = await backend();
      await database.change((tx) => sql`SELECT pg_terminate_backend(${first}::int)`.execute(tx));
      expect(await backend()).not.toBe(first);
    });
  });
});
