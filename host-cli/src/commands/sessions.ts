import { printable, printableLines, type SessionSummary, type SessionTurns } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { reporting } from '../command/reporting.ts';
import { groundedMark, markedLines, renderVerdict } from './answer-marks.ts';
import { citedUri, counted } from '../screen/shown-values.ts';
import type { Screen } from '../screen/screen.ts';

/** `kebab sessions list`: conversations, the most recent first. */
export async function sessionsList(context: CommandContext): Promise<void> {
  const app = await context.openApp();
  const sessions = await app.listSessions({ signal: context.signal });
  for (const session of sessions) context.show(session, renderLine);
  if (sessions.length === 0 && !context.json) context.print('no sessions\n');
}

/** `kebab sessions show`: a conversation with its questions and answers. */
export const sessionsShow = reporting(
  (app, { values, signal }) => app.showSession(values.arg('NAME'), { signal }),
  renderSession,
);

/** `kebab sessions delete`: deletes a conversation. */
export const sessionsDelete = reporting(
  (app, { values, signal }) => app.deleteSession(values.arg('NAME'), { signal }),
  renderRemoved,
);

/** One conversation in one line: when it was last used, its length, its name and its first question. */
function renderLine(session: SessionSummary, { colors }: Screen): string {
  const { updated_at, turn_count, conversation_id, title } = session;
  const time = updated_at.slice(0, 16).replace('T', ' ');
  const parts = [
    colors.dim(printable(time)),
    counted(turn_count, 'turn').padEnd(8),
    colors.cyan(printable(conversation_id)),
  ];
  return `${[...parts, printable(title ?? '')].join('  ').trimEnd()}\n`;
}

/** A conversation: each question with its answer, its failed claims, and its citations. */
function renderSession({ session, turns }: SessionTurns, screen: Screen): string {
  return `${renderLine(session, screen)}${turns.map((turn) => renderTurn(turn, screen)).join('')}`;
}

function renderTurn(turn: SessionTurns['turns'][number], screen: Screen): string {
  const { colors } = screen;
  const cited = turn.citations.filter(({ marker }) => marker !== null);
  const places = cited.map(({ marker, citation }) => `${marker ?? ''} ${colors.cyan(printable(citedUri(citation)))}\n`);
  const answer = markedLines(turn, screen).map(({ text }) => text);
  return `\n${colors.bold(`> ${printableLines(turn.question)}`)}\n\n${answer.join('\n')}\n${places.join('')}${verdictText(turn, screen)}`;
}

/** How an answer was checked; turns of earlier versions do not record that. */
function verdictText(
  { grounded, refusal_reason: reason, ...turn }: SessionTurns['turns'][number],
  screen: Screen,
): string {
  if (reason === undefined) return '';
  const verdict = renderVerdict({ ...turn, refusal_reason: reason, unsupported: turn.unsupported ?? [] }, screen);
  return `${verdict}${groundedMark(grounded, screen.colors)}\n`;
}

function renderRemoved({ conversation_id, turn_count }: SessionSummary): string {
  return `removed  ${printable(conversation_id)} (${counted(turn_count, 'turn')})\n`;
}
