import type { ChatSession, Turn } from '../domain/turn.ts';

/** Stores conversations: `(session, index)` is unique, turns are in order, deleting a session deletes its turns. */
export interface SessionRepo {
  createSession(session: ChatSession): Promise<void>;
  getSession(id: string): Promise<ChatSession | null>;
  listSessions(): Promise<readonly ChatSession[]>;
  deleteSession(id: string): Promise<void>;
  /** Throws `locked` when another writer took the index first. */
  appendTurn(sessionId: string, turn: Turn, index: number): Promise<void>;
  listTurns(sessionId: string): Promise<readonly Turn[]>;
}
