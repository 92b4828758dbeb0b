import { KebabError, invalidInput } from '@kebab/core';
import type { ChatSession, SessionRepo, Turn } from '@kebab/core/store';
import { sessionRow, toSession, toTurn, turnRow } from '@kebab/store-kit';
import type { PostgresDatabase } from '../database/open-database.ts';
import { failureCode } from '../database/postgres-failure.ts';

const CODES = { foreignKey: '23503', unique: '23505' } as const;

/** Conversations on the server. Times are stored in whole seconds. It does not need the writer's lock. */
export class PostgresSessionRepo implements SessionRepo {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  /** An existing session is left unchanged: if two processes create the same one, both can continue. */
  createSession(session: ChatSession): Promise<void> {
    return this.#database.change(async (tx) => {
      await tx
        .insertInto('chat_sessions')
        .values(sessionRow(session))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    });
  }

  async getSession(id: string): Promise<ChatSession | null> {
    const row = await this.#database.statement((db) =>
      db.selectFrom('chat_sessions').selectAll().where('session_id', '=', id).executeTakeFirst(),
    );
    return row === undefined ? null : toSession(row);
  }

  /** Most recently used first. */
  async listSessions(): Promise<readonly ChatSession[]> {
    const rows = await this.#database.statement((db) =>
      db.selectFrom('chat_sessions').selectAll().orderBy('updated_at', 'desc').orderBy('session_id').execute(),
    );
    return rows.map(toSession);
  }

  deleteSession(id: string): Promise<void> {
    return this.#database.change(async (tx) => {
      await tx.deleteFrom('chat_sessions').where('session_id', '=', id).execute();
    });
  }

  appendTurn(sessionId: string, turn: Turn, index: number): Promise<void> {
    const row = turnRow(sessionId, turn, index);
    return this.#database.change(async (tx) => {
      try {
        await tx.insertInto('chat_turns').values(row).execute();
      } catch (error) {
        throw this.#turnFailure(error, row) satisfies unknown;
      }
      await tx
        .updateTable('chat_sessions')
        .set({ updated_at: row.created_at })
        .where('session_id', '=', sessionId)
        .execute();
    });
  }

  async listTurns(sessionId: string): Promise<readonly Turn[]> {
    const rows = await this.#database.statement((db) =>
      db.selectFrom('chat_turns').selectAll().where('session_id', '=', sessionId).orderBy('turn_index').execute(),
    );
    return rows.map(toTurn);
  }

  #turnFailure(
    error: unknown,
    { session_id, turn_index }: { readonly session_id: string; readonly turn_index: number },
  ): unknown {
    const code = failureCode(error);
    if (code === CODES.foreignKey)
      return invalidInput(`there is no session ${JSON.stringify(session_id)}`, { field: 'session', value: session_id });
    if (code !== CODES.unique) return error;
    return new KebabError('locked', `another process has written turn ${turn_index} of session ${session_id}`, {
      details: { path: this.#database.address.shown, pid: null },
      cause: error,
      hint: 'ask again: the session goes on behind the other turn',
    });
  }
}
