import type { IngestItem, IngestReport } from '@kebab/core/app';
import { counted } from './counted.ts';
import { degradedNotice } from './degraded-notice.ts';
import { homePath } from './home-path.ts';
import { durationText } from './measures.ts';
import { printable } from '../io/printable.ts';
import type { SlowFile } from '../progress/slow-files.ts';
import type { Screen } from './screen.ts';
import { skippedText } from './skipped-text.ts';

const MOST_LISTED = 20;
const COUNT_COLUMNS = 7;

/** What an ingest run did: counts, why files were skipped, errors by file, what was not purged, what took long, what to do next. */
export function renderIngestReport(report: IngestReport, screen: Screen, slowest: readonly SlowFile[] = []): string {
  const parts = [
    renderHeadline(report, screen),
    renderCounts(report, screen),
    renderProblems('errors', errorLines(report.items ?? []), screen),
    renderProblems('warnings', warningLines(report.items ?? []), screen),
    renderRefusals(report, screen),
    report.degraded.map((stage) => `${degradedNotice(stage)}\n`).join(''),
    renderSlowest(slowest),
    renderNext(report),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function renderHeadline({ aborted, scanned, duration_ms, scope }: IngestReport, { colors, homeDir }: Screen): string {
  const verb = aborted ? colors.yellow('stopped') : colors.green('ingested');
  const places = scope.sources.map(({ root }) => homePath(root, homeDir)).join(', ');
  return `${verb}  ${places}  ${counted(scanned, 'entry', 'entries')} in ${durationText(duration_ms)}\n`;
}

function renderCounts(report: IngestReport, { colors }: Screen): string {
  const rows: readonly (readonly [label: string, count: number, note: string])[] = [
    ['new', report.new, ''],
    ['updated', report.updated, ''],
    ['unchanged', report.unchanged, ''],
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

function errorLines(items: readonly IngestItem[]): readonly string[] {
  return items
    .filter(({ kind }) => kind === 'error')
    .map(({ doc_path, error_code, error }) => printable(`${doc_path}  ${error_code ?? 'generic'}  ${error ?? ''}`));
}

function warningLines(items: readonly IngestItem[]): readonly string[] {
  return items.flatMap(({ doc_path, warnings }) => warnings.map((warning) => printable(`${doc_path}  ${warning}`)));
}

function renderProblems(title: string, lines: readonly string[], { colors }: Screen): string {
  if (lines.length === 0) return '';
  const more = lines.length - MOST_LISTED;
  const shown = lines.slice(0, MOST_LISTED).map((line) => `  ${line.trimEnd()}\n`);
  const rest = more > 0 ? colors.dim(`  and ${more} more; \`kebab ingest --json\` lists them all\n`) : '';
  return `${colors.bold(title)}\n${shown.join('')}${rest}`;
}

function renderRefusals({ purge_refused }: IngestReport, { colors }: Screen): string {
  return purge_refused
    .map(({ source_id, vanished, indexed, reason }) => {
      const lost = `${vanished} of ${counted(indexed, 'document')} of source "${printable(source_id)}"`;
      const [why, hint] =
        reason === 'root_missing'
          ? ['its folder is missing', 'mount or restore the folder, then ingest again']
          : ['half of them or more have vanished', 'kebab ingest --allow-mass-delete'];
      return `${colors.yellow('not purged')}  ${lost}: ${why}\n  hint: ${hint}\n`;
    })
    .join('');
}

function renderSlowest(slowest: readonly SlowFile[]): string {
  const files = slowest.map(({ path, ms }) => `${printable(path)} ${durationText(ms)}`);
  return files.length === 0 ? '' : `slowest   ${files.join(', ')}\n`;
}

function renderNext(report: IngestReport): string {
  const { aborted, errors, embeddings_pending } = report;
  const documents = report.new + report.updated + report.unchanged;
  const lines: string[] = [];
  if (embeddings_pending > 0) lines.push(`pending   ${counted(embeddings_pending, 'document')} without all vectors\n`);
  if (aborted) lines.push('next      kebab ingest goes on where this run stopped\n');
  else if (errors === 0 && documents === 0)
    lines.push(
      'hint      nothing here to take in; `kebab config show` tells which folder is read, and what is left out\n',
    );
  else if (errors === 0) lines.push('next      kebab search "…"\n');
  return lines.join('');
}
