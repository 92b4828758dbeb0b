import type { ChatSession, Turn } from '../domain/turn.ts';

/** Stores conversations: `(session, index)` is unique, turns are in order, deleting a session deletes its turns. */
export interface SessionRepo {
  createSession(session: ChatSession): void;
  getSession(id: string): ChatSession | null;
  listSessions(): readonly ChatSession[];
  deleteSession(id: string): void;
  /** Throws `locked` when another writer took the index first. */
  appendTurn(sessionId: string, turn: Turn, index: number): void;
  listTurns(sessionId: string): readonly Turn[];
}
