import { KEBAB_VERSION } from '@kebab/core/app';
import type { ArgumentSpec, CommandSpec, FlagSpec } from '../command/command-spec.ts';
import { GLOBAL_FLAGS } from '../command/command-values.ts';
import type { Screen } from '../screen/screen.ts';
import { wrapWords } from '../screen/text-width.ts';
import { EXAMPLES, TOPICS, type TopicRow } from './help-topics.ts';

const COLUMNS_WITHOUT_TERMINAL = 80;
const MIN_COLUMNS = 40;
/** Longer lines are hard to read. */
const MAX_COLUMNS = 100;
const MIN_GAP = 2;
/** The global flags that the general help shows. */
const MAIN_FLAGS = new Set(['config', 'json', 'quiet', 'help']);

/** The layout of a help text: the line width, null without a terminal, and the style of headings. */
export type HelpScreen = Pick<Screen, 'columns'> & { readonly colors: Pick<Screen['colors'], 'bold'> };

type Row = readonly [term: string, meaning: string];

/** Renders the help of one command, of a group such as `fetch`, or of all; with `whole`, the last omits nothing. */
export function renderHelp(topic: readonly CommandSpec[], screen: HelpScreen, whole = false): string {
  const columns = Math.min(Math.max(screen.columns ?? COLUMNS_WITHOUT_TERMINAL, MIN_COLUMNS), MAX_COLUMNS);
  const page = new Page(columns, screen.colors.bold);
  const [only, second] = topic;
  if (only === undefined) return '';
  if (second === undefined) return commandHelp(only, page);
  const [group = ''] = only.name.split(' ');
  const isGroup = topic.every(({ name }) => name.startsWith(`${group} `));
  return isGroup ? groupHelp(group, { commands: topic, page }) : generalHelp(topic, { page, whole });
}

function generalHelp(
  commands: readonly CommandSpec[],
  { page, whole }: { readonly page: Page; readonly whole: boolean },
): string {
  const rowsOf = whole ? longRows : shortRows;
  const sections = TOPICS.map(({ title, rows }) => ({ title, rows: rows.flatMap((row) => rowsOf(row, commands)) }));
  const aligned = sections.flatMap(({ rows }) => rows);
  const flags = GLOBAL_FLAGS.filter(({ name }) => whole || MAIN_FLAGS.has(name));
  return page.parts([
    page.text(`kebab ${KEBAB_VERSION}: search, read and cite your own files`),
    page.text('usage: kebab COMMAND [arguments] [flags]'),
    ...sections.map(({ title, rows }) => page.section(title, rows, aligned)),
    page.examples(EXAMPLES[''] ?? []),
    page.section('flags of every command', flags.map(flagRow)),
    page.text(`\`kebab help COMMAND\` describes a command${whole ? '' : ', `kebab help all` all of them'}.`),
  ]);
}

/** A command, or a group with the words that may follow it. */
function shortRows(row: TopicRow, commands: readonly CommandSpec[]): readonly Row[] {
  if (typeof row === 'string') {
    const command = commands.find(({ name }) => name === row);
    return command === undefined ? [] : [[row, command.summary]];
  }
  if ('commands' in row) return [[row.commands.map((name) => name.split(' ')[0]).join(', '), row.summary]];
  const words = ofGroup(row.group, commands).flatMap(({ name }) => name.split(' ').slice(1));
  return words.length === 0 ? [] : [[row.group, `${row.summary}: ${words.join(', ')}`]];
}

function longRows(row: TopicRow, commands: readonly CommandSpec[]): readonly Row[] {
  return commandsOf(row, commands).map(commandRow);
}

function commandsOf(row: TopicRow, commands: readonly CommandSpec[]): readonly CommandSpec[] {
  if (typeof row === 'object' && 'group' in row) return ofGroup(row.group, commands);
  const names = typeof row === 'string' ? [row] : row.commands;
  return commands.filter(({ name }) => names.includes(name));
}

function ofGroup(group: string, commands: readonly CommandSpec[]): readonly CommandSpec[] {
  return commands.filter(({ name }) => name === group || name.startsWith(`${group} `));
}

function groupHelp(
  group: string,
  { commands, page }: { readonly commands: readonly CommandSpec[]; readonly page: Page },
): string {
  const words = commands.map(({ name }) => name.slice(group.length + 1)).join('|');
  return page.parts([
    page.text(`usage: kebab ${group} ${words} [arguments] [flags]`),
    page.section('commands', commands.map(commandRow)),
    page.examples(commands.flatMap(({ name }) => (EXAMPLES[name] ?? []).slice(0, 1))),
    page.text(`\`kebab help ${group} COMMAND\` describes one of these commands.`),
  ]);
}

function commandHelp(command: CommandSpec, page: Page): string {
  const { name, args = [], flags = [], summary, output = [] } = command;
  const usage = ['kebab', name, ...args.map(argumentText), ...(flags.length > 0 ? ['[flags]'] : [])].join(' ');
  return page.parts([
    page.text(`usage: ${usage}`),
    page.text(summary),
    page.examples(EXAMPLES[name] ?? []),
    page.section(
      'arguments',
      args.map((arg) => [arg.name, arg.summary]),
    ),
    page.section('flags', flags.map(flagRow)),
    page.section('flags of every command', GLOBAL_FLAGS.map(flagRow)),
    output.length === 0 ? '' : page.text(`--json prints ${output.join(', ')}.`),
  ]);
}

function commandRow({ name, args = [], summary }: CommandSpec): Row {
  return [[name, ...args.map(argumentText)].join(' '), summary];
}

function argumentText({ name, required, rest, repeats }: ArgumentSpec): string {
  const text = rest === true || repeats === true ? `${name}…` : name;
  return required ? text : `[${text}]`;
}

function flagRow({ name, short, value, repeats, commas, summary }: FlagSpec): Row {
  const term = `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
  return [
    term,
    repeats === true ? `${summary} (${commas === true ? 'repeatable, or with commas' : 'repeatable'})` : summary,
  ];
}

/** Lays out text in lines of limited width. */
class Page {
  readonly #columns: number;
  readonly #bold: (text: string) => string;

  constructor(columns: number, bold: (text: string) => string) {
    this.#columns = columns;
    this.#bold = bold;
  }

  /** Joins paragraphs and sections with empty lines; empty ones are omitted. */
  parts(parts: readonly string[]): string {
    return parts.filter((part) => part !== '').join('\n');
  }

  text(text: string): string {
    return `${wrapWords(text, this.#columns).join('\n')}\n`;
  }

  /** Terms and their descriptions, aligned with those of `aligned`; a long term has its own line. */
  section(title: string, rows: readonly Row[], aligned = rows): string {
    if (rows.length === 0) return '';
    const maxTerm = Math.floor(this.#columns * 0.4);
    const widths = aligned.map(([term]) => term.length).filter((width) => width <= maxTerm);
    const indent = Math.min(Math.max(4, ...widths) + 2 + MIN_GAP, maxTerm + 2);
    return `${this.#bold(title)}\n${rows.map((row) => this.#row(row, indent)).join('')}`;
  }

  /** Command lines to copy; a long one is continued with a backslash. */
  examples(lines: readonly string[]): string {
    if (lines.length === 0) return '';
    const shown = lines.map((line) => `  ${wrapWords(line, this.#columns - 6).join(' \\\n    ')}\n`);
    return `${this.#bold('examples')}\n${shown.join('')}`;
  }

  #row([term, meaning]: Row, indent: number): string {
    const margin = ' '.repeat(indent);
    const [first = '', ...rest] = wrapWords(meaning, this.#columns - indent);
    const head = `  ${term}`;
    const start = head.length + MIN_GAP <= indent ? `${head.padEnd(indent)}${first}` : `${head}\n${margin}${first}`;
    return [start, ...rest.map((line) => margin + line)].map((line) => `${line}\n`).join('');
  }
}
