import type { ChatSession, SessionRepo, Turn } from '@kebab/core/store';
import { asPromise, columnsOf, sqliteCode, statement, type Placeholder } from '@kebab/sqlite-kit';
import { sessionRow, toSession, toTurn, turnFailure, turnRow } from '@kebab/store-kit';
import type { Database as Connection } from 'better-sqlite3';
import { guarded } from '../database/store-failure.ts';
import { build, columnsIn, type NewRow } from '../database/tables.ts';

const FAILURES: Readonly<Record<string, 'no_session' | 'taken'>> = {
  SQLITE_CONSTRAINT_FOREIGNKEY: 'no_session',
  SQLITE_CONSTRAINT_UNIQUE: 'taken',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'taken',
};

/** Conversations in the documents' database. Times are stored in whole seconds. It does not need the writer's lock. */
export class SqliteSessionRepo implements SessionRepo {
  readonly #db: Connection;
  readonly #statements: ReturnType<typeof statementsOf>;
  readonly #location: string;

  /** `location` appears in messages. */
  constructor(db: Connection, location: string) {
    this.#db = db;
    this.#statements = statementsOf(db);
    this.#location = location;
  }

  /** An existing session is left unchanged: if two processes create the same one, both can continue. */
  createSession(session: ChatSession): Promise<void> {
    return this.#guard(() => {
      this.#statements.add.run(sessionRow(session));
    });
  }

  getSession(id: string): Promise<ChatSession | null> {
    return this.#guard(() => {
      const row = this.#statements.find.first({ session_id: id });
      return row === undefined ? null : toSession(row);
    });
  }

  /** Most recently used first. */
  listSessions(): Promise<readonly ChatSession[]> {
    return this.#guard(() => this.#statements.list.all({}).map(toSession));
  }

  deleteSession(id: string): Promise<void> {
    return this.#guard(() => {
      this.#statements.remove.run({ session_id: id });
    });
  }

  appendTurn(sessionId: string, turn: Turn, index: number): Promise<void> {
    const row = turnRow(sessionId, turn, index);
    return this.#guard(() =>
      this.#db
        .transaction(() => {
          this.#addTurn(row);
          this.#statements.touch.run({ session_id: sessionId, updated_at: row.created_at });
        })
        .immediate(),
    );
  }

  listTurns(sessionId: string): Promise<readonly Turn[]> {
    return this.#guard(() => this.#statements.turns.all({ session_id: sessionId }).map(toTurn));
  }

  #addTurn(row: NewRow<'chat_turns'>): void {
    try {
      this.#statements.addTurn.run(row);
    } catch (error) {
      const kind = FAILURES[sqliteCode(error) ?? ''];
      if (kind === undefined) throw error;
      throw turnFailure(kind, row, { store: this.#location, cause: error });
    }
  }

  #guard<T>(act: () => T): Promise<T> {
    return asPromise(() => guarded(this.#location, act));
  }
}

interface OfSession {
  readonly session_id: string;
}

function statementsOf(db: Connection) {
  return {
    add: statement(db, (value: Placeholder<NewRow<'chat_sessions'>>) =>
      build
        .insertInto('chat_sessions')
        .values(columnsOf(value, columnsIn('chat_sessions')))
        .onConflict((conflict) => conflict.doNothing()),
    ),
    find: statement(db, (value: Placeholder<OfSession>) =>
      build.selectFrom('chat_sessions').selectAll().where('session_id', '=', value('session_id')),
    ),
    list: statement(db, () =>
      build.selectFrom('chat_sessions').selectAll().orderBy('updated_at', 'desc').orderBy('session_id'),
    ),
    remove: statement(db, (value: Placeholder<OfSession>) =>
      build.deleteFrom('chat_sessions').where('session_id', '=', value('session_id')),
    ),
    addTurn: statement(db, (value: Placeholder<NewRow<'chat_turns'>>) =>
      build.insertInto('chat_turns').values(columnsOf(value, columnsIn('chat_turns'))),
    ),
    touch: statement(db, (value: Placeholder<OfSession & { readonly updated_at: number }>) =>
      build
        .updateTable('chat_sessions')
        .set({ updated_at: value('updated_at') })
        .where('session_id', '=', value('session_id')),
    ),
    turns: statement(db, (value: Placeholder<OfSession>) =>
      build.selectFrom('chat_turns').selectAll().where('session_id', '=', value('session_id')).orderBy('turn_index'),
    ),
  };
}
