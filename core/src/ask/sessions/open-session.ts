import type { SessionRepo } from '../../contracts/session-repo.ts';
import { firstChars } from '../../domain/text-size.ts';
import type { HistoryItem, Turn } from '../../domain/turn.ts';
import type { Answer, AnswerCitation } from '../../wire/index.ts';
import { plainQuery } from '../retrieval/retrieve-evidence.ts';

const TITLE_CHARS = 80;

/** A conversation as a question finds it. */
export interface OpenSession {
  readonly sessionId: string;
  /** The index that the next turn will take. */
  readonly nextIndex: number;
  /** The items of each turn, oldest first. */
  readonly history: readonly (readonly HistoryItem[])[];
  /** The answer of the last turn; null when that was a refusal, or there is none. */
  readonly lastAnswer: string | null;
}

/** Reads a conversation; one that does not exist yet is empty. */
export function openSession(repo: SessionRepo, sessionId: string): OpenSession {
  const turns = repo.listTurns(sessionId);
  const last = turns.at(-1);
  return {
    sessionId,
    nextIndex: turns.length,
    history: turns.map(({ items }) => items),
    lastAnswer: last !== undefined && isGrounded(last) ? last.answer : null,
  };
}

/** What is looked up for a question of a conversation: its text with the beginning of the answer before it. */
export function expandedQuery(text: string, session: OpenSession | null, expandChars: number): string {
  if (session?.lastAnswer == null || text === '') return text;
  const before = firstChars(session.lastAnswer.replaceAll(/ ?\[\d{1,3}\]/g, ''), expandChars);
  return `${text} ${plainQuery(before)}`.trim();
}

/** What a conversation began with, kept beside it. */
export interface SessionSettings {
  readonly model: Answer['model'];
  readonly template: string;
  readonly maxContextTokens: number;
}

/** Adds a turn, and the conversation itself with the first one. Throws `locked` when somebody else took the index. */
export function appendTurn(
  repo: SessionRepo,
  { sessionId, nextIndex }: OpenSession,
  turn: Turn,
  { model, template, maxContextTokens }: SessionSettings,
): void {
  const snapshot = { prompt_template_version: template, model, max_context_tokens: maxContextTokens };
  repo.createSession({
    sessionId,
    title: firstChars(turn.question.replaceAll(/\s+/g, ' ').trim(), TITLE_CHARS),
    configSnapshotJson: JSON.stringify(snapshot),
    createdAt: turn.createdAt,
    updatedAt: turn.createdAt,
  });
  repo.appendTurn(sessionId, turn, nextIndex);
}

/** A refusal cites nothing by a marker. */
export function isGrounded({ citationsJson }: Turn): boolean {
  const citations = JSON.parse(citationsJson) as readonly Pick<AnswerCitation, 'marker'>[];
  return citations.some(({ marker }) => marker !== null);
}
