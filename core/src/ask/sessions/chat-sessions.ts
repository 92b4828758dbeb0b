import type { SessionRepo } from '../../contracts/session-repo.ts';
import type { ChatSession, Turn } from '../../domain/turn.ts';
import { invalidInput } from '../../errors/invalid-input.ts';
import { isKebabError } from '../../errors/kebab-error.ts';
import { nearestName } from '../../errors/nearest-name.ts';
import type { Ports } from '../../ports.ts';
import type { AnswerCitation, SessionSummary, SessionTurn, SessionTurns } from '../../wire/index.ts';
import { isGrounded } from './open-session.ts';

type SessionPorts = Pick<Ports, 'sessions'>;

/** Every conversation, the one used last first; none without a database. */
export async function listSessions({ sessions }: SessionPorts): Promise<readonly SessionSummary[]> {
  const repo = await openRepo(sessions);
  return (repo?.listSessions() ?? []).map((session) => toSummary(session, repo?.listTurns(session.sessionId) ?? []));
}

/** A conversation with its turns. Throws `invalid_input` when there is none of that name. */
export async function showSession({ sessions }: SessionPorts, name: string): Promise<SessionTurns> {
  const { session, turns } = find(await openRepo(sessions), name);
  return { schema_version: 'session_turns.v1', session: toSummary(session, turns), turns: turns.map(toTurn) };
}

/** Removes a conversation and returns what it was. Throws `invalid_input` when there is none of that name. */
export async function deleteSession({ sessions }: SessionPorts, name: string): Promise<SessionSummary> {
  const { session, turns } = find(await openRepo(sessions), name);
  (await sessions.write()).deleteSession(name);
  return toSummary(session, turns);
}

async function openRepo(sessions: Ports['sessions']): Promise<SessionRepo | null> {
  try {
    return await sessions.read();
  } catch (error) {
    if (isKebabError(error, 'not_indexed')) return null;
    throw error;
  }
}

function find(
  repo: SessionRepo | null,
  name: string,
): { readonly session: ChatSession; readonly turns: readonly Turn[] } {
  const session = repo?.getSession(name) ?? null;
  if (repo !== null && session !== null) return { session, turns: repo.listTurns(name) };
  const known = (repo?.listSessions() ?? []).map(({ sessionId }) => sessionId);
  throw invalidInput(`there is no session ${JSON.stringify(name)}`, {
    field: 'session',
    value: name,
    suggestion: nearestName(name, known),
    hint: 'see `kebab sessions list`',
  });
}

function toSummary({ sessionId, title, createdAt, updatedAt }: ChatSession, turns: readonly Turn[]): SessionSummary {
  return {
    schema_version: 'session_summary.v1',
    conversation_id: sessionId,
    title,
    turn_count: turns.length,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

function toTurn(turn: Turn, index: number): SessionTurn {
  return {
    turn_index: index,
    question: turn.question,
    answer: turn.answer,
    grounded: isGrounded(turn),
    citations: JSON.parse(turn.citationsJson) as readonly AnswerCitation[],
    created_at: turn.createdAt.toISOString(),
  };
}
