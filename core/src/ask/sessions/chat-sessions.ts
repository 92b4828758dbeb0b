import type { SessionRepo } from '../../contracts/session-repo.ts';
import { openStore } from '../../documents/open-store.ts';
import { firstChars } from '../../domain/text-size.ts';
import type { ChatSession, Turn, HistoryItem } from '../../domain/turn.ts';
import { invalidInput, nearestName } from '../../errors/invalid-input.ts';
import { isKebabError } from '../../errors/kebab-error.ts';
import type { Ports } from '../../ports.ts';
import type { AnswerCitation, SessionSummary, SessionTurn, SessionTurns, Answer } from '../../wire/index.ts';
import { plainQuery } from '../retrieval/retrieve-evidence.ts';

type SessionPorts = Pick<Ports, 'sessions'>;

/**
 * Every conversation, most recently used first; empty without a database. Throws `not_indexed` for a database with another schema version.
 */
export async function listSessions({ sessions }: SessionPorts): Promise<readonly SessionSummary[]> {
  const repo = await openStore(sessions);
  if (repo === null) return [];
  const listed = await repo.listSessions();
  return Promise.all(listed.map(async (session) => toSummary(session, await repo.listTurns(session.sessionId))));
}

/** A conversation with its turns. Throws `invalid_input` for an unknown name. */
export async function showSession({ sessions }: SessionPorts, name: string): Promise<SessionTurns> {
  const { session, turns } = await find(await openStore(sessions), name);
  return { schema_version: 'session_turns.v1', session: toSummary(session, turns), turns: turns.map(toTurn) };
}

/** Deletes a conversation and returns its summary. Throws `invalid_input` for an unknown name. */
export async function deleteSession({ sessions }: SessionPorts, name: string): Promise<SessionSummary> {
  const { session, turns } = await find(await openStore(sessions), name);
  await (await sessions.write()).deleteSession(name);
  return toSummary(session, turns);
}

async function find(
  repo: SessionRepo | null,
  name: string,
): Promise<{ readonly session: ChatSession; readonly turns: readonly Turn[] }> {
  const session = (await repo?.getSession(name)) ?? null;
  if (repo !== null && session !== null) return { session, turns: await repo.listTurns(name) };
  const known = ((await repo?.listSessions()) ?? []).map(({ sessionId }) => sessionId);
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
    ...verdictOf(turn),
    citations: JSON.parse(turn.citationsJson) as readonly AnswerCitation[],
    created_at: turn.createdAt.toISOString(),
  };
}

const TITLE_CHARS = 80;

/** A conversation when a question is asked. */
export interface OpenSession {
  readonly sessionId: string;
  /** The index of the next turn. */
  readonly nextIndex: number;
  /** The items of each turn, oldest first. */
  readonly history: readonly (readonly HistoryItem[])[];
  /** The answer of the last turn; null when that was a refusal, or there is none. */
  readonly lastAnswer: string | null;
}

/** Reads a conversation; a nonexistent one is empty. */
export async function openSession(repo: SessionRepo, sessionId: string): Promise<OpenSession> {
  const turns = await repo.listTurns(sessionId);
  const last = turns.at(-1);
  return {
    sessionId,
    nextIndex: turns.length,
    history: turns.map(({ items }) => items),
    lastAnswer: last !== undefined && verdictOf(last).grounded ? last.answer : null,
  };
}

/** The search query for a question of a conversation: its text with the beginning of the previous answer. */
export function expandedQuery(text: string, session: OpenSession | null, expandChars: number): string {
  if (session?.lastAnswer == null || text === '') return text;
  const before = firstChars(session.lastAnswer.replaceAll(/ ?\[\d{1,3}\]/g, ''), expandChars);
  return `${text} ${plainQuery(before)}`.trim();
}

/** The initial settings of a conversation, stored with it. */
interface SessionSettings {
  readonly model: Answer['model'];
  readonly template: string;
  readonly maxContextTokens: number;
}

/**
 * Appends a turn, behind those that others have added meanwhile, and creates the conversation with the first one. Returns its index. Throws
 * `locked` for a store that cannot be written.
 */
export async function appendTurn(
  repo: SessionRepo,
  { sessionId, nextIndex }: OpenSession,
  turn: Turn,
  { model, template, maxContextTokens }: SessionSettings,
): Promise<number> {
  const snapshot = { prompt_template_version: template, model, max_context_tokens: maxContextTokens };
  await repo.createSession({
    sessionId,
    title: firstChars(turn.question.replaceAll(/\s+/g, ' ').trim(), TITLE_CHARS),
    configSnapshotJson: JSON.stringify(snapshot),
    createdAt: turn.createdAt,
    updatedAt: turn.createdAt,
  });
  for (let index = nextIndex; ;) {
    try {
      await repo.appendTurn(sessionId, turn, index);
      return index;
    } catch (error) {
      const { length } = await repo.listTurns(sessionId);
      if (!isKebabError(error, 'locked') || length <= index) throw error;
      index = length;
    }
  }
}

/** The stored verdict on an answer. */
type Verdict = Pick<SessionTurn, 'grounded' | 'refusal_reason' | 'unsupported' | 'checks' | 'failure'>;

/** A stored answer item with its verdict. */
interface JudgedItem extends HistoryItem {
  readonly verdict: Verdict;
}

/** The answer item at the end of a turn. */
export function answerItem(answer: Answer): JudgedItem {
  const { grounded, refusal_reason, unsupported, checks, failure } = answer;
  const verdict: Verdict = {
    grounded,
    refusal_reason,
    unsupported,
    ...(checks === undefined ? {} : { checks }),
    ...(failure === undefined ? {} : { failure }),
  };
  return { role: 'assistant', text: answer.answer, verdict };
}

/** The stored verdict on the answer of a turn. */
function verdictOf({ items }: Turn): Verdict {
  const last = items.at(-1) as JudgedItem | undefined;
  return last?.verdict ?? { grounded: false };
}
