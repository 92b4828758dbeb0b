import type { ResetReport } from '@kebab/core/app';
import { counted } from './counted.ts';
import { homePath } from './home-path.ts';
import { printable } from '../io/printable.ts';
import type { Screen } from './screen.ts';

/** What a reset removed, a path a line. */
export function renderReset(report: ResetReport, { homeDir }: Screen): string {
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
