import type { Doctor, DoctorCheck } from '@kebab/core/app';
import { counted } from './counted.ts';
import { homePath } from './home-path.ts';
import type { Screen } from './screen.ts';
import { padWidth, textWidth } from './text-width.ts';

const FEWEST_NAME_COLUMNS = 22;
const MARK_COLUMNS = 2;

/** A line for each check, the hint of a failed one below it, and how many failed. */
export function renderDoctor({ checks }: Doctor, screen: Screen): string {
  const failed = checks.filter(({ ok }) => !ok).length;
  const verdict = failed === 0 ? 'all checks passed.' : `${counted(failed, 'check')} failed.`;
  const { green, red } = screen.colors;
  const columns = Math.max(FEWEST_NAME_COLUMNS, ...checks.map(({ name }) => textWidth(name) + 1));
  return `${checks.map((check) => renderCheck(check, columns, screen)).join('')}\n${(failed === 0 ? green : red)(verdict)}\n`;
}

function renderCheck({ name, ok, detail, hint }: DoctorCheck, columns: number, { colors, homeDir }: Screen): string {
  const mark = ok ? colors.green('✓') : colors.red('✗');
  const line = `${mark} ${padWidth(name, columns)}${homePath(detail, homeDir)}`.trimEnd();
  if (hint === undefined) return `${line}\n`;
  return `${line}\n${' '.repeat(MARK_COLUMNS + columns)}${colors.dim('hint:')} ${homePath(hint, homeDir)}\n`;
}
