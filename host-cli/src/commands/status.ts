import { KEBAB_VERSION, printable, type Status, type Doctor, type DoctorCheck } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { unreadFormats } from '../command/own-formats.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { homePath, counted, durationText } from '../screen/shown-values.ts';
import type { Screen } from '../screen/screen.ts';
import { alignColumns, padWidth, textWidth, wrapWords } from '../screen/text-width.ts';

const LABEL_COLUMNS = 10;

/** `kebab status`, and `kebab` without arguments: the state of the knowledge base, on one screen. */
export async function status(context: CommandContext): Promise<void> {
  const app = await context.openApp();
  const report = await app.status({ signal: context.signal });
  const formats = context.json ? null : await unreadFormats(app, report.unsupported);
  context.show(report, (shown, screen) => renderStatus(shown, screen, formats));
}

function renderStatus(report: Status, screen: Screen, formats: string | null): string {
  const { colors, homeDir, columns } = screen;
  const row = (label: string, text: string, paint: (line: string) => string = String): string => {
    const lines = wrapWords(text, (columns ?? Infinity) - LABEL_COLUMNS);
    return lines.map((line, at) => `${(at === 0 ? label : '').padEnd(LABEL_COLUMNS)}${paint(line)}\n`).join('');
  };
  return [
    row('kebab', `${KEBAB_VERSION}  ${homePath(report.database, homeDir)}`),
    report.sources.length === 0 ? row('sources', 'none yet') : sourceRows(report, screen),
    row('index', indexText(report)),
    report.changes === null ? '' : row('changes', changesText(report.changes, report.sources)),
    report.queue === undefined ? '' : row('queue', queueText(report.queue)),
    report.left_out === undefined ? '' : row('left out', leftOutText(report.left_out)),
    formats === null ? '' : row('unread', formats),
    report.not_taken_in === 0
      ? ''
      : row('failed', `${counted(report.not_taken_in, 'file')} could not be indexed: kebab doctor`),
    row('meaning', embeddingText(report.embedding)),
    row('answers', answersText(report.answers)),
    ...report.notes.map((note) => row('note', printable(homePath(note, homeDir)))),
    row('next', report.next, colors.bold),
  ].join('');
}

/** The files that are left out for their size or content: by name while they are few. */
function leftOutText({ files, examples }: NonNullable<Status['left_out']>): string {
  const what = files > examples.length ? counted(files, 'file') : examples.map(printable).join(', ');
  return `${what}: kebab list docs --skipped`;
}

/** One row per source: its name, its folder, its number of documents. */
function sourceRows({ sources }: Status, { homeDir, colors }: Screen): string {
  const names = alignColumns(sources.map(({ id }) => [id]));
  return sources
    .map(({ root, documents, readable }, at) => {
      const label = at === 0 ? 'sources' : '';
      const state = readable ? counted(documents, 'document') : colors.red('cannot be read');
      return `${label.padEnd(LABEL_COLUMNS)}${names[at]?.[0]}  ${homePath(root, homeDir)}  ${state}\n`;
    })
    .join('');
}

function indexText({ documents, chunks, last_ingest_at }: Status): string {
  if (last_ingest_at === null && documents === 0) return 'nothing yet';
  const last = last_ingest_at === null ? 'no ingest has finished yet' : `last ingest ${agoText(last_ingest_at)}`;
  return `${counted(documents, 'document')}, ${counted(chunks, 'passage')}; ${last}`;
}

const DAY_MS = 86_400_000;

/** How long ago a time is; the time itself if it is in the future, because a clock was wrong. */
function agoText(time: string): string {
  const ms = Date.now() - Date.parse(time);
  if (ms < 0) return `at ${time}`;
  return ms < 2 * DAY_MS ? `${durationText(ms)} ago` : `${Math.floor(ms / DAY_MS)} days ago`;
}

/** What is left to workers. */
function queueText({ waiting, running, failed, vectors }: NonNullable<Status['queue']>): string {
  const rest = `${failed === 0 ? '' : `, ${failed} given up`}${vectors === true ? ', vectors not complete' : ''}`;
  return `${counted(waiting, 'file')} waiting, ${running} with workers${rest}: kebab worker`;
}

/** The pending changes. Sources that cannot be read are not included. */
function changesText({ added, changed, gone }: NonNullable<Status['changes']>, sources: Status['sources']): string {
  const unread = sources.filter(({ readable }) => !readable).map(({ id }) => id);
  const unknown = unread.length === 0 ? '' : `, unknown in ${printable(unread.join(', '))}`;
  if (added + changed + gone === 0)
    return unread.length > 0 && unread.length === sources.length ? 'unknown' : `none since then${unknown}`;
  const parts = [
    ...(added > 0 ? [`${added} new`] : []),
    ...(changed > 0 ? [`${changed} changed`] : []),
    ...(gone > 0 ? [`${gone} gone`] : []),
  ];
  return `${parts.join(', ')} since then${unknown}`;
}

function embeddingText({ state, model, pending }: Status['embedding']): string {
  switch (state) {
    case 'off':
      return 'off: search uses words only';
    case 'ready':
      return pending === 0 ? model : `${model}; ${counted(pending, 'document')} to embed`;
    case 'missing':
      return `${model} is not available, search uses words only (kebab models pull)`;
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
      return `${model} does not answer${endpoint === '' ? '' : ` at ${endpoint}`}; only kebab ask needs it`;
    default:
      return state satisfies never;
  }
}

const MIN_NAME_COLUMNS = 22;
const MARK_COLUMNS = 2;

/** `kebab doctor`: checks that everything works. */
export async function doctor(context: CommandContext): Promise<ExitCode> {
  const app = await context.openApp({ despiteConfig: true });
  return showChecks(await app.doctor({ signal: context.signal, deep: context.values.has('deep') }), context);
}

/** Prints checks; the exit code tells whether all passed. */
export async function showChecks(checked: Doctor, context: CommandContext): Promise<ExitCode> {
  context.show(checked, renderDoctor);
  return checked.ok ? EXIT.ok : EXIT.unhealthy;
}

/** A line for each check, the hint of a failed or optional one below it, and how many failed. */
function renderDoctor({ checks }: Doctor, screen: Screen): string {
  const failed = checks.filter(({ ok }) => !ok).length;
  const verdict = failed === 0 ? 'all checks passed.' : `${counted(failed, 'check')} failed.`;
  const { green, red } = screen.colors;
  const columns = Math.max(MIN_NAME_COLUMNS, ...checks.map(({ name }) => textWidth(name) + 1));
  const lines = checks.map((check, at) => renderCheck(withoutRepetition(check, checks[at - 1]), columns, screen));
  return `${lines.join('')}\n${(failed === 0 ? green : red)(verdict)}\n`;
}

/** Refers to the previous check for the same reason and remedy: when a server does not answer, the check of its model fails too. */
function withoutRepetition(check: DoctorCheck, before: DoctorCheck | undefined): DoctorCheck {
  const { name, ok, detail, hint, optional } = check;
  if (hint === undefined || hint !== before?.hint || detail !== before.detail) return check;
  return { name, ok, ...(optional === undefined ? {} : { optional }), detail: `see ${before.name}` };
}

function renderCheck(check: DoctorCheck, columns: number, { colors, homeDir }: Screen): string {
  const { name, ok, detail, hint, optional } = check;
  const mark = optional === true ? colors.dim('○') : ok ? colors.green('✓') : colors.red('✗');
  const text = `${optional === true ? 'optional: ' : ''}${homePath(detail, homeDir)}`;
  const line = `${mark} ${padWidth(name, columns)}${text}`.trimEnd();
  if (hint === undefined) return `${line}\n`;
  return `${line}\n${' '.repeat(MARK_COLUMNS + columns)}${colors.dim('hint:')} ${homePath(hint, homeDir)}\n`;
}
