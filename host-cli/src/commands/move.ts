import { invalidInput, printable, type MoveProgress, type MoveReport } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { drawnProgress } from '../progress/drawn-line.ts';
import { homePath } from '../screen/shown-values.ts';
import type { Screen } from '../screen/screen.ts';
import { padWidth } from '../screen/text-width.ts';

/** `kebab move`: copies the knowledge base to another store. What an interrupted move has copied stays. */
export async function move(context: CommandContext): Promise<void> {
  const { signal, values } = context;
  const to = values.text('to');
  if (to === undefined)
    throw invalidInput('move needs --to', { field: '--to', hint: 'for example `kebab move --to ~/copy.sqlite`' });
  const app = await context.openApp();
  const line = drawnProgress(context);
  const onProgress = (progress: MoveProgress): void => line.draw(() => progressText(progress));
  const request = {
    to,
    qdrant: values.text('qdrant'),
    withoutVectors: values.has('without-vectors'),
    dryRun: values.has('dry-run'),
    switchTo: values.has('switch'),
  };
  const report = await app.move(request, { signal, onProgress }).finally(() => line.erase());
  context.show(report, renderMoved);
}

/** The progress of a move, in one line. */
function progressText({ part, done, total, isCheck }: MoveProgress): string {
  const count = total === null || isCheck ? `${done}` : `${done} of ${total}`;
  return `${isCheck ? 'comparing' : 'copying'}  ${part.replace('_', ' ')}  ${count}`;
}

const PART_COLUMNS = 13;

/** The parts that were copied, one per line, their hash, and how to use the copy. */
function renderMoved(report: MoveReport, { homeDir }: Screen): string {
  const [from, to] = [report.from, report.to].map((place) => homePath(place, homeDir));
  const parts = report.parts.filter(({ count }) => count > 0);
  const lines = parts.map(({ part, count, copied }) => {
    const before = copied < count ? `  (${count - copied} already there)` : '';
    return `${padWidth(printable(part.replace('_', ' ')), PART_COLUMNS)}  ${count}${before}\n`;
  });
  const verb = report.dry_run ? 'would move' : 'moved';
  return [
    `${verb} ${from} to ${to}\n`,
    ...lines,
    `${padWidth('hash', PART_COLUMNS)}  ${printable(report.hash)}${report.dry_run ? '' : ', the same in both'}\n`,
    ...(report.dry_run ? [] : settingsText(report)),
  ].join('');
}

function settingsText({ settings, switched, words_pending: wordsPending = false }: MoveReport): readonly string[] {
  const words = wordsPending ? '  kebab ingest                                # indexes its words\n' : '';
  if (switched)
    return ['the configuration names the copy now\n', ...(wordsPending ? ['to find its words:\n', words] : [])];
  return [
    'to work with the copy:\n',
    ...settings.map(({ key, value }) => `  kebab config set ${printable(key)} ${printable(value)}\n`),
    words,
  ];
}
