import type { SessionSummary, SessionTurns } from '@kebab/core/app';
import { counted } from './counted.ts';
import { printable, printableLines } from '../io/printable.ts';
import type { Screen } from './screen.ts';

/** One conversation as one line: when it was last used, how long it is, its name and its first question. */
export function renderSessionLine(session: SessionSummary, { colors }: Screen): string {
  const { updated_at, turn_count, conversation_id, title } = session;
  const time = updated_at.slice(0, 16).replace('T', ' ');
  const parts = [
    colors.dim(printable(time)),
    counted(turn_count, 'turn').padEnd(8),
    colors.cyan(printable(conversation_id)),
  ];
  return `${[...parts, printable(title ?? '')].join('  ').trimEnd()}\n`;
}

/** A conversation: each question with its answer and what that cites. */
export function renderSession({ session, turns }: SessionTurns, screen: Screen): string {
  const { colors } = screen;
  const shown = turns.map(({ question, answer, citations }) => {
    const cited = citations.filter(({ marker }) => marker !== null);
    const places = cited.map(({ marker, citation }) => `${marker ?? ''} ${colors.cyan(printable(citation.uri))}\n`);
    return `\n${colors.bold(`> ${printableLines(question)}`)}\n\n${printableLines(answer)}\n${places.join('')}`;
  });
  return `${renderSessionLine(session, screen)}${shown.join('')}`;
}

/** What was removed. */
export function renderSessionRemoved({ conversation_id, turn_count }: SessionSummary): string {
  return `removed  ${printable(conversation_id)} (${counted(turn_count, 'turn')})\n`;
}
