import type { SessionRepo } from '../contracts/session-repo.ts';
import type { ChatSession, Turn } from '../domain/turn.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { KebabError } from '../errors/kebab-error.ts';

/** Conversations in memory, for tests. */
export class MemorySessionRepo implements SessionRepo {
  readonly #sessions = new Map<string, { readonly session: ChatSession; readonly turns: readonly Turn[] }>();

  createSession(session: ChatSession): void {
    if (!this.#sessions.has(session.sessionId)) this.#sessions.set(session.sessionId, { session, turns: [] });
  }

  getSession(id: string): ChatSession | null {
    return this.#sessions.get(id)?.session ?? null;
  }

  listSessions(): readonly ChatSession[] {
    return [...this.#sessions.values()]
      .map(({ session }) => session)
      .toSorted((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime());
  }

  deleteSession(id: string): void {
    this.#sessions.delete(id);
  }

  appendTurn(sessionId: string, turn: Turn, index: number): void {
    const known = this.#sessions.get(sessionId);
    if (known === undefined)
      throw invalidInput(`there is no session ${JSON.stringify(sessionId)}`, { field: 'session', value: sessionId });
    if (index < known.turns.length)
      throw new KebabError('locked', `turn ${index} of session ${sessionId} is taken`, {
        details: { path: ':memory:', pid: null },
      });
    const session = { ...known.session, updatedAt: turn.createdAt };
    this.#sessions.set(sessionId, { session, turns: [...known.turns, turn] });
  }

  listTurns(sessionId: string): readonly Turn[] {
    return this.#sessions.get(sessionId)?.turns ?? [];
  }
}
