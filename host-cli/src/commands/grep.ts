import { invalidInput } from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** The flags that are handed on as they are, with their letter in ripgrep. */
const SWITCHES = {
  'ignore-case': '-i',
  word: '-w',
  fixed: '-F',
  files: '-l',
  count: '-c',
  hidden: '--hidden',
  'no-ignore': '--no-ignore',
} as const;
const NUMBERS = { context: '-C', before: '-B', after: '-A' } as const;

/**
 * `kebab grep`: prints the lines that match a regular expression, in every file of the sources, indexed or not. ripgrep reads the files, in
 * time linear in their size whatever the expression.
 */
export async function grep(context: CommandContext): Promise<ExitCode> {
  const { signal, json, io, values } = context;
  const list = json ? (['files', 'count'] as const).find((name) => values.has(name)) : undefined;
  if (list !== undefined)
    throw invalidInput(`--${list} and --json print different things: leave one out`, { field: `--${list}` });
  const app = await context.openApp();
  const request = {
    pattern: values.arg('PATTERN'),
    args: argumentsOf(context),
    source: values.all('source'),
    cwd: context.absolute('.'),
  };
  let [isAny, isWhole] = [false, true];
  for await (const { kind, text } of app.grepLines(request, { signal })) {
    if (kind !== 'line') {
      context.note(text);
      isWhole = kind === 'note'; // otherwise files could not be read; the lines of the others have been printed
      continue;
    }
    isAny ||= !json || text.startsWith('{"type":"match"');
    if (json) io.stdout.jsonLine(text);
    else io.stdout.print(`${text.replace(/^\.[/\\]/, '').replace(/\r$/, '')}\n`);
    if (io.stdout.closed) return EXIT.ok;
  }
  if (!isWhole) return EXIT.error;
  return isAny ? EXIT.ok : EXIT.nothing;
}

function argumentsOf({ values, json }: CommandContext): readonly string[] {
  const switches = Object.entries(SWITCHES).flatMap(([name, flag]) => (values.has(name) ? [flag] : []));
  const numbers = Object.entries(NUMBERS).flatMap(([name, flag]) => {
    const value = values.number(name);
    return value === undefined ? [] : [flag, String(value)];
  });
  const globs = (values.all('glob') ?? []).flatMap((glob) => ['-g', glob]);
  const form = json ? ['--json'] : ['--with-filename', '--line-number', '--no-heading', '--color=never'];
  return [...form, ...switches, ...numbers, ...globs];
}
