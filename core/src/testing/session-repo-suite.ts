import assert from 'node:assert/strict';
import type { SessionRepo } from '../contracts/session-repo.ts';
import type { ChatSession, Turn } from '../domain/turn.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { ContractSuite } from './contract-suite.ts';

/** What {@link sessionRepoSuite} needs. */
export interface SessionRepoSuiteOptions {
  /** Opens a repository without sessions. */
  readonly open: () => SessionRepo | Promise<SessionRepo>;
}

/** The promises of a session repository: turns in order, one an index, and deleting a session deletes its turns. */
export function sessionRepoSuite({ open }: SessionRepoSuiteOptions): ContractSuite {
  const promise = (name: string, check: (sessions: SessionRepo) => void): ContractSuite['cases'][number] => ({
    name,
    run: async () => check(await open()),
  });
  return {
    contract: 'SessionRepo',
    cases: [
      promise('gives a session back as it was created', (sessions) => {
        const named = session('work', { title: 'What is "kebab"?', configSnapshotJson: '{"template":"rag-v2"}' });
        sessions.createSession(named);
        sessions.createSession(session('other'));
        assert.deepEqual(sessions.getSession('work'), named);
        assert.deepEqual(sessions.getSession('other'), session('other'));
        assert.equal(sessions.getSession('none'), null);
      }),
      promise('keeps a session that is created once more', (sessions) => {
        sessions.createSession(session('work', { title: 'first' }));
        sessions.createSession(session('work', { title: 'second' }));
        assert.equal(sessions.getSession('work')?.title, 'first');
      }),
      promise('lists sessions, the one used last first', (sessions) => {
        sessions.createSession(session('a', { updatedAt: new Date(1000) }));
        sessions.createSession(session('b', { updatedAt: new Date(3000) }));
        sessions.appendTurn('a', turn('later', new Date(5000)), 0);
        assert.deepEqual(
          sessions.listSessions().map(({ sessionId }) => sessionId),
          ['a', 'b'],
        );
        assert.deepEqual(sessions.getSession('a')?.updatedAt, new Date(5000));
      }),
      promise('gives turns back in order, as they were appended', (sessions) => {
        sessions.createSession(session('work'));
        const turns = ['one', 'two', '셋 𝒜'].map((question) => turn(question, new Date(7000)));
        turns.forEach((one, index) => sessions.appendTurn('work', one, index));
        assert.deepEqual(sessions.listTurns('work'), turns);
        assert.deepEqual(sessions.listTurns('none'), []);
      }),
      promise('lets one of two writers have an index; the other is locked out and changes nothing', (sessions) => {
        sessions.createSession(session('work'));
        sessions.appendTurn('work', turn('mine', new Date(7000)), 0);
        assert.throws(
          () => sessions.appendTurn('work', turn('yours', new Date(9000)), 0),
          (error) => isKebabError(error, 'locked'),
        );
        assert.deepEqual(sessions.listTurns('work'), [turn('mine', new Date(7000))]);
        assert.deepEqual(sessions.getSession('work')?.updatedAt, new Date(7000));
      }),
      promise('refuses a turn of a session that does not exist', (sessions) => {
        assert.throws(
          () => sessions.appendTurn('none', turn('q', new Date(0)), 0),
          (error) => isKebabError(error, 'invalid_input'),
        );
      }),
      promise('deletes a session with its turns, and no other', (sessions) => {
        for (const id of ['a', 'b']) {
          sessions.createSession(session(id));
          sessions.appendTurn(id, turn(id, new Date(0)), 0);
        }
        sessions.deleteSession('a');
        sessions.deleteSession('none');
        assert.deepEqual([sessions.getSession('a'), sessions.listTurns('a')], [null, []]);
        assert.equal(sessions.listTurns('b').length, 1);
        sessions.createSession(session('a'));
        assert.deepEqual(sessions.listTurns('a'), []);
      }),
    ],
  };
}

function session(sessionId: string, rest: Partial<ChatSession> = {}): ChatSession {
  const at = new Date('2026-01-01T00:00:00Z');
  return { sessionId, title: null, configSnapshotJson: '{}', createdAt: at, updatedAt: at, ...rest };
}

function turn(question: string, createdAt: Date): Turn {
  const items = [{ role: 'user', text: question } as const, { role: 'assistant', text: 'yes' } as const];
  return { question, answer: `answer to ${question}`, citationsJson: '[{"marker":"[1]"}]', items, createdAt };
}
