import { setPriority } from 'node:os';
import {
  formatSourcePath,
  invalidInput,
  printable,
  type App,
  type IngestItem,
  type IngestOptions,
  type IngestReport,
  type WatchEvent,
} from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { unreadFormats } from '../command/own-formats.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { readAll } from '../io/text-input.ts';
import { SlowFiles, startProgress, type SlowFile } from '../progress/ingest-progress.ts';
import { homePath, counted, durationText } from '../screen/shown-values.ts';
import type { Screen } from '../screen/screen.ts';
import { noteDegraded } from './search-notices.ts';

/** `kebab ingest`: updates the index to match the sources. */
export async function ingest(context: CommandContext): Promise<ExitCode> {
  const { values } = context;
  const work: Work = (app, options) =>
    app.ingest({
      ...options,
      sources: values.all('source'),
      summaryOnly: values.has('summary-only'),
      omitUnchanged: !context.json, // the text output lists only failed files and warnings
      forceReingest: values.has('force-reingest'),
      verify: values.has('verify'),
      allowMassDelete: values.has('allow-mass-delete'),
      moved: values.has('moved'),
      update: !values.has('no-update'),
      queue: values.has('queue'),
    });
  return runAndReport(context, work, { eventsInOutput: true });
}

/** `kebab ingest-file`: adds one file from outside the sources. */
export async function ingestFile(context: CommandContext): Promise<ExitCode> {
  const file = context.absolute(context.values.arg('PATH'));
  return runAndReport(context, (app, options) => app.ingestFile(file, options));
}

/** `kebab ingest-stdin`: adds Markdown from standard input. */
export async function ingestStdin(context: CommandContext): Promise<ExitCode> {
  const { values, io, signal } = context;
  const title = values.text('title') ?? '';
  if (title.trim() === '') throw invalidInput('kebab ingest-stdin needs --title', { field: '--title' });
  const { value } = await (await context.openApp()).config({ kind: 'get', key: 'indexing.max_file_mb' });
  const hint = 'split it, or raise the limit: `kebab config set indexing.max_file_mb N`';
  const content = await readAll(io.stdin, { signal, maxMb: Number(value), hint });
  const origin = { title, sourceUri: values.text('source-uri') };
  return runAndReport(context, (app, options) => app.ingestText(content, origin, options));
}

/** How long the document in flight may take after Ctrl-C. */
const GRACE_S = 10;

type Work = (app: App, options: IngestOptions) => Promise<IngestReport>;

/** Shows progress during the run and its report at the end. `--json` prints events only for `ingest` itself. */
async function runAndReport(
  context: CommandContext,
  work: Work,
  options: { readonly eventsInOutput: boolean } = { eventsInOutput: false },
): Promise<ExitCode> {
  const app = await context.openApp();
  const progress = startProgress(context, options);
  context.signal.addEventListener('abort', () => {
    progress.end();
    context.note(`finishing the document in flight (at most ${GRACE_S} s); Ctrl-C again quits immediately`);
  });
  const slow = new SlowFiles();
  const listen: NonNullable<IngestOptions['onProgress']> = (event) => {
    slow.onEvent(event);
    progress.onEvent(event);
  };
  const onProgress = context.quiet ? undefined : listen;
  const graceMs = GRACE_S * 1000;
  const report = await work(app, { onProgress, graceMs, signal: context.signal }).finally(() => progress.end());
  // if OCR was skipped, a notice already says what to do
  const isUnread = (report.unread ?? 0) > 0 && !report.degraded.some(({ stage }) => stage === 'ocr');
  const isShown = !context.json && !context.quiet;
  const remedy = isUnread && isShown ? await readingRemedy(app) : null;
  const formats = isShown ? await unreadFormats(app, report.skipped_by_extension) : null;
  await show(report, context, { slowest: slow.slowest, remedies: [remedy, formats] });
  for (const { hint } of report.degraded) {
    const part = /^`kebab plugin install (\w+)`$/.exec(hint)?.[1];
    if (part !== undefined) context.noteMissingPart(part);
  }
  return exitCodeOf(report);
}

/** The hint for unread pictures and scanned pages; null if the configuration already reads them and they contained no text. */
async function readingRemedy(app: App): Promise<string | null> {
  const valueOf = async (key: string): Promise<unknown> => (await app.config({ kind: 'get', key })).value;
  const isScanRead = (await valueOf('pdf.ocr')) !== 'off';
  if ((await valueOf('ocr.engine')) !== 'none')
    return isScanRead ? null : 'to read scanned PDFs: `kebab config set pdf.ocr auto`';
  const pictures = 'to read pictures: `kebab config set ocr.engine tesseract`';
  return isScanRead ? pictures : `${pictures}, for scanned PDFs also \`kebab config set pdf.ocr auto\``;
}

/** The parts of the output besides the report. */
interface Extras {
  readonly slowest: readonly SlowFile[];
  /** How to have unread files read; null where there are none. */
  readonly remedies: readonly (string | null)[];
}

/** With `--quiet`, stderr lists the failures and nothing else. */
async function show(report: IngestReport, context: CommandContext, extras: Extras): Promise<void> {
  if (!context.quiet || context.json) {
    context.show(report, (shown, screen) => renderReport(shown, screen, extras));
    if (!context.json) await noteOpen(report, context);
    return;
  }
  const screen = context.screen(context.io.stderr);
  const problems = [renderProblems('errors', errorLines(report.items ?? []), screen), renderRefusals(report, screen)];
  if (report.errors > 0 && report.items === null) problems.push(`${counted(report.errors, 'file')} failed\n`);
  context.io.stderr.print(problems.filter((part) => part !== '').join('\n'));
}

/** Reports on stderr what was not done: documents that were not purged, and stages that were skipped. */
async function noteOpen(report: IngestReport, context: CommandContext): Promise<void> {
  const screen = context.screen(context.io.stderr);
  const refusals = renderRefusals(report, screen);
  if (refusals !== '') context.io.stderr.print(refusals);
  await noteDegraded(report.degraded, 'hybrid', { context });
}

/** The exit code of a report: an error if every file to process failed. */
function exitCodeOf({ aborted, errors, ...counts }: IngestReport): ExitCode {
  const { new: added, updated, unchanged } = counts;
  if (aborted) return EXIT.interrupted;
  if (errors === 0) return EXIT.ok;
  return added + updated + unchanged === 0 ? EXIT.error : EXIT.filesFailed;
}

const MAX_LISTED = 20;
const COUNT_COLUMNS = 7;
const MAX_EXTENSIONS = 6;

/** Renders an ingest report: counts, reasons for skipped files, errors by file, slow files, what to do next. */
function renderReport(report: IngestReport, screen: Screen, { slowest, remedies }: Extras): string {
  const parts = [
    renderHeadline(report, screen),
    renderCounts(report, screen),
    renderLeftOut(report),
    renderProblems('errors', errorLines(report.items ?? []), screen),
    renderProblems('warnings', warningLines(report.items ?? []), screen),
    renderMoved(report, screen),
    renderSlowest(slowest),
    renderNext(report, remedies),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function renderHeadline(report: IngestReport, { colors, homeDir }: Screen): string {
  const { aborted, files = 0, duration_ms, scope, items } = report;
  const verb = aborted ? colors.yellow('stopped') : colors.green('ingested');
  // a document that was added by hand is named as `get` and `rm` take it
  const [only, ...others] = items ?? [];
  const isByHand = only?.source_id === EXTERNAL && others.length === 0 && only.kind !== 'error';
  if (isByHand && !aborted) return `${verb}  ${printable(pathOf(only))}  in ${durationText(duration_ms)}\n`;
  const places = scope.sources.map(({ root }) => homePath(root, homeDir)).join(', ');
  const done = Math.min(files, report.new + report.updated + report.unchanged + report.errors);
  const shown = aborted && files > 0 ? `${done} of ${counted(files, 'file')}` : counted(files, 'file');
  return `${verb}  ${places}  ${shown} in ${durationText(duration_ms)}\n`;
}

function renderCounts(report: IngestReport, { colors }: Screen): string {
  const rows: readonly (readonly [label: string, count: number, note: string])[] = [
    ['new', report.new, ''],
    ['updated', report.updated, ''],
    ['unchanged', report.unchanged, ''],
    ['unread', report.unread ?? 0, 'of these: pictures and scanned pages that nothing read'],
    ['by name', report.skipped_generated, 'of these: generated code, indexed by its name and beginning'],
    ['skipped', report.skipped, skippedText(report)],
    ['errors', report.errors, ''],
    ['purged', report.purged, ''],
  ];
  return rows
    .filter(([label, count]) => count > 0 || label === 'new')
    .map(([label, count, note]) => {
      const line = `  ${label.padEnd(9)} ${String(count).padStart(COUNT_COLUMNS)}`;
      const painted = label === 'errors' ? colors.red(line) : line;
      return `${painted}${note === '' ? '' : colors.dim(`  ${note}`)}\n`;
    })
    .join('');
}

/** The files that cannot be read for the reason that an earlier run has reported; zero if the report lists no files. */
function countUnreadable({ items }: IngestReport): number {
  return (items ?? []).filter(({ kind, error }) => kind === 'skipped' && error !== null).length;
}

/** The reasons for skipped entries, most frequent first: `.gitignore 20, .exe 12, binary 8`. */
function skippedText(report: IngestReport): string {
  const reasons: readonly (readonly [reason: string, count: number])[] = [
    ['.gitignore', report.skipped_gitignore],
    ['.kebabignore', report.skipped_kebabignore],
    ['built-in list', report.skipped_builtin_blacklist],
    ['configuration', report.skipped_excluded],
    ['too large', report.skipped_size_exceeded],
    ['binary', report.skipped_binary],
    ['links not followed', report.skipped_unfollowed_link ?? 0],
    ['with secrets', report.skipped_secrets ?? 0],
    ['unreadable as before', countUnreadable(report)],
  ];
  const extensions = Object.entries(report.skipped_by_extension).toSorted(([, a], [, b]) => b - a);
  const named = extensions
    .slice(0, MAX_EXTENSIONS)
    .map(([extension, count]) => [extension === '<no-ext>' ? 'no extension' : `*.${extension}`, count] as const);
  const others = extensions.slice(MAX_EXTENSIONS).reduce((sum, [, count]) => sum + count, 0);
  const all: typeof reasons = [...reasons, ...named, ['other types', others]];
  return all
    .filter(([, count]) => count > 0)
    .toSorted(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${printable(reason)} ${count}`)
    .join(', ');
}

const MAX_NAMED_LEFT_OUT = 5;

type LeftOut = readonly [reason: string, count: number, names: readonly string[]];

/** The files that were left out for what they are, not by a rule of the user: by name while they are few. */
function renderLeftOut({ skip_examples: examples, ...report }: IngestReport): string {
  const reasons: readonly LeftOut[] = [
    ['too large', report.skipped_size_exceeded, examples.size_exceeded],
    ['binary', report.skipped_binary, examples.binary],
    ['with secrets', report.skipped_secrets ?? 0, examples.secrets ?? []],
    ['generated, by name only', report.skipped_generated, examples.generated],
  ];
  const total = reasons.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return '';
  if (total > MAX_NAMED_LEFT_OUT)
    return `left out  ${counted(total, 'file')} for their size or content: kebab list docs --skipped\n`;
  const named = reasons.flatMap(([reason, , names]) => names.map((name) => `${printable(name)} (${reason})`));
  return `left out  ${named.join(', ')}; see kebab list docs --skipped\n`;
}

/** The source of documents that `ingest-file` and `ingest-stdin` add. */
const EXTERNAL = 'external';

function errorLines(items: readonly IngestItem[]): readonly string[] {
  return items
    .filter(({ kind }) => kind === 'error')
    .map((item) => {
      const { doc_path, error_code, error } = item;
      const reason = error?.startsWith(`${doc_path} `) === true ? error.slice(doc_path.length + 1) : (error ?? '');
      return printable(`${pathOf(item)}  ${error_code ?? 'generic'}  ${reason}`);
    });
}

function warningLines(items: readonly IngestItem[]): readonly string[] {
  return items.flatMap((item) => item.warnings.map((warning) => printable(`${pathOf(item)}  ${warning}`)));
}

/** The path of a document as all commands print and accept it. */
function pathOf({ source_id, doc_path }: IngestItem): string {
  return formatSourcePath({ sourceId: source_id, path: doc_path });
}

function renderProblems(title: string, lines: readonly string[], { colors }: Screen): string {
  if (lines.length === 0) return '';
  const more = lines.length - MAX_LISTED;
  const shown = lines.slice(0, MAX_LISTED).map((line) => `  ${line.trimEnd()}\n`);
  const rest = more > 0 ? colors.dim(`  and ${more} more; \`kebab ingest --json\` lists them all\n`) : '';
  return `${colors.bold(title)}\n${shown.join('')}${rest}`;
}

function renderRefusals({ purge_refused }: IngestReport, { colors }: Screen): string {
  return purge_refused
    .map(({ source_id, vanished, indexed, reason }) => {
      const what = `${vanished} of ${counted(indexed, 'document')} of source ${printable(source_id)}`;
      const [why, hint] =
        reason === 'root_missing'
          ? ['its folder is missing', 'mount or restore the folder, then ingest again']
          : [
              'half of them or more have disappeared',
              'restore the files and ingest again, or let them go with `kebab ingest --allow-mass-delete`',
            ];
      return `${colors.yellow('refused to purge')} ${what}: ${why}\n  hint: ${hint}\n`;
    })
    .join('');
}

function renderMoved({ moved = [] }: IngestReport, { colors, homeDir }: Screen): string {
  return moved
    .map(({ source_id, from, to }) => {
      const [before, now] = [homePath(from, homeDir), homePath(to, homeDir)];
      return `${colors.yellow('moved')}     source "${printable(source_id)}": ${before} is now ${now}; nothing was purged\n`;
    })
    .join('');
}

function renderSlowest(slowest: readonly SlowFile[]): string {
  const files = slowest.map(({ path, ms }) => `${printable(path)} ${durationText(ms)}`);
  return files.length === 0 ? '' : `slowest   ${files.join(', ')}\n`;
}

function renderNext(report: IngestReport, remedies: Extras['remedies']): string {
  const { aborted, errors, embeddings_pending, degraded } = report;
  const documents = report.new + report.updated + report.unchanged;
  const lines: string[] = [];
  // Without a model, the notice has already said what to do.
  if (embeddings_pending > 0 && !degraded.some(({ stage }) => stage === 'vector'))
    lines.push(`pending   ${counted(embeddings_pending, 'document')} without all vectors\n`);
  for (const remedy of remedies) if (remedy !== null) lines.push(`hint      ${remedy}\n`);
  const unreadable = countUnreadable(report);
  if (unreadable > 0)
    lines.push(`hint      ${counted(unreadable, 'file')} cannot be read, as before; \`kebab doctor\` says why\n`);
  if (report.queued !== undefined)
    lines.push(`queued    ${counted(report.queued, 'file')} for workers: kebab worker\n`);
  if (aborted) lines.push('next      kebab ingest continues where this run stopped\n');
  else if (errors === 0 && documents === 0 && unreadable === 0 && (report.queued ?? 0) === 0)
    lines.push(
      'hint      no documents found; `kebab list sources` shows which folders are read, `kebab add FOLDER` adds one\n',
    );
  else if (errors === 0 && documents > 0) lines.push('next      kebab search "…"\n');
  return lines.join('');
}

/** The nice value of the process: other processes take precedence. */
const NICENESS = 5;

/** `kebab watch`: ingests changes in the folders until Ctrl-C, or until the reader of its output is gone. */
export async function watch(context: CommandContext): Promise<void> {
  const { signal } = context;
  beNice();
  context.note('following the folders; Ctrl-C stops');
  const isOver = (): boolean => signal.aborted || context.io.stdout.closed;
  const ingests = !context.values.has('no-ingest');
  for (let ingestsFirst = ingests; !isOver();) {
    const app = await context.openOwnApp({ isLasting: true });
    const configured = new AbortController();
    try {
      const ended = endsWithConfiguration(app, configured, signal);
      await follow(app, { ingestsFirst, signal: AbortSignal.any([signal, configured.signal]) }, context);
      ingestsFirst = ingests && configured.signal.aborted; // a source that was added has not been ingested
      configured.abort();
      await ended;
    } finally {
      await app.close();
    }
  }
}

/** Aborts the controller when the configuration is another one, as after `kebab add`. What fails here is reported by the watcher. */
async function endsWithConfiguration(app: App, configured: AbortController, signal: AbortSignal): Promise<void> {
  try {
    for await (const _ of app.followCorpus({ signal: AbortSignal.any([signal, configured.signal]) }));
  } catch {
    return;
  }
  if (app.openedFiles.outdated === 'configuration') configured.abort();
}

/** Shows events until the signal fires, the database has been replaced (by a reset or a copy), or the service that sends them ends. */
async function follow(app: App, options: Parameters<App['watch']>[0], context: CommandContext): Promise<void> {
  let vectors: string | null = null; // what was printed of them last
  for await (const event of app.watch(options)) {
    if (context.json) context.printJson(event);
    else {
      const line = lineOf(event);
      const isKnown = event.kind === 'degraded' && line === vectors;
      if (event.kind === 'degraded' || event.kind === 'embedded') vectors = line;
      const time = new Date(event.ts).toLocaleTimeString('en-GB');
      if (line !== null && !isKnown && !context.quiet) context.print(`${printable(`${time}  ${line}`)}\n`);
    }
    if (context.io.stdout.closed) return;
  }
}

function beNice(): void {
  try {
    setPriority(NICENESS);
  } catch {
    // without permission to change it, the priority stays as it is
  }
}

/** The line printed for an event; null for events that are not shown. */
function lineOf(event: WatchEvent): string | null {
  switch (event.kind) {
    case 'watching':
      return event.how === 'events'
        ? `watching ${counted(event.directories, 'folder')}`
        : `looking at ${counted(event.directories, 'folder')} from time to time: ${event.reason}; remedy: ${event.hint}`;
    case 'ingested':
      return ingestedLine(event);
    case 'embedded':
      return event.pending === 0
        ? 'all documents have their vectors'
        : `${counted(event.pending, 'document')} to embed`;
    case 'waiting':
      return `waiting (${event.reason}): ${event.hint}`;
    case 'degraded':
      return `without vectors for now (${event.reason}): ${event.hint}`;
    case 'replaced':
      return `the database is another one: opening ${event.database} again`;
    case 'error':
      return `error ${event.error.code}: ${event.error.message}`;
    default:
      return event satisfies never;
  }
}

const MAX_NAMED = 3;

function ingestedLine(event: Extract<WatchEvent, { kind: 'ingested' }>): string | null {
  const { new: added, updated, purged, errors, left, ms, paths } = event;
  const counts = [
    [added, 'new'],
    [updated, 'updated'],
    [purged, 'removed'],
    [errors, 'failed'],
    [left, 'gone at once and kept'],
  ] as const;
  const parts = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  if (parts.length === 0) return null;
  const named = paths
    .slice(0, MAX_NAMED)
    .map(({ source_id: sourceId, doc_path: path }) => formatSourcePath({ sourceId, path }));
  const more = added + updated + purged + errors - named.length;
  const names = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const why = errors > 0 ? '; see `kebab doctor`' : '';
  return `${parts.join(', ')} in ${durationText(ms)}${names === '' ? '' : `: ${names}`}${why}`;
}
