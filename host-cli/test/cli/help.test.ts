import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/command-table.ts';
import { EXAMPLES, TOPICS } from '../../src/cli/help-topics.ts';
import { renderHelp, type HelpScreen } from '../../src/cli/help.ts';
import { parseCommandLine } from '../../src/cli/parse-command-line.ts';
import { runCommand } from '../fakes/run-command.ts';

const PIPE: HelpScreen = { columns: null, colors: { bold: String } };
const terminal = (columns: number): HelpScreen => ({ columns, colors: { bold: String } });
const named = (prefix: string) => COMMANDS.filter(({ name }) => name.startsWith(prefix));
const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));

/** Splits a command line with quotes into words, like a shell. */
function shellWords(line: string): readonly string[] {
  return Array.from(line.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, bare]) => quoted ?? bare ?? '');
}

/** The kebab command lines in an example, which may contain other programs and pipes. */
function linesOfKebab(example: string): readonly (readonly string[])[] {
  const inner = example.replace(/^source <\((.+)\)$/, '$1').replace(/ > \S+$/, '');
  return inner
    .split(' | ')
    .filter((line) => line.startsWith('kebab '))
    .map((line) => shellWords(line).slice(1));
}

describe('renderHelp', () => {
  it.each([
    ['top', COMMANDS, false],
    ['all', COMMANDS, true],
    ['fetch', named('fetch '), false],
    ['search', named('search'), false],
  ])('writes the help of %s as documented', async (name, topic, whole) => {
    await expect(renderHelp(topic, PIPE, whole)).toMatchFileSnapshot(`golden/help-${name}.txt`);
  });

  it.each(COMMANDS.map((command) => [command.name, command] as const))(
    'fits the help of %s into 80 columns and a narrow terminal, and names each flag',
    (_name, command) => {
      expect(widest(renderHelp([command], PIPE))).toBeLessThanOrEqual(80);
      expect(widest(renderHelp([command], terminal(80)))).toBeLessThanOrEqual(80);
      expect(widest(renderHelp([command], terminal(40)))).toBeLessThanOrEqual(40);
      for (const flag of command.flags ?? []) expect(renderHelp([command], PIPE)).toContain(`--${flag.name}`);
    },
  );

  it('fits the general help into 80 columns and 64 rows, and into 40 columns', () => {
    const help = renderHelp(COMMANDS, PIPE);
    expect(widest(help)).toBeLessThanOrEqual(80);
    expect(help.split('\n').length).toBeLessThanOrEqual(64);
    expect(widest(renderHelp(COMMANDS, terminal(40)))).toBeLessThanOrEqual(40);
    expect(widest(renderHelp(COMMANDS, terminal(40), true))).toBeLessThanOrEqual(40);
  });

  it('wraps lines only between words', () => {
    const words = new Set(renderHelp(COMMANDS, terminal(100), true).split(/\s+/));
    const narrow = renderHelp(COMMANDS, terminal(40), true).replaceAll(' \\\n', '\n');
    expect(narrow.split(/\s+/).filter((word) => !words.has(word))).toEqual([]);
  });

  it('shows every command under exactly one heading', () => {
    const rows = TOPICS.flatMap((topic) => topic.rows);
    const topicsOf = (name: string) =>
      rows.filter((row) => {
        if (typeof row === 'string') return row === name;
        return 'group' in row ? `${name} `.startsWith(`${row.group} `) : row.commands.includes(name);
      });
    expect(COMMANDS.filter(({ name }) => topicsOf(name).length !== 1).map(({ name }) => name)).toEqual([]);
    const whole = renderHelp(COMMANDS, PIPE, true);
    for (const { name } of COMMANDS) expect(whole).toContain(`\n  ${name}`);
  });

  it.each(Object.entries(EXAMPLES))('shows examples of "%s" that the command line accepts', (name, examples) => {
    const lines = examples.flatMap(linesOfKebab);
    expect(lines.length).toBeGreaterThanOrEqual(examples.length);
    const commands = lines.map((words) => {
      const line = parseCommandLine(words, COMMANDS);
      return line.kind === 'run' ? line.command.name : line.kind;
    });
    if (name !== '') expect(commands).toContain(name);
    expect(commands).not.toContain('help');
  });

  it('has bold headings on a terminal, and none in a pipe', async () => {
    const onTerminal = await runCommand(['--help'], { columns: 80 });
    expect(onTerminal.stdout.text).toContain('\u001b[1mfind and read\u001b[22m\n');
    const inPipe = await runCommand(['--help'], {});
    expect(inPipe.stdout.text).toContain('\nfind and read\n');
    expect(inPipe.stdout.text).not.toContain('\u001b');
  });

  it('shows every command and flag for `kebab help all`', async () => {
    const { stdout } = await runCommand(['help', 'all'], {});
    expect(stdout.text).toContain('sessions delete NAME');
    expect(stdout.text).toContain('--schema-version V');
  });
});
