import type { CitationCheck } from '@kebab/core/app';
import { printable } from '../io/printable.ts';
import type { Screen } from './screen.ts';

const STATUS_COLUMNS = 5;

/** One citation as one line: what became of it, and where its text is now. */
export function renderCitationCheck(check: CitationCheck, { colors }: Screen): string {
  const paint = { exact: colors.green, moved: colors.yellow, gone: colors.red }[check.status];
  const found = check.found_uri === null ? '' : `  → ${printable(check.found_uri)}`;
  const state = check.freshness === 'changed' || check.freshness === 'deleted' ? `  [${check.freshness}]` : '';
  return `${paint(check.status.padEnd(STATUS_COLUMNS))}  ${printable(check.uri)}${found}${colors.dim(state)}\n`;
}
