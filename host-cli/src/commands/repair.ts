import type { RepairReport } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printable } from '../io/printable.ts';
import { startProgress } from '../progress/ingest-progress.ts';
import { homePath, counted } from '../screen/shown-values.ts';
import type { Screen } from '../screen/screen.ts';

/** `kebab repair`: builds what is damaged from what is whole, and reads documents again where that does not suffice. */
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
  await context.show(report, renderRepair);
  return report.failed.length === 0 && report.incomplete.length === 0 ? EXIT.ok : EXIT.filesFailed;
}

/** What was damaged, a line each, and what became of the documents that it concerned. */
function renderRepair(report: RepairReport, { homeDir }: Screen): string {
  if (report.damage.length === 0) return 'nothing is damaged\n';
  const verb = report.dry_run ? 'damaged ' : 'repaired';
  const again = report.dry_run ? 'to read ' : 'read    ';
  const lines = [
    ...report.damage.map(
      ({ table, problem }) => `${verb}  ${table === null ? '' : `${printable(table)}: `}${printable(problem)}`,
    ),
    ...report.read_again.map((path) => `${again}  ${printable(path)}`),
    ...report.failed.map((path) => `failed    ${printable(path)} could not be read again`),
    ...report.incomplete.map(
      ({ doc_path, lost }) => `lost      ${printable(doc_path)} has lost ${printable(lost)}; its file is gone`,
    ),
  ];
  if (report.set_aside !== null)
    lines.push(`aside     ${homePath(report.set_aside, homeDir)} is the database as it was`);
  const sum = counted(report.damage.length, 'damage', 'damages');
  lines.push(report.dry_run ? `${sum} found; nothing was changed` : 'everything else stayed as it was');
  return `${lines.join('\n')}\n`;
}
