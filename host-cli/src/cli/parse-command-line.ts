import { parseArgs } from 'node:util';
import { invalidInput, nearestName, shellWord } from '@kebab/core/app';
import type { CommandSpec, FlagSpec } from '../command/command-spec.ts';
import { CommandValues, GLOBAL_FLAGS } from '../command/command-values.ts';

/** A parsed command line. */
export type CommandLine =
  | { readonly kind: 'run'; readonly command: CommandSpec; readonly values: CommandValues }
  | { readonly kind: 'help'; readonly topic: readonly CommandSpec[]; readonly whole?: boolean | undefined }
  | { readonly kind: 'version' };

/** The command that `kebab` without arguments runs. */
const ALONE = 'status';

/**
 * Parses a command line. Flags and arguments may be in any order; everything after `--` is an argument. `help COMMAND` is `COMMAND --help`,
 * and `kebab` alone is `kebab status`. Throws `invalid_input` for an unknown command or flag (with the nearest, but never with a command
 * that removes something), a missing or extra argument, a bad value.
 */
export function parseCommandLine(argv: readonly string[], commands: readonly CommandSpec[]): CommandLine {
  // Only global flags may precede a command or stand between its words; other flags are not known yet.
  const words = tokensOf(argv, GLOBAL_FLAGS).filter(({ kind }) => kind === 'positional');
  const typed = words.map(({ index }) => argv[index] ?? '');
  if (typed[0] === 'help') return helpOn(argv, words, commands);
  if (typed[0] === 'version') return versionOf(typed.slice(1));
  const named = commands.find(({ name }) => name === typed.slice(0, name.split(' ').length).join(' '));
  const command = named ?? groupCommand(typed, argv, commands);
  if (command === undefined) return withoutCommand(argv, typed, commands);
  const wordCount = named === undefined ? 1 : command.name.split(' ').length;
  const ownWords = new Set(words.slice(0, wordCount).map(({ index }) => index));
  const rest = argv.filter((_, index) => !ownWords.has(index));
  const { flags, positionals } = readFlags(rest, command);
  if (flags.has('help')) return { kind: 'help', topic: [command] };
  if (flags.has('version')) return { kind: 'version' };
  return { kind: 'run', command, values: new CommandValues(bindArguments(command, positionals), flags) };
}

function versionOf([extra]: readonly string[]): CommandLine {
  if (extra === undefined) return { kind: 'version' };
  throw invalidInput(`kebab version takes no argument; ${JSON.stringify(extra)} is one too many`, {
    field: 'arguments',
    value: extra,
  });
}

/** `kebab help`, `kebab help all`, or the help of the named command or group. */
function helpOn(argv: readonly string[], words: readonly Token[], commands: readonly CommandSpec[]): CommandLine {
  if (words.length === 1) return { kind: 'help', topic: commands };
  const isWhole = words.length === 2 && argv[words[1]?.index ?? 0] === 'all';
  if (isWhole) return { kind: 'help', topic: commands, whole: true };
  const own = words[0]?.index;
  return parseCommandLine([...argv.filter((_, index) => index !== own), '--help'], commands);
}

type Token = ReturnType<typeof tokensOf>[number];
type OptionToken = Extract<Token, { readonly kind: 'option' }>;

/** Not strict: the errors of parseArgs contain neither the command nor the nearest name. */
function tokensOf(argv: readonly string[], flags: readonly FlagSpec[]) {
  const options = Object.fromEntries(
    flags.map(({ name, short, kind }) => {
      const type = kind === 'boolean' ? ('boolean' as const) : ('string' as const);
      return [name, short === undefined ? { type } : { type, short }];
    }),
  );
  return parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

/** The default command of a group, if the next word is not a command of the group. */
function groupCommand(
  [group, next]: readonly string[],
  argv: readonly string[],
  commands: readonly CommandSpec[],
): CommandSpec | undefined {
  const asksForHelp = argv.includes('--help') || argv.includes('-h');
  if (group === undefined || next === undefined || asksForHelp) return undefined;
  const ofGroup = commands
    .filter(({ name }) => name.startsWith(`${group} `))
    .map(({ name }) => name.split(' ')[1] ?? '');
  const isMistyped = /^\w+$/.test(next) && nearestName(next, ofGroup) !== undefined;
  return isMistyped ? undefined : commands.find((command) => command.group === group);
}

function withoutCommand(
  argv: readonly string[],
  words: readonly string[],
  commands: readonly CommandSpec[],
): CommandLine {
  const [first] = words;
  if ((argv.includes('--version') || argv.includes('-V')) && first === undefined) return { kind: 'version' };
  if (first === undefined) {
    const { flags } = readFlags(argv, null);
    const command = commands.find(({ name }) => name === ALONE);
    if (command === undefined || flags.has('help')) return { kind: 'help', topic: commands };
    return { kind: 'run', command, values: new CommandValues(new Map(), flags) };
  }
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  const isHelpAsked = argv.includes('--help') || argv.includes('-h');
  if (group.length > 0 && words.length === 1 && argv.includes('--json') && !isHelpAsked) throw incomplete(first, group);
  if (group.length > 0 && (words.length === 1 || isHelpAsked)) return { kind: 'help', topic: group };
  const typed = group.length > 0 ? words.slice(0, 2).join(' ') : first;
  const offered = (group.length > 0 ? group : commands).filter(({ removes }) => removes !== true);
  const known =
    group.length > 0
      ? offered.map(({ name }) => name)
      : [...new Set(offered.flatMap(({ name }) => [name.split(' ', 1)[0] ?? name, name]))];
  const suggestion = (group.length > 0 ? undefined : familiar(first, known)) ?? nearestName(typed, known);
  const question = suggestion === undefined ? '' : `; did you mean "${suggestion}"?`;
  const hint =
    suggestion === undefined ? 'see `kebab --help`' : `run \`${corrected(argv, typed.split(' '), suggestion)}\``;
  throw invalidInput(`there is no command "${typed}"${question}`, { field: 'command', value: typed, suggestion, hint });
}

/** Words and flags of the shell and of other programs, by the commands and flags that do the same here; the first that is there is meant. */
const FAMILIAR: readonly (readonly [name: string, others: readonly string[]])[] = Object.entries({
  'list docs': 'ls ll dir tree files docs',
  'list sources': 'sources folders',
  get: 'cat less more head tail bat show view read',
  search: 'find rg ag fd locate query lookup',
  ask: 'chat question',
  ingest: 'update index reindex refresh sync scan import',
  status: 'info stat',
  'config show': 'settings',
  'models pull': 'pull download',
  'plugin install': 'install',
  '-k': '--limit --top --count --max-count --num -n -m',
  '--limit': '-k --top --count -n',
  '--media': '--type -t',
  '--path-glob': '--glob -g --include --path --folder --in',
  '--literal': '--fixed-strings --exact',
  '--since': '--after --from',
  '--until': '--before --to',
}).map(([name, others]) => [name, others.split(' ')]);

function familiar(typed: string, known: readonly string[]): string | undefined {
  return FAMILIAR.find(([name, others]) => others.includes(typed) && known.includes(name))?.[0];
}

const MAX_REPEATED = 200;

/** The typed line with the right command in it; the command alone if the line is long. */
function corrected(argv: readonly string[], wrong: readonly string[], right: string): string {
  const at = argv.indexOf(wrong[0] ?? '');
  const end = argv.indexOf(wrong.at(-1) ?? '', at) + 1;
  const between = argv.slice(at + 1, end - 1); // common flags
  const line = [...argv.slice(0, at), ...right.split(' '), ...between, ...argv.slice(end)].map(shellWord).join(' ');
  return `kebab ${line.length > MAX_REPEATED ? right : line}`;
}

/** An error rather than the help text, so that a calling program notices. */
function incomplete(word: string, group: readonly CommandSpec[]): Error {
  return invalidInput(`"kebab ${word}" alone is not a command`, {
    field: 'command',
    value: word,
    hint: `one of: ${group.map(({ name }) => `kebab ${name}`).join(', ')}`,
  });
}

/** The values of each flag by name, in order, and the arguments. A boolean flag has the value `true`. */
interface ReadFlags {
  readonly flags: ReadonlyMap<string, readonly string[]>;
  readonly positionals: readonly string[];
}

function readFlags(argv: readonly string[], command: CommandSpec | null): ReadFlags {
  const specs = [...(command?.flags ?? []), ...GLOBAL_FLAGS];
  const valuesBySpec = new Map<FlagSpec, string[]>();
  const typed = new Map<FlagSpec, string>();
  const positionals: string[] = [];
  for (const token of tokensOf(argv, specs)) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const spec = specs.find(({ name }) => name === token.name);
    // A group such as -draft yields a token for each letter; all have the index of the word.
    if (spec === undefined) throw unknownFlag(argv[token.index] ?? token.rawName, specs, command);
    valuesBySpec.set(spec, [...(valuesBySpec.get(spec) ?? []), valueOf(spec, token)]);
    typed.set(spec, token.rawName);
  }
  const flags = new Map(
    [...valuesBySpec].map(([spec, values]) => [spec.name, checkedValues(spec, values, typed.get(spec))]),
  );
  return { flags, positionals };
}

function unknownFlag(word: string, specs: readonly FlagSpec[], command: CommandSpec | null): Error {
  const typed = word.split('=', 1)[0] ?? word;
  const known = specs.map(({ name }) => flagText(name));
  const suggestion = familiar(typed, known) ?? nearestName(typed, known);
  const question = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
  return invalidInput(`there is no flag ${typed} here${question}`, {
    field: typed,
    value: typed,
    suggestion,
    ...hintFor(command),
  });
}

/** A flag as people type it: `--mode`, `-k`. */
function flagText(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}

/** Where words are expected, an unknown flag may have been meant as a word with a dash. */
function hintFor(command: CommandSpec | null): { readonly hint?: string } {
  if (command === null) return {};
  const help = `see \`kebab ${command.name} --help\``;
  const takesWords = command.args?.at(-1)?.rest === true;
  return { hint: takesWords ? `${help}; put -- before words that begin with a dash` : help };
}

function valueOf({ name, kind }: FlagSpec, { value, inlineValue, rawName }: OptionToken): string {
  const field = `--${name}`;
  if (kind === 'boolean') {
    if (value === undefined) return 'true';
    throw invalidInput(`${flagText(name)} takes no value`, { field, value });
  }
  if (value !== undefined && inlineValue) return rawName.startsWith('--') ? value : value.replace(/^=/, '');
  if (value !== undefined && (value === '-' || !value.startsWith('-'))) return value;
  // No flag begins with a digit, so this is a negative number.
  if (value !== undefined && (kind === 'integer' || kind === 'number') && isNumber(value)) return value;
  const dashed = value === undefined ? '' : `; for a value that begins with a dash write ${field}=${value}`;
  throw invalidInput(`${flagText(name)} takes a value${dashed}`, { field });
}

function checkedValues(
  spec: FlagSpec,
  texts: readonly string[],
  typed: string = flagText(spec.name),
): readonly string[] {
  const field = `--${spec.name}`;
  if (texts.length > 1 && spec.repeats !== true && spec.kind !== 'boolean')
    throw invalidInput(`${flagText(spec.name)} was given ${texts.length} times; it takes one value`, { field });
  const values = spec.commas === true ? texts.flatMap(splitAtCommas) : texts;
  if (values.length === 0) throw invalidInput(`${flagText(spec.name)} was given without a value`, { field });
  for (const value of values) checkValue(spec, value, typed);
  return values;
}

function splitAtCommas(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** The placeholders of flags that take a path. */
const PATHS: ReadonlySet<string | undefined> = new Set(['PATH', 'FILE']);

function checkValue(spec: FlagSpec, value: string, typed: string): void {
  const { name, kind, choices } = spec;
  const field = `--${name}`;
  const got = JSON.stringify(value);
  if (value === '' && PATHS.has(spec.value)) throw invalidInput(`${typed} is empty: it takes a path`, { field, value });
  if ((kind === 'integer' || kind === 'number') && !isNumberFor(spec, value))
    throw invalidInput(`${typed} takes ${numbersOf(spec)}, not ${isNumber(value) ? value : got}`, { field, value });
  if (choices !== undefined && !choices.includes(value))
    throw invalidInput(`${typed} takes ${choices.join(', ')}, not ${got}`, {
      field,
      value,
      allowed: choices,
      suggestion: nearestName(value, choices),
    });
}

function isNumberFor({ kind, min = -Infinity, max = Infinity }: FlagSpec, value: string): boolean {
  const isForm = kind === 'integer' ? /^\d{1,15}$/.test(value) : isNumber(value);
  return isForm && Number(value) >= min && Number(value) <= max;
}

function isNumber(value: string): boolean {
  return value.trim() !== '' && Number.isFinite(Number(value));
}

/** Describes the numbers that a flag accepts: `a whole number from 1 to 100`. */
function numbersOf({ kind, min, max }: FlagSpec): string {
  const from = min === undefined ? '' : ` from ${min}`;
  const to = max === undefined ? '' : ` to ${max}`;
  return `${kind === 'integer' ? 'a whole number' : 'a number'}${from}${to}`;
}

function bindArguments(
  { name, args = [], strayHint }: CommandSpec,
  positionals: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const bound = new Map<string, readonly string[]>();
  for (const [index, spec] of args.entries()) {
    const rest = positionals.slice(index);
    const words =
      spec.rest === true && rest.length > 0 ? [rest.join(' ')] : spec.repeats === true ? rest : rest.slice(0, 1);
    if (words.length === 0 && spec.required)
      throw invalidInput(`kebab ${name} needs ${spec.name}: ${spec.summary}`, { field: spec.name });
    if (spec.rest !== true && spec.acceptsEmpty !== true && words.some((word) => word.trim() === ''))
      throw invalidInput(`${spec.name} is empty: kebab ${name} takes ${spec.summary}`, { field: spec.name, value: '' });
    if (words.length > 0) bound.set(spec.name, words);
  }
  const last = args.at(-1);
  const max = last?.rest === true || last?.repeats === true ? Infinity : args.length;
  const extra = positionals[max];
  if (extra !== undefined) {
    const takes = max === 0 ? 'no argument' : `only ${args.map((arg) => arg.name).join(' ')}`;
    throw invalidInput(`kebab ${name} takes ${takes}; ${JSON.stringify(extra)} is one too many`, {
      field: 'arguments',
      value: extra,
      hint: strayHint,
    });
  }
  return bound;
}
