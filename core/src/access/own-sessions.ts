import type { SessionRepo } from '../contracts/session-repo.ts';
import type { ChatSession } from '../domain/turn.ts';
import type { StorePort } from '../ports.ts';

/** No name of a session contains it. */
const SEPARATOR = '/';

/** The conversations of one caller: their names begin with its id where they are stored, and no others are seen. */
export function ownSessions(port: StorePort<SessionRepo>, owner: string): StorePort<SessionRepo> {
  const prefix = `${encodeURIComponent(owner)}${SEPARATOR}`;
  const stored = (id: string): string => prefix + id;
  const shown = (session: ChatSession): ChatSession => ({
    ...session,
    sessionId: session.sessionId.slice(prefix.length),
  });
  const own = (repo: SessionRepo): SessionRepo => ({
    createSession: (session) => repo.createSession({ ...session, sessionId: stored(session.sessionId) }),
    getSession: async (id) => {
      const session = await repo.getSession(stored(id));
      return session === null ? null : shown(session);
    },
    listSessions: async () =>
      (await repo.listSessions()).filter(({ sessionId }) => sessionId.startsWith(prefix)).map(shown),
    deleteSession: (id) => repo.deleteSession(stored(id)),
    appendTurn: (id, turn, index) => repo.appendTurn(stored(id), turn, index),
    listTurns: (id) => repo.listTurns(stored(id)),
  });
  return { read: async () => own(await port.read()), write: async () => own(await port.write()) };
}
