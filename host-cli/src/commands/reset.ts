import { invalidInput, printable, type ResetReport, type ResetScope, type RepairReport } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { confirm } from '../command/confirm.ts';
import { reporting } from '../command/reporting.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { homePath, counted } from '../screen/shown-values.ts';
import type { Screen } from '../screen/screen.ts';
import { startProgress } from '../progress/ingest-progress.ts';

/** The question asked before each scope. */
const QUESTIONS: Readonly<Record<ResetScope, string>> = {
  all: 'Remove the database, vectors, assets, models, configuration, cache and logs of kebab?',
  data_only: 'Remove the database, vectors and assets of kebab?',
  vector_only: 'Remove all vectors?',
  config_only: 'Remove the configuration file and the list of trusted files?',
  orphans_only: 'Remove the documents whose file is ignored now, or gone?',
};

/** `kebab reset`: asks, and removes what kebab made. */
export async function reset(context: CommandContext): Promise<void> {
  const { signal } = context;
  const scope = scopeOf(context);
  if (!(await confirm('reset', () => questionOf(scope, context), context))) {
    context.note('nothing was removed');
    return;
  }
  const app = await context.openApp();
  const report = await app.reset(scope, { signal });
  context.show(report, renderReset);
}

function scopeOf({ values }: CommandContext): ResetScope {
  const scopes = (Object.keys(QUESTIONS) as ResetScope[]).filter((scope) => values.has(scope.replaceAll('_', '-')));
  if (scopes.length > 1) {
    const flags = scopes.map((scope) => `--${scope.replaceAll('_', '-')}`).join(' and ');
    throw invalidInput(`reset takes one of its scopes, not ${flags}`, { field: 'scope', value: flags });
  }
  return scopes[0] ?? 'data_only';
}

/** In a project less is removed, and the question names the project. */
async function questionOf(scope: ResetScope, context: CommandContext): Promise<string> {
  const { project } = await (await context.openApp()).configPaths();
  if (project === undefined) return QUESTIONS[scope];
  const question = scope === 'all' ? 'Remove all that kebab made in .kebab/?' : QUESTIONS[scope];
  return `${question} This concerns ${homePath(project, context.screen().homeDir)} alone.`;
}

/** The removed paths, one per line. */
function renderReset(report: ResetReport, { homeDir }: Screen): string {
  const lines = [
    ...report.removed_paths.map((path) => `removed  ${homePath(path, homeDir)}`),
    ...report.purged_paths.map((path) => `purged   ${printable(path)}`),
  ];
  if (report.orphans_purged > report.purged_paths.length)
    lines.push(
      `purged   ${counted(report.orphans_purged - report.purged_paths.length, 'more document', 'more documents')}`,
    );
  if (report.embedding_rows_truncated > 0)
    lines.push(`emptied  ${counted(report.embedding_rows_truncated, 'embedding row')}`);
  for (const path of report.left_paths ?? [])
    lines.push(`left     ${homePath(path, homeDir)} (nothing says that kebab made it)`);
  return `${lines.length === 0 ? 'nothing to remove' : lines.join('\n')}\n`;
}

/** `kebab rm`: removes a document that was added by hand. */
export const rm = reporting(
  (app, { values, signal }) => app.removeDocument(values.arg('PATH'), { signal }),
  ({ source_id, doc_path }) => `removed  ${printable(`${source_id}:${doc_path}`)}\n`,
);

/** `kebab repair`: saves what cannot be made again from a damaged database, and reads the rest from the files. */
export async function repair(context: CommandContext): Promise<ExitCode> {
  const { signal, values } = context;
  const app = await context.openApp();
  const progress = startProgress(context, { eventsInOutput: false });
  const report = await app
    .repair({
      dryRun: values.has('dry-run'),
      signal,
      onStep: (step) => {
        if (!context.quiet && !context.json) context.note(step);
      },
      onProgress: (event) => progress.onEvent(event),
    })
    .finally(() => progress.end());
  context.show(report, renderRepair);
  return report.failed.length === 0 && report.incomplete.length === 0 ? EXIT.ok : EXIT.filesFailed;
}

/** A path that could not be read again: a document, or `.` for the whole folder of a source. */
function failedText(path: string): string {
  const source = path === '.' ? 'default' : path.endsWith(':.') ? path.slice(0, -2) : null;
  return source === null
    ? `${printable(path)} could not be read again`
    : `the folder of source "${printable(source)}" could not be read: restore or mount it, then kebab ingest`;
}

/** The damage, one line each, and the outcome for the affected documents. */
function renderRepair(report: RepairReport, { homeDir }: Screen): string {
  if (report.damage.length === 0) return 'nothing is damaged\n';
  const verb = report.dry_run ? 'damaged ' : 'repaired';
  const lines = [
    ...report.damage.map(
      ({ table, problem }) => `${verb}  ${table === null ? '' : `${printable(table)}: `}${printable(problem)}`,
    ),
    ...report.failed.map((path) => `failed    ${failedText(path)}`),
    ...report.incomplete.map(
      ({ doc_path, lost }) => `lost      ${printable(doc_path)} has lost ${printable(lost)}; its file is gone`,
    ),
  ];
  if (report.read_again.length > 0)
    lines.push(`read      ${counted(report.read_again.length, 'document', 'documents')} from the files`);
  if (report.set_aside !== null)
    lines.push(`aside     ${homePath(report.set_aside, homeDir)} is the database as it was`);
  const sum = counted(report.damage.length, 'damage', 'damages');
  const remainder =
    report.set_aside === null
      ? 'everything else stayed as it was'
      : 'conversations, answers and cached texts that could be read were kept';
  lines.push(report.dry_run ? `${sum} found; nothing was changed` : remainder);
  return `${lines.join('\n')}\n`;
}
