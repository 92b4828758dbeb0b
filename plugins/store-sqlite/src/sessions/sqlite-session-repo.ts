import {
  KebabError,
  blake3Id,
  invalidInput,
  type ChatSession,
  type HistoryItem,
  type SessionRepo,
  type Turn,
} from '@kebab/core';
import type { Database as Connection } from 'better-sqlite3';
import { sqliteCode, storeFailure } from '../database/store-failure.ts';
import type { Row } from '../database/tables.ts';
import { TypedQueries } from '../database/typed-queries.ts';

/** Conversations in the database of the documents. Times are kept in whole seconds. It needs no writer's lock. */
export class SqliteSessionRepo implements SessionRepo {
  readonly #db: Connection;
  readonly #queries: TypedQueries;
  readonly #location: string;

  /** `location` is told in messages. */
  constructor(db: Connection, location: string) {
    this.#db = db;
    this.#queries = new TypedQueries(db);
    this.#location = location;
  }

  /** A session that exists already is left as it is: of two processes that begin one, both may go on. */
  createSession(session: ChatSession): void {
    const values = {
      session_id: session.sessionId,
      created_at: toSeconds(session.createdAt),
      updated_at: toSeconds(session.updatedAt),
      title: session.title,
      config_snapshot_json: session.configSnapshotJson,
    };
    const { from } = this.#queries;
    this.#guard(() =>
      this.#queries.run(
        from
          .insertInto('chat_sessions')
          .values(values)
          .onConflict((conflict) => conflict.doNothing()),
      ),
    );
  }

  getSession(id: string): ChatSession | null {
    const { from } = this.#queries;
    return this.#guard(() => {
      const row = this.#queries.first(from.selectFrom('chat_sessions').selectAll().where('session_id', '=', id));
      return row === undefined ? null : toSession(row);
    });
  }

  /** The session that was used last comes first. */
  listSessions(): readonly ChatSession[] {
    const { from } = this.#queries;
    const query = from.selectFrom('chat_sessions').selectAll().orderBy('updated_at', 'desc').orderBy('session_id');
    return this.#guard(() => this.#queries.all(query).map(toSession));
  }

  deleteSession(id: string): void {
    const { from } = this.#queries;
    this.#guard(() => this.#queries.run(from.deleteFrom('chat_sessions').where('session_id', '=', id)));
  }

  appendTurn(sessionId: string, turn: Turn, index: number): void {
    const values = {
      turn_id: blake3Id(`${sessionId}:${index}`),
      session_id: sessionId,
      turn_index: index,
      question: turn.question,
      answer: turn.answer,
      citations_json: turn.citationsJson,
      items_json: JSON.stringify(turn.items),
      created_at: toSeconds(turn.createdAt),
    };
    const { from } = this.#queries;
    const insert = from.insertInto('chat_turns').values(values);
    const touch = from
      .updateTable('chat_sessions')
      .set({ updated_at: values.created_at })
      .where('session_id', '=', sessionId);
    this.#guard(() =>
      this.#db
        .transaction(() => {
          this.#insertTurn(insert, { sessionId, index });
          this.#queries.run(touch);
        })
        .immediate(),
    );
  }

  listTurns(sessionId: string): readonly Turn[] {
    const { from } = this.#queries;
    const query = from.selectFrom('chat_turns').selectAll().where('session_id', '=', sessionId).orderBy('turn_index');
    return this.#guard(() => this.#queries.all(query).map(toTurn));
  }

  #insertTurn(
    insert: Parameters<TypedQueries['run']>[0],
    { sessionId, index }: { readonly sessionId: string; readonly index: number },
  ): void {
    try {
      this.#queries.run(insert);
    } catch (error) {
      const code = sqliteCode(error);
      if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY')
        throw invalidInput(`there is no session ${JSON.stringify(sessionId)}`, { field: 'session', value: sessionId });
      if (code !== 'SQLITE_CONSTRAINT_UNIQUE' && code !== 'SQLITE_CONSTRAINT_PRIMARYKEY') throw error;
      throw new KebabError('locked', `another process has written turn ${index} of session ${sessionId}`, {
        details: { path: this.#location, pid: null },
        cause: error,
        hint: 'ask again: the session goes on behind the other turn',
      });
    }
  }

  #guard<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      throw storeFailure(error, this.#location) satisfies unknown;
    }
  }
}

function toSession(row: Row<'chat_sessions'>): ChatSession {
  return {
    sessionId: row.session_id,
    title: row.title,
    configSnapshotJson: row.config_snapshot_json,
    createdAt: new Date(row.created_at * 1000),
    updatedAt: new Date(row.updated_at * 1000),
  };
}

function toTurn(row: Row<'chat_turns'>): Turn {
  return {
    question: row.question,
    answer: row.answer,
    citationsJson: row.citations_json,
    items: JSON.parse(row.items_json) as readonly HistoryItem[],
    createdAt: new Date(row.created_at * 1000),
  };
}

function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
