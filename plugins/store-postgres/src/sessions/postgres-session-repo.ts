import type { ChatSession, SessionRepo, Turn } from '@kebab/core/store';
import { sessionRow, toSession, toTurn, turnFailure, turnRow } from '@kebab/store-kit';
import type { PostgresDatabase } from '../database/open-database.ts';
import { failureCode } from '../database/lost-connection.ts';

/** What a violated reference and a violated key of a turn mean. */
const FAILURES: Readonly<Record<string, 'no_session' | 'taken'>> = { 23503: 'no_session', 23505: 'taken' };

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
        const kind = FAILURES[failureCode(error) ?? ''];
        if (kind === undefined) throw error;
        throw turnFailure(kind, row, { store: this.#database.address.shown, cause: error });
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
}
