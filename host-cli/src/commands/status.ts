import { KEBAB_VERSION, type Status } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printable } from '../io/printable.ts';
import { homePath } from '../screen/home-path.ts';
import { counted, durationText } from '../screen/quantities.ts';
import type { Screen } from '../screen/screen.ts';
import { padWidth, textWidth, wrapWords } from '../screen/text-width.ts';

const LABEL_COLUMNS = 10;

/** `kebab status`, and `kebab` alone: how the knowledge base stands, on one screen. */
export async function status(context: CommandContext): Promise<ExitCode> {
  const app = await context.openApp();
  const found = await app.status({ signal: context.signal });
  await context.show(found, renderStatus);
  return EXIT.ok;
}

function renderStatus(found: Status, screen: Screen): string {
  const { colors, homeDir, columns } = screen;
  const row = (label: string, text: string, paint: (line: string) => string = String): string => {
    const lines = wrapWords(text, (columns ?? Infinity) - LABEL_COLUMNS);
    return lines.map((line, at) => `${(at === 0 ? label : '').padEnd(LABEL_COLUMNS)}${paint(line)}\n`).join('');
  };
  return [
    row('kebab', `${KEBAB_VERSION}  ${homePath(found.database, homeDir)}`),
    found.sources.length === 0 ? row('sources', 'none yet') : sourceRows(found, screen),
    row('index', indexText(found)),
    found.changes === null ? '' : row('changes', changesText(found.changes)),
    found.not_taken_in === 0
      ? ''
      : row('failed', `${counted(found.not_taken_in, 'file')} could not be taken in: kebab doctor`),
    row('meaning', embeddingText(found.embedding)),
    row('answers', answersText(found.answers)),
    ...found.notes.map((note) => row('note', printable(homePath(note, homeDir)))),
    row('next', found.next, colors.bold),
  ].join('');
}

/** A row a source: its name, its folder, how many documents it has. */
function sourceRows({ sources }: Status, { homeDir, colors }: Screen): string {
  const width = Math.max(0, ...sources.map(({ id }) => textWidth(id)));
  return sources
    .map(({ id, root, documents, readable }, at) => {
      const label = at === 0 ? 'sources' : '';
      const state = readable ? counted(documents, 'document') : colors.red('cannot be read');
      const place = printable(homePath(root, homeDir));
      return `${label.padEnd(LABEL_COLUMNS)}${padWidth(printable(id), width)}  ${place}  ${state}\n`;
    })
    .join('');
}

function indexText({ documents, chunks, last_ingest_at }: Status): string {
  if (last_ingest_at === null) return 'nothing yet';
  return `${counted(documents, 'document')}, ${counted(chunks, 'passage')}; last ingest ${agoText(last_ingest_at)}`;
}

const DAY_MS = 86_400_000;

function agoText(time: string): string {
  const ms = Math.max(0, Date.now() - Date.parse(time));
  return ms < 2 * DAY_MS ? `${durationText(ms)} ago` : `${Math.floor(ms / DAY_MS)} days ago`;
}

function changesText({ added, changed, gone }: NonNullable<Status['changes']>): string {
  if (added + changed + gone === 0) return 'none since then';
  const parts = [
    ...(added > 0 ? [`${added} new`] : []),
    ...(changed > 0 ? [`${changed} changed`] : []),
    ...(gone > 0 ? [`${gone} gone`] : []),
  ];
  return `${parts.join(', ')} since then`;
}

function embeddingText({ state, model, pending }: Status['embedding']): string {
  switch (state) {
    case 'off':
      return 'off: search is by words';
    case 'ready':
      return pending === 0 ? model : `${model}; ${counted(pending, 'document')} to embed`;
    case 'missing':
      return `${model} is not here, search is by words (kebab models pull)`;
    default:
      return state satisfies never;
  }
}

function answersText({ state, model, endpoint }: Status['answers']): string {
  switch (state) {
    case 'off':
      return 'off';
    case 'ready':
      return model;
    case 'missing':
      return `${model} does not answer at ${endpoint}; only kebab ask needs it`;
    default:
      return state satisfies never;
  }
}
