import { invalidInput, type InitReport } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { homePath } from '../screen/home-path.ts';
import type { Screen } from '../screen/screen.ts';

const VERB_COLUMNS = 9;

/** `kebab init`: writes a configuration file and creates the folders it names. */
export async function init(context: CommandContext): Promise<ExitCode> {
  const { values, signal } = context;
  const force = values.has('force');
  const place = values.has('user') ? 'user' : values.has('project') ? 'project' : undefined;
  if (values.has('user') && values.has('project'))
    throw invalidInput('init takes one of --user and --project', { field: '--project' });
  // What is about to be overwritten may be broken.
  const app = await context.openApp({ despiteConfig: force, makesConfig: true });
  const report = await app.init({ force, place, signal });
  await context.show(report, renderInit);
  return EXIT.ok;
}

function renderInit(report: InitReport, { colors, homeDir }: Screen): string {
  const line = (verb: string, text: string, paint: (text: string) => string = String): string =>
    `${paint(verb.padEnd(VERB_COLUMNS))}${homePath(text, homeDir)}\n`;
  return [
    ...report.created.map((path) => line('created', path, colors.green)),
    ...report.kept.map((path) => line('kept', path)),
    line('opened', `${report.opened} (schema v${report.db_schema_version})`),
    line('hint', report.hint),
  ].join('');
}
