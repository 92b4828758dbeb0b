import type { Doctor, DoctorCheck } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { homePath } from '../screen/home-path.ts';
import { counted } from '../screen/quantities.ts';
import type { Screen } from '../screen/screen.ts';
import { padWidth, textWidth } from '../screen/text-width.ts';

const MIN_NAME_COLUMNS = 22;
const MARK_COLUMNS = 2;

/** `kebab doctor`: checks that everything works. */
export async function doctor(context: CommandContext): Promise<ExitCode> {
  const app = await context.openApp({ despiteConfig: true });
  return showChecks(await app.doctor({ signal: context.signal, deep: context.values.has('deep') }), context);
}

/** Prints checks; the exit code says whether all passed. */
export async function showChecks(checked: Doctor, context: CommandContext): Promise<ExitCode> {
  await context.show(checked, renderDoctor);
  return checked.ok ? EXIT.ok : EXIT.unhealthy;
}

/** A line for each check, the hint of a failed or optional one below it, and how many failed. */
function renderDoctor({ checks }: Doctor, screen: Screen): string {
  const failed = checks.filter(({ ok }) => !ok).length;
  const verdict = failed === 0 ? 'all checks passed.' : `${counted(failed, 'check')} failed.`;
  const { green, red } = screen.colors;
  const columns = Math.max(MIN_NAME_COLUMNS, ...checks.map(({ name }) => textWidth(name) + 1));
  return `${checks.map((check) => renderCheck(check, columns, screen)).join('')}\n${(failed === 0 ? green : red)(verdict)}\n`;
}

function renderCheck(check: DoctorCheck, columns: number, { colors, homeDir }: Screen): string {
  const { name, ok, detail, hint, optional } = check;
  const mark = optional === true ? colors.dim('○') : ok ? colors.green('✓') : colors.red('✗');
  const found = `${optional === true ? 'optional: ' : ''}${homePath(detail, homeDir)}`;
  const line = `${mark} ${padWidth(name, columns)}${found}`.trimEnd();
  if (hint === undefined) return `${line}\n`;
  return `${line}\n${' '.repeat(MARK_COLUMNS + columns)}${colors.dim('hint:')} ${homePath(hint, homeDir)}\n`;
}
