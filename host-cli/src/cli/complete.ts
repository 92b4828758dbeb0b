import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { COMMANDS } from './command-table.ts';
import type { CommandContext } from '../command/command-context.ts';
import type { CommandSpec, Completes, FlagSpec } from '../command/command-spec.ts';
import { GLOBAL_FLAGS } from '../command/command-values.ts';
import { TOPICS } from './help-topics.ts';

/** Matches a path that is not relative to a source: it starts at the root, the home folder, or the working directory. */
const ANCHORED = /^(?:~?\/|\.{1,2}\/|[A-Za-z]:[/\\])/;
/** Characters that would split a value into several, or act as terminal controls. */
// oxlint-disable-next-line no-control-regex
const UNUSABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u;

/**
 * `kebab complete`: prints candidates for the unfinished word, one per line, followed by a tab and a description if there is one. It prints
 * nothing on failure, because a shell cannot show an error while completing.
 */
export async function complete(context: CommandContext): Promise<void> {
  const line = context.values.text('line');
  const words = line === undefined ? context.values.args('WORD') : wordsOf(line).slice(1);
  const open = openWord(words, COMMANDS);
  const offers = [...open.offers, ...(await knownValues(open, context))];
  const shown = offers.filter(({ value }) => value.startsWith(open.typed) && !UNUSABLE.test(value));
  const before = lengthBefore(context.values.text('replacing'), open.prefix + open.typed);
  const lines = shown.map(({ value, summary }) => {
    const word = `${open.prefix}${value}`.slice(before);
    return summary === undefined ? `${word}\n` : `${word}\t${summary}\n`;
  });
  context.print(lines.join(''));
}

async function knownValues(
  { typed, completes, previous }: OpenWord,
  context: CommandContext,
): Promise<readonly Offer[]> {
  try {
    return (await valuesOf()).map((value) => ({ value }));
  } catch {
    return [];
  }

  async function valuesOf(): Promise<readonly string[]> {
    if (completes === null) return [];
    if (typeof completes !== 'string') return completes;
    const isFile = completes === 'file' || completes === 'folder';
    const isPath = completes === 'path' || completes === 'place';
    if (isFile || (isPath && ANCHORED.test(typed)))
      return filesAt(typed, { onlyFolders: completes === 'folder', context });
    const app = await context.openApp();
    if (completes !== 'plugin_source') return app.completeValue({ kind: completes, typed, key: previous });
    const parts = await app.completeValue({ kind: 'missing_part', typed });
    return [...parts, ...filesAt(typed, { onlyFolders: false, context })];
  }
}

/** Files and folders whose paths begin with a prefix; hidden ones only after a dot. A folder ends with a slash. */
function filesAt(
  typed: string,
  { onlyFolders, context }: { readonly onlyFolders: boolean; readonly context: CommandContext },
): readonly string[] {
  const folder = typed.slice(0, typed.lastIndexOf('/') + 1);
  const begun = typed.slice(folder.length);
  const home = context.variable('HOME') ?? '~';
  const place = context.absolute(folder.replace(/^~(?=\/)/, home));
  return readdirSync(place)
    .filter((name) => name.startsWith(begun) && (begun.startsWith('.') || !name.startsWith('.')))
    .map((name) => ({ name, isFolder: isFolder(path.join(place, name)) }))
    .filter((entry) => entry.isFolder || !onlyFolders)
    .map((entry) => `${folder}${entry.name}${entry.isFolder ? '/' : ''}`)
    .toSorted();
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false; // a link may be broken
}

/** How many characters of a word precede the part that the shell replaces: as typed, or without the opening quotes. */
function lengthBefore(replaced: string | undefined, word: string): number {
  if (replaced === undefined) return 0;
  const part = word.endsWith(replaced) ? replaced : (wordsOf(replaced).at(-1) ?? '');
  return word.endsWith(part) ? word.length - part.length : 0;
}

/** The words of a shell line from the command's name on; the last one may have an unclosed quote. */
function wordsOf(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] ?? '';
    if (sign === '\\' && quote !== "'") word = (word ?? '') + (line[++at] ?? '');
    else if (sign === quote) quote = '';
    else if (quote === '' && (sign === '"' || sign === "'")) {
      quote = sign;
      word ??= '';
    } else if (quote === '' && /\s/.test(sign)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + sign;
  }
  words.push(word ?? '');
  const name = words.findIndex((one) => !/^\w+=/.test(one)); // variable assignments may precede the command
  return words.slice(name);
}

/** A candidate value with its description. */
interface Offer {
  readonly value: string;
  readonly summary?: string | undefined;
}

/** The unfinished word of a command line. */
interface OpenWord {
  /** The part before the value that is prefix: `--mode=`, the values before the last comma, or the `@` of a file. */
  readonly prefix: string;
  /** The typed part of the value. */
  readonly typed: string;
  /** Candidates that do not depend on the knowledge base, not yet filtered by the typed word. */
  readonly offers: readonly Offer[];
  /** The kind of further candidates. */
  readonly completes: Completes | null;
  /** The argument before the open one: the key of a setting. */
  readonly previous: string;
}

/** Completions for flags of requests, whose declarations contain none. */
const FLAG_VALUES: Readonly<Record<string, Completes>> = {
  'code-lang': 'code_lang',
  config: 'file',
  'doc-id': 'document_id',
  expect: 'path',
  lang: 'lang',
  output: 'file',
  'path-glob': 'glob',
  plugin: 'file',
  repo: 'repo',
  session: 'session',
  source: 'source',
  suite: 'file',
  tag: 'tag',
};

/** Determines what can complete a command line: the words after `kebab`, the last one unfinished. */
export function openWord(words: readonly string[], commands: readonly CommandSpec[]): OpenWord {
  const word = words.at(-1) ?? '';
  const { positionals, openFlag, onlyArguments } = readWords(words.slice(0, -1), commands);
  const command = commandOf(positionals, commands);
  if (openFlag !== undefined) return valueOf(openFlag, '', word);
  const [, assigned, value = ''] = /^--([\w-]+)=(.*)$/s.exec(word) ?? [];
  if (assigned !== undefined && !onlyArguments) {
    const flag = flagsOf(command).find(({ name }) => name === assigned);
    return flag === undefined ? nothing(word) : valueOf(flag, `--${assigned}=`, value);
  }
  if (word.startsWith('-') && !onlyArguments) {
    const offers = flagsOf(command).map(({ name, summary }) => ({ value: `--${name}`, summary }));
    return { ...nothing(word), offers };
  }
  if (positionals[0] === 'help') {
    const own = positionals.length === 1 ? [{ value: 'all', summary: 'every command and flag' }] : [];
    return { ...nothing(word), offers: [...nextWords(positionals.slice(1), commands), ...own] };
  }
  const own = positionals.length === 0 ? [{ value: 'help' }, { value: 'version' }] : [];
  const offers = [...nextWords(positionals, commands), ...own];
  return { ...argumentOf(command, positionals, word), offers };
}

/** The words before the open one, parsed as far as they are valid. */
interface ReadWords {
  readonly positionals: readonly string[];
  /** A flag whose value is missing. */
  readonly openFlag: FlagSpec | undefined;
  /** True after `--`. */
  readonly onlyArguments: boolean;
}

function readWords(words: readonly string[], commands: readonly CommandSpec[]): ReadWords {
  const positionals: string[] = [];
  let openFlag: FlagSpec | undefined;
  let onlyArguments = false;
  for (const word of words) {
    if (openFlag !== undefined) openFlag = undefined;
    else if (onlyArguments || !word.startsWith('-') || word === '-') positionals.push(word);
    else if (word === '--') onlyArguments = true;
    else
      openFlag = flagsOf(commandOf(positionals, commands)).find((flag) => flag.kind !== 'boolean' && isIt(flag, word));
  }
  return { positionals, openFlag, onlyArguments };
}

function isIt({ name, short }: FlagSpec, word: string): boolean {
  return word === `--${name}` || word === `-${short}`;
}

/** The longest command that the words begin with; otherwise the default command of a group. */
function commandOf(words: readonly string[], commands: readonly CommandSpec[]): CommandSpec | undefined {
  const named = (count: number): CommandSpec | undefined =>
    commands.find(({ name }) => words.length >= count && name === words.slice(0, count).join(' '));
  return named(2) ?? named(1) ?? commands.find(({ group }) => group !== undefined && group === words[0]);
}

function flagsOf(command: CommandSpec | undefined): readonly FlagSpec[] {
  return [...(command?.flags ?? []), ...GLOBAL_FLAGS];
}

/** Command words that may follow; a group has its summary from help. */
function nextWords(words: readonly string[], commands: readonly CommandSpec[]): readonly Offer[] {
  const offers = new Map<string, string | undefined>();
  for (const { name, summary } of commands) {
    const own = name.split(' ');
    const next = own[words.length];
    if (next === undefined || !words.every((word, at) => word === own[at])) continue;
    const isLast = own.length === words.length + 1;
    if (isLast || !offers.has(next)) offers.set(next, isLast ? summary : groupSummary(next));
  }
  return Array.from(offers, ([value, summary]) => ({ value, summary }));
}

function groupSummary(group: string): string | undefined {
  const row = TOPICS.flatMap(({ rows }) => rows).find(
    (each) => typeof each !== 'string' && 'group' in each && each.group === group,
  );
  return typeof row === 'object' ? row.summary : undefined;
}

function argumentOf(command: CommandSpec | undefined, positionals: readonly string[], word: string): OpenWord {
  if (command === undefined) return nothing(word);
  const isNamed = command.name === positionals.slice(0, command.name.split(' ').length).join(' ');
  const at = positionals.length - (isNamed ? command.name.split(' ').length : 1);
  const { args = [] } = command;
  const last = args.at(-1);
  const spec = args[at] ?? (last?.repeats === true || last?.rest === true ? last : undefined);
  // A question may name files with @ anywhere.
  if (spec?.rest === true && word.startsWith('@')) return { ...nothing(word.slice(1)), prefix: '@', completes: 'path' };
  return { ...nothing(word), completes: spec?.completes ?? null, previous: positionals.at(-1) ?? '' };
}

function valueOf(flag: FlagSpec, before: string, word: string): OpenWord {
  const comma = flag.commas === true ? word.lastIndexOf(',') + 1 : 0;
  return {
    prefix: before + word.slice(0, comma),
    typed: word.slice(comma),
    offers: (flag.choices ?? flag.offers ?? []).map((value) => ({ value })),
    completes: FLAG_VALUES[flag.name] ?? null,
    previous: '',
  };
}

function nothing(typed: string): OpenWord {
  return { prefix: '', typed, offers: [], completes: null, previous: '' };
}
