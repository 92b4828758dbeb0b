import { invalidInput, nearestName } from '@kebab/core/app';
import type { CommandSpec } from './command-spec.ts';
import { GLOBAL_FLAGS } from './global-flags.ts';
import { parseFlags } from './parse-flags.ts';

/** The values of a command line, by the names of arguments and flags. */
export class CommandValues {
  readonly #args: ReadonlyMap<string, string>;
  readonly #flags: ReadonlyMap<string, readonly string[]>;

  constructor(args: ReadonlyMap<string, string>, flags: ReadonlyMap<string, readonly string[]>) {
    this.#args = args;
    this.#flags = flags;
  }

  /** A positional argument; empty when it was not given. */
  arg(name: string): string {
    return this.#args.get(name) ?? '';
  }
  /** Whether a flag was given. */
  has(name: string): boolean {
    return this.#flags.has(name);
  }
  /** The last value of a flag. */
  text(name: string): string | undefined {
    return this.#flags.get(name)?.at(-1);
  }
  /** Every value of a flag, in order. */
  all(name: string): readonly string[] | undefined {
    return this.#flags.get(name);
  }
  /** The value of a flag that takes a number; checked when the line was parsed. */
  number(name: string): number | undefined {
    const value = this.text(name);
    return value === undefined ? undefined : Number(value);
  }
}

/** What a command line asks for. */
export type CommandLine =
  | { readonly kind: 'run'; readonly command: CommandSpec; readonly values: CommandValues }
  | { readonly kind: 'help'; readonly topic: readonly CommandSpec[] }
  | { readonly kind: 'version' };

/**
 * Reads a command line. Flags and arguments may stand in any order; behind `--` everything is an argument.
 * Throws `invalid_input` for an unknown command or flag (with the nearest), a missing or superfluous argument, a bad value.
 */
export function parseCommandLine(argv: readonly string[], commands: readonly CommandSpec[]): CommandLine {
  const words = leadingWords(argv);
  const command = commands.find(({ name }) => name === words.slice(0, name.split(' ').length).join(' '));
  if (command === undefined) return withoutCommand(argv, words, commands);
  const depth = command.name.split(' ').length;
  const { flags, positionals } = parseFlags(dropWords(argv, depth), command);
  if (flags.has('help')) return { kind: 'help', topic: [command] };
  if (flags.has('version')) return { kind: 'version' };
  return { kind: 'run', command, values: new CommandValues(bindArguments(command, positionals), flags) };
}

/** The words before the first flag that is not a global one: the command is among them. */
function leadingWords(argv: readonly string[]): readonly string[] {
  const words: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? '';
    if (!word.startsWith('-')) words.push(word);
    else if (takesValue(word)) i++;
  }
  return words;
}

function takesValue(word: string): boolean {
  return GLOBAL_FLAGS.some(({ name, kind }) => kind !== 'boolean' && word === `--${name}`);
}

/** Takes the words of the command's name out, wherever global flags stand between them. */
function dropWords(argv: readonly string[], count: number): readonly string[] {
  const rest: string[] = [];
  let left = count;
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? '';
    if (left > 0 && !word.startsWith('-')) left--;
    else {
      rest.push(word);
      if (left > 0 && takesValue(word)) rest.push(argv[++i] ?? '');
    }
  }
  return rest;
}

function withoutCommand(
  argv: readonly string[],
  words: readonly string[],
  commands: readonly CommandSpec[],
): CommandLine {
  const [first] = words;
  if (argv.includes('--version') && first === undefined) return { kind: 'version' };
  if (first === undefined) {
    parseFlags(argv, null);
    return { kind: 'help', topic: commands };
  }
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length > 0 && (words.length === 1 || argv.includes('--help') || argv.includes('-h')))
    return { kind: 'help', topic: group };
  const typed = group.length > 0 ? words.slice(0, 2).join(' ') : first;
  const known = group.length > 0 ? group.map(({ name }) => name) : [...new Set(commands.flatMap(namesOf))];
  const suggestion = nearestName(typed, known);
  throw invalidInput(
    `there is no command "${typed}"${suggestion === undefined ? '' : `; did you mean "${suggestion}"?`}`,
    {
      field: 'command',
      value: typed,
      suggestion,
    },
  );
}

function namesOf({ name }: CommandSpec): readonly string[] {
  return [name.split(' ', 1)[0] ?? name, name];
}

function bindArguments({ name, args }: CommandSpec, positionals: readonly string[]): ReadonlyMap<string, string> {
  const bound = new Map<string, string>();
  for (const [index, spec] of args.entries()) {
    const value = spec.rest === true ? positionals.slice(index).join(' ') : positionals[index];
    if (value !== undefined && (value !== '' || positionals.length > index)) bound.set(spec.name, value);
    else if (spec.required)
      throw invalidInput(`kebab ${name} needs ${spec.name}: ${spec.summary}`, { field: spec.name });
  }
  const most = args.at(-1)?.rest === true ? Infinity : args.length;
  const extra = positionals[most];
  if (extra !== undefined)
    throw invalidInput(
      `kebab ${name} takes ${most === 0 ? 'no argument' : `only ${args.map((a) => a.name).join(' ')}`}; ${JSON.stringify(extra)} is one too many`,
      {
        field: 'arguments',
        value: extra,
      },
    );
  return bound;
}
