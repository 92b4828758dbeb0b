import { invalidInput, printable, type SearchHistory as ShownHistory } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { readHistory, writeHistory } from '../command/search-history.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { Screen } from '../screen/screen.ts';
import { searchCommand } from './search-notices.ts';

/** `kebab history`: the last searches and the saved ones, as commands to run again. */
export async function history(context: CommandContext): Promise<ExitCode> {
  const { values, readonly } = context;
  const known = readHistory(context);
  const forgotten = values.text('forget');
  const removes = forgotten !== undefined || values.has('clear');
  if (removes && readonly) throw invalidInput('read-only mode removes nothing', { field: '--readonly' });
  if (forgotten !== undefined && !Object.hasOwn(known.saved, forgotten))
    throw invalidInput(`no search is saved as ${JSON.stringify(forgotten)}`, {
      field: '--forget',
      value: forgotten,
      allowed: Object.keys(known.saved),
    });
  const saved = Object.fromEntries(Object.entries(known.saved).filter(([name]) => name !== forgotten));
  const left = values.has('clear') ? { hits: {}, searches: [], saved } : { ...known, saved };
  if (removes) writeHistory(context, left);
  const shown: ShownHistory = {
    schema_version: 'search_history.v1',
    saved: Object.entries(left.saved).map(([name, request]) => {
      return { name, query: request.query, command: searchCommand(request) };
    }),
    searches: left.searches.slice(0, values.number('limit') ?? SHOWN).map(({ request, at, hits }) => {
      return { at, hits, query: request.query, command: searchCommand(request) };
    }),
  };
  context.show(shown, render);
  return removes || shown.saved.length + shown.searches.length > 0 ? EXIT.ok : EXIT.nothing;
}

const SHOWN = 20;

function render({ saved, searches }: ShownHistory, { colors }: Screen): string {
  const width = Math.max(0, ...saved.map(({ name }) => name.length + 1));
  const rows = [
    ...saved.map(({ name, command }) => `${colors.cyan(`@${name}`.padEnd(width))}  ${printable(command)}`),
    ...searches.map(({ at, hits, command }) => {
      const when = new Date(at).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
      return `${colors.dim(`${when}  ${String(hits).padStart(3)} ${hits === 1 ? 'hit ' : 'hits'}`)}  ${printable(command)}`;
    }),
  ];
  return rows.length === 0 ? 'no searches\n' : `${rows.join('\n')}\n`;
}
