import { describe, it } from 'vitest';
import type { SessionRepo } from '../../../core/src/contracts/session-repo.ts';
import type { ChatSession, Turn } from '../../../core/src/domain/turn.ts';
import { invalidInput } from '../../../core/src/errors/invalid-input.ts';
import { KebabError } from '../../../core/src/errors/kebab-error.ts';
import { sessionRepoSuite } from '../../src/log-suites.ts';
import { changed } from '../../../core/test/changed.ts';
import { expectAllCaught } from './mutants.ts';

type Mutate = (sound: SessionRepo) => SessionRepo;

/** Sessions in memory. */
class MemorySessions implements SessionRepo {
  readonly sessions = new Map<string, ChatSession>();
  readonly turns = new Map<string, Turn[]>();

  async createSession(session: ChatSession): Promise<void> {
    if (this.sessions.has(session.sessionId)) return;
    this.sessions.set(session.sessionId, session);
    this.turns.set(session.sessionId, []);
  }

  async getSession(id: string): Promise<ChatSession | null> {
    return this.sessions.get(id) ?? null;
  }

  async listSessions(): Promise<readonly ChatSession[]> {
    return [...this.sessions.values()].toSorted((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime());
  }

  async deleteSession(id: string): Promise<void> {
    this.sessions.delete(id);
    this.turns.delete(id);
  }

  async appendTurn(sessionId: string, turn: Turn, index: number): Promise<void> {
    const session = this.sessions.get(sessionId);
    const turns = this.turns.get(sessionId);
    if (session === undefined || turns === undefined) throw invalidInput(`there is no session ${sessionId}`);
    if (turns.length !== index)
      throw new KebabError('locked', 'another writer was first', { details: { path: ':memory:', pid: null } });
    turns.push(turn);
    this.sessions.set(sessionId, { ...session, updatedAt: turn.createdAt });
  }

  async listTurns(sessionId: string): Promise<readonly Turn[]> {
    return [...(this.turns.get(sessionId) ?? [])];
  }
}

const broken =
  (change: (sound: MemorySessions) => Partial<SessionRepo>): Mutate =>
  (sound) =>
    changed(sound, change(sound as MemorySessions));

describe('sessionRepoSuite', () => {
  it('detects every mutation', async () => {
    await expectAllCaught<Mutate>(
      (mutate) =>
        sessionRepoSuite({
          open: () => {
            const sound = new MemorySessions();
            return mutate?.(sound) ?? sound;
          },
        }),
      {
        'overwrites a session': broken((sound) => ({
          createSession: async (session) => {
            await sound.createSession(session);
            sound.sessions.set(session.sessionId, session);
          },
        })),
        'forgets the title': broken((sound) => ({
          createSession: (session) => sound.createSession({ ...session, title: null }),
        })),
        'lists the oldest first': broken((sound) => ({
          listSessions: async () => (await sound.listSessions()).toReversed(),
        })),
        'does not update a session': broken((sound) => ({
          appendTurn: async (id, turn, index) => {
            const before = await sound.getSession(id);
            await sound.appendTurn(id, turn, index);
            if (before !== null) sound.sessions.set(id, before);
          },
        })),
        'returns turns newest first': broken((sound) => ({
          listTurns: async (id) => (await sound.listTurns(id)).toReversed(),
        })),
        'lets the second writer win': broken((sound) => ({
          appendTurn: async (id, turn, index) => {
            sound.turns.set(id, (await sound.listTurns(id)).slice(0, index));
            await sound.appendTurn(id, turn, index);
          },
        })),
        'accepts turns of an unknown session': broken((sound) => ({
          appendTurn: async (id, turn, index) => {
            if ((await sound.getSession(id)) !== null) await sound.appendTurn(id, turn, index);
          },
        })),
        'keeps the turns of a deleted session': broken((sound) => ({
          deleteSession: async (id) => {
            const turns = sound.turns.get(id) ?? [];
            await sound.deleteSession(id);
            sound.turns.set(id, turns);
          },
        })),
        'deletes every session': broken((sound) => ({ deleteSession: async () => sound.sessions.clear() })),
        'deletes no session': broken(() => ({ deleteSession: async () => {} })),
        'loses the items of a turn': broken((sound) => ({
          appendTurn: (id, turn, index) => sound.appendTurn(id, { ...turn, items: [] }, index),
        })),
      },
      (sound) => changed(sound, {}),
    );
  });
});
