import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
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
  const folders = await foldersOf(context);
  const { rgPath } = await import('@vscode/ripgrep');
  const args = argumentsOf(context, folders);
  const { signal, json, io } = context;
  const child = spawn(rgPath, args, { cwd: context.absolute('.'), stdio: ['ignore', 'pipe', 'pipe'], signal });
  const ended = once(child, 'close') as Promise<[number | null, ...unknown[]]>;
  const reports = readAll(child.stderr);
  for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity })) {
    if (json) io.stdout.jsonLine(line);
    else io.stdout.line(line.replace(/^\.[/\\]/, ''));
    if (io.stdout.closed) child.kill();
  }
  const [code] = await ended;
  const report = (await reports).trim();
  if (code !== 2 || io.stdout.closed) {
    if (report !== '') context.note(report);
    return code === 0 || io.stdout.closed ? EXIT.ok : EXIT.nothing;
  }
  if (/regex parse error/.test(report))
    throw invalidInput(report.replace(/^rg: /, ''), { field: 'PATTERN', hint: 'take it as text: kebab grep -F' });
  context.note(report); // files that could not be read; the lines of the others have been printed
  return EXIT.error;
}

/** The folders to search: those of all sources on this machine, or of the ones with the given ids. */
async function foldersOf(context: CommandContext): Promise<readonly string[]> {
  const { sources } = await (await context.openApp()).listSources();
  const ids = context.values.all('source');
  const local = sources.filter(({ connector, state }) => connector === 'fs' && state !== 'missing');
  const unknown = ids?.find((id) => !local.some((source) => source.id === id));
  if (unknown !== undefined)
    throw invalidInput(`there is no folder of a source ${JSON.stringify(unknown)}`, {
      field: '--source',
      value: unknown,
      allowed: local.map(({ id }) => id),
    });
  const roots = local.filter(({ id }) => ids?.includes(id) ?? true).map(({ root }) => root);
  if (roots.length === 0)
    throw invalidInput('there is no source to search', { hint: 'add a folder: kebab add FOLDER' });
  // A folder inside another one would be searched twice.
  return roots.filter((root) => !roots.some((other) => other !== root && root.startsWith(`${other}${path.sep}`)));
}

function argumentsOf(context: CommandContext, folders: readonly string[]): readonly string[] {
  const { values, json } = context;
  const switches = Object.entries(SWITCHES).flatMap(([name, flag]) => (values.has(name) ? [flag] : []));
  const numbers = Object.entries(NUMBERS).flatMap(([name, flag]) => {
    const value = values.number(name);
    return value === undefined ? [] : [flag, String(value)];
  });
  const globs = (values.all('glob') ?? []).flatMap((glob) => ['-g', glob]);
  const form = json ? ['--json'] : ['--with-filename', '--line-number', '--no-heading', '--color=never'];
  const pattern = ['-e', values.arg('PATTERN')];
  return [
    '--no-config',
    '--sort=path',
    ...form,
    ...switches,
    ...numbers,
    ...globs,
    ...pattern,
    '--',
    ...near(context, folders),
  ];
}

/** Paths as the shell knows them: relative below the working directory, otherwise absolute. */
function near(context: CommandContext, folders: readonly string[]): readonly string[] {
  const here = context.absolute('.');
  if (folders.length === 1 && folders[0] === here) return [];
  return [...new Set(folders)].map((folder) => {
    const inside = path.relative(here, folder);
    if (inside === '') return '.';
    return inside.startsWith('..') || path.isAbsolute(inside) ? folder : inside;
  });
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const part of stream) text += String(part);
  return text;
}
