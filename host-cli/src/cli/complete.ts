import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { COMMANDS } from './command-table.ts';
import { openWord, type Offer, type OpenWord } from './complete-line.ts';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** What begins a path that is no path of a source: from the root, the home folder, or the working directory. */
const ANCHORED = /^(?:~?\/|\.{1,2}\/|[A-Za-z]:[/\\])/;
/** A value with one of these would be several, or orders to a terminal. */
// oxlint-disable-next-line no-control-regex
const UNUSABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/u;

/**
 * `kebab complete`: what may stand for the unfinished word, one a line, with a tab and what it means where that is known. It answers
 * nothing when anything fails: a shell has no room for an error.
 */
export async function complete(context: CommandContext): Promise<ExitCode> {
  const line = context.values.text('line');
  const words = line === undefined ? context.values.args('WORD') : wordsOf(line).slice(1);
  const open = openWord(words, COMMANDS);
  const offers = [...open.offers, ...(await knownValues(open, context))];
  const shown = offers.filter(({ value }) => value.startsWith(open.typed) && !UNUSABLE.test(value));
  const before = lengthBefore(context.values.text('replacing'), open.kept + open.typed);
  const lines = shown.map(({ value, summary }) => {
    const word = `${open.kept}${value}`.slice(before);
    return summary === undefined ? `${word}\n` : `${word}\t${summary}\n`;
  });
  context.print(lines.join(''));
  return EXIT.ok;
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
    return app.completeValue({ kind: completes, typed, key: previous });
  }
}

/** Files and folders that go on from a path; hidden ones only behind a dot. A folder ends with a slash. */
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
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false; // a link may lead nowhere
}

/** How much of a word stands before the part that a shell replaces: as it was typed, or without the quotes that it was begun in. */
function lengthBefore(replaced: string | undefined, word: string): number {
  if (replaced === undefined) return 0;
  const part = word.endsWith(replaced) ? replaced : (wordsOf(replaced).at(-1) ?? '');
  return word.endsWith(part) ? word.length - part.length : 0;
}

/** The words of a line of a shell from the name of the command on; the last one may be open within quotes. */
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
  const name = words.findIndex((one) => !/^\w+=/.test(one)); // variables may stand before the command
  return words.slice(name);
}
