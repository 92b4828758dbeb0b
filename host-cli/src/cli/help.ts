import { KEBAB_VERSION } from '@kebab/core/app';
import type { ArgumentSpec, CommandSpec, FlagSpec } from '../command/command-spec.ts';
import { GLOBAL_FLAGS } from '../command/command-values.ts';
import { wrapWords } from '../screen/text-width.ts';

const COLUMNS = 100;
const MIN_GAP = 2;
/** A term wider than this stands on a line of its own. */
const MAX_TERM_COLUMNS = 32;

type Row = readonly [term: string, meaning: string];

/** The help of one command, of a group such as `fetch`, or of all. */
export function renderHelp(topic: readonly CommandSpec[]): string {
  const [only, second] = topic;
  if (only === undefined) return '';
  if (second === undefined) return commandHelp(only);
  const [group] = only.name.split(' ');
  const isGroup = topic.every(({ name }) => name.startsWith(`${group} `));
  return isGroup ? groupHelp(group ?? '', topic) : generalHelp(topic);
}

function generalHelp(commands: readonly CommandSpec[]): string {
  return [
    `kebab ${KEBAB_VERSION}: searches, fetches and cites your own files\n`,
    'usage: kebab COMMAND [arguments] [flags]\n',
    section('commands', commands.map(commandRow)),
    section('flags of every command', GLOBAL_FLAGS.map(flagRow)),
    'kebab COMMAND --help shows the flags of a command.\n',
  ].join('\n');
}

function groupHelp(group: string, commands: readonly CommandSpec[]): string {
  return [
    `usage: kebab ${group} ${commands.map(({ name }) => name.slice(group.length + 1)).join('|')} [arguments] [flags]\n`,
    section('commands', commands.map(commandRow)),
    `kebab ${group} COMMAND --help shows the flags of a command.\n`,
  ].join('\n');
}

function commandHelp(command: CommandSpec): string {
  const { name, args, flags, summary, output } = command;
  const usage = ['kebab', name, ...args.map(argumentText), ...(flags.length > 0 ? ['[flags]'] : [])].join(' ');
  return [
    `usage: ${usage}\n`,
    `${wrapWords(summary, COLUMNS).join('\n')}\n`,
    section(
      'arguments',
      args.map((arg) => [arg.name, arg.summary]),
    ),
    section('flags', flags.map(flagRow)),
    section('flags of every command', GLOBAL_FLAGS.map(flagRow)),
    output.length === 0 ? '' : `--json prints ${output.join(', ')}.\n`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function commandRow({ name, args, summary }: CommandSpec): Row {
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

function section(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const widths = rows.map(([term]) => term.length).filter((width) => width <= MAX_TERM_COLUMNS);
  const indent = Math.max(0, ...widths) + 2 + MIN_GAP;
  return `${title}\n${rows.map((row) => rowText(row, indent)).join('')}`;
}

function rowText([term, meaning]: Row, indent: number): string {
  const margin = ' '.repeat(indent);
  const [first = '', ...rest] = wrapWords(meaning, COLUMNS - indent);
  const head = `  ${term}`;
  const start = head.length + MIN_GAP <= indent ? `${head.padEnd(indent)}${first}` : `${head}\n${margin}${first}`;
  return [start, ...rest.map((line) => margin + line)].map((line) => `${line}\n`).join('');
}
