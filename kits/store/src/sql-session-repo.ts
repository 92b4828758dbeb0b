import type { ChatSession, SessionRepo, Turn } from '@kebab/core/store';
import { changesOf, rowsOf, type Engine } from './engine.ts';
import { sessionRow, toSession, toTurn, turnFailure, turnRow } from './record-rows.ts';

/** Conversations. Times are stored in whole seconds. It does not need the writer's lock. */
export class SqlSessionRepo implements SessionRepo {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** An existing session is left unchanged: if two processes create the same one, both can continue. */
  async createSession(session: ChatSession): Promise<void> {
    await this.#engine.change((build) =>
      changesOf(
        build
          .insertInto('chat_sessions')
          .values(sessionRow(session))
          .onConflict((conflict) => conflict.doNothing()),
      ),
    );
  }

  async getSession(id: string): Promise<ChatSession | null> {
    const [row] = await this.#engine.read((build) =>
      rowsOf(build.selectFrom('chat_sessions').selectAll().where('session_id', '=', id)),
    );
    return row === undefined ? null : toSession(row);
  }

  /** Most recently used first. */
  async listSessions(): Promise<readonly ChatSession[]> {
    const rows = await this.#engine.read((build) =>
      rowsOf(build.selectFrom('chat_sessions').selectAll().orderBy('updated_at', 'desc').orderBy('session_id')),
    );
    return rows.map(toSession);
  }

  async deleteSession(id: string): Promise<void> {
    await this.#engine.change((build) => changesOf(build.deleteFrom('chat_sessions').where('session_id', '=', id)));
  }

  async appendTurn(sessionId: string, turn: Turn, index: number): Promise<void> {
    const { location, turnFault } = this.#engine;
    const row = turnRow(sessionId, turn, index);
    await this.#engine.change(function* (build) {
      try {
        yield build.insertInto('chat_turns').values(row);
      } catch (error) {
        const kind = turnFault(error);
        if (kind === undefined) throw error;
        throw turnFailure(kind, row, { store: location, cause: error });
      }
      yield build.updateTable('chat_sessions').set({ updated_at: row.created_at }).where('session_id', '=', sessionId);
    });
  }

  async listTurns(sessionId: string): Promise<readonly Turn[]> {
    const rows = await this.#engine.read((build) =>
      rowsOf(build.selectFrom('chat_turns').selectAll().where('session_id', '=', sessionId).orderBy('turn_index')),
    );
    return rows.map(toTurn);
  }
}
