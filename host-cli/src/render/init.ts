import type { InitReport } from '@kebab/core/app';
import { homePath } from './home-path.ts';
import type { Screen } from './screen.ts';

const VERB_COLUMNS = 9;

/** What init made and what it left alone, a path a line, and what to do next. */
export function renderInit(report: InitReport, { colors, homeDir }: Screen): string {
  const line = (verb: string, text: string, paint: (text: string) => string = String): string =>
    `${paint(verb.padEnd(VERB_COLUMNS))}${homePath(text, homeDir)}\n`;
  return [
    ...report.created.map((path) => line('created', path, colors.green)),
    ...report.kept.map((path) => line('kept', path)),
    line('opened', `${report.opened} (schema v${report.db_schema_version})`),
    line('hint', report.hint),
  ].join('');
}
