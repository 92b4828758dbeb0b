import { invalidInput, nearestName } from '@kebab/core/app';
import type { CommandSpec, FlagSpec } from './command-spec.ts';
import { checkFlagValues } from './check-flag-values.ts';
import { GLOBAL_FLAGS } from './global-flags.ts';

/** The flags of a command line by name, each with its values in order, and what is no flag. A boolean has the value `true`. */
export interface ParsedFlags {
  readonly flags: ReadonlyMap<string, readonly string[]>;
  readonly positionals: readonly string[];
}

/**
 * Tells flags from arguments: `--name value`, `--name=value`, `-k value`, `-k3`; behind `--` everything is an argument.
 * Throws `invalid_input` for a flag that neither the command nor every command knows, and for a bad, missing or
 * superfluous value.
 */
export function parseFlags(argv: readonly string[], command: CommandSpec | null): ParsedFlags {
  const specs = [...(command?.flags ?? []), ...GLOBAL_FLAGS];
  const given = new Map<FlagSpec, string[]>();
  const positionals: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? '';
    if (word === '--') {
      positionals.push(...argv.slice(i + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      positionals.push(word);
      continue;
    }
    const { name, value } = split(word);
    const spec = specs.find((one) => name === `--${one.name}` || name === `-${one.short}`);
    if (spec === undefined) throw unknownFlag(name, specs, command);
    given.set(spec, [...(given.get(spec) ?? []), value ?? impliedValue(spec, argv[i + 1])]);
    if (value === undefined && spec.kind !== 'boolean') i++;
    if (value !== undefined && spec.kind === 'boolean')
      throw invalidInput(`--${spec.name} takes no value`, { field: `--${spec.name}`, value });
  }
  const flags = new Map([...given].map(([spec, values]) => [spec.name, checkFlagValues(spec, values)]));
  return { flags, positionals };
}

/** Takes `--name=value`, `-k=3` and `-k3` apart. */
function split(word: string): { readonly name: string; readonly value: string | undefined } {
  const equals = word.indexOf('=');
  if (equals > 0) return { name: word.slice(0, equals), value: word.slice(equals + 1) };
  const attached = /^(-[a-z])(\d+)$/.exec(word);
  return { name: attached?.[1] ?? word, value: attached?.[2] };
}

function impliedValue({ name, kind }: FlagSpec, next: string | undefined): string {
  if (kind === 'boolean') return 'true';
  if (next !== undefined && (next === '-' || !next.startsWith('-'))) return next;
  const dashed = next === undefined ? '' : `; for a value that begins with a dash write --${name}=${next}`;
  throw invalidInput(`--${name} takes a value${dashed}`, { field: `--${name}` });
}

function unknownFlag(typed: string, specs: readonly FlagSpec[], command: CommandSpec | null): Error {
  const names = specs.map(({ name }) => `--${name}`);
  const suggestion = nearestName(typed, names);
  const question = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
  return invalidInput(`there is no flag ${typed} here${question}`, {
    field: typed,
    value: typed,
    suggestion,
    ...hintFor(command),
  });
}

/** Where words are expected, a word with a dash may have been meant as one. */
function hintFor(command: CommandSpec | null): { readonly hint?: string } {
  if (command === null) return {};
  const help = `see \`kebab ${command.name} --help\``;
  const takesWords = command.args.at(-1)?.rest === true;
  return { hint: takesWords ? `${help}; put -- before words that begin with a dash` : help };
}
