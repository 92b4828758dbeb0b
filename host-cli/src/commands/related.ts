import { printable, type Related } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { atPlaceMeant } from '../command/place-meant-by.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { Screen } from '../screen/screen.ts';
import { fitStart } from '../screen/text-width.ts';
import { citedQueryOf } from './snap.ts';

/** `kebab related`: what is linked with a document, near it, or a copy of it. */
export async function related(context: CommandContext): Promise<ExitCode> {
  const { values, signal } = context;
  const app = await context.openApp();
  const options = { limit: values.number('limit'), refresh: !values.has('no-refresh'), signal };
  const query = await citedQueryOf(context, app);
  const around = await atPlaceMeant(query, { context, app }, (meant) => app.related(meant, options));
  context.show(around, render);
  const { links_out: out, links_in: into, nearest, near_copies: copies } = around;
  return [out, into, nearest, copies].some(({ length }) => length > 0) ? EXIT.ok : EXIT.nothing;
}

/** Sections of places, each with its title; empty sections are left out. */
function render(around: Related, screen: Screen): string {
  const { counts } = around;
  const titled = ({ uri, title }: { readonly uri: string; readonly title: string }) => row(uri, title, screen);
  const sections: readonly (readonly [title: string, count: number, rows: readonly string[]])[] = [
    ['links to', counts.links_out, around.links_out.map(titled)],
    ['linked from', counts.links_in, around.links_in.map(titled)],
    [
      'links to nothing',
      counts.unresolved,
      around.unresolved.map(({ target, line }) => row(target, `line ${line}`, screen)),
    ],
    ['near copies', counts.near_copies, around.near_copies.map(titled)],
    [
      'nearest',
      around.nearest.length,
      around.nearest.map(({ uri, section, snippet }) => row(uri, section ?? snippet, screen)),
    ],
  ];
  const { colors } = screen;
  const present = sections.filter(([, , rows]) => rows.length > 0);
  if (present.length === 0) return `nothing is related to ${printable(around.uri)}\n`;
  return present
    .map(([title, count, rows]) => {
      const more = count > rows.length ? `  … ${count - rows.length} more: --limit ${Math.min(count, 100)}\n` : '';
      return `${colors.bold(title)}\n${rows.join('')}${more}`;
    })
    .join('\n');
}

function row(place: string, note: string, { columns, colors }: Screen): string {
  const words = printable(note.replaceAll(/\s+/g, ' ').trim());
  const width = (columns ?? Infinity) - place.length - 4;
  const shown = width < 12 ? '' : `  ${colors.dim(fitStart(words, width))}`;
  return `  ${colors.cyan(printable(place))}${shown}\n`;
}
