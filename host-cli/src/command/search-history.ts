import path from 'node:path';
import {
  invalidInput,
  makeFolder,
  readRegularText,
  writeAtomically,
  xdgFolders,
  type SearchResponse,
} from '@kebab/core/app';
import type { CommandContext } from './command-context.ts';

/** A search as it is remembered. */
export interface PastSearch {
  /** RFC 3339. */
  readonly at: string;
  /** The folder that it was typed in. */
  readonly folder: string;
  /** The words after `kebab search`. */
  readonly words: readonly string[];
  /** The URIs of its hits by rank. */
  readonly hits: Readonly<Record<string, string>>;
}

/** The searches of a user: the last ones, and those with a name. */
export interface Searches {
  /** Newest first. */
  readonly past: readonly PastSearch[];
  /** The words after `kebab search`, by name. */
  readonly saved: Readonly<Record<string, readonly string[]>>;
}

const MAX_PAST = 100;
const MAX_BYTES = 2 ** 22;
const NO_SEARCHES: Searches = { past: [], saved: {} };

/** Reads the searches; those of a file that cannot be read are none. */
export function readSearches(context: CommandContext): Searches {
  try {
    const stored = JSON.parse(readRegularText(fileOf(context), { maxBytes: MAX_BYTES })) as Partial<Searches> | null;
    const { past, saved } = { ...NO_SEARCHES, ...stored };
    return Array.isArray(past) && typeof saved === 'object' ? { past, saved } : NO_SEARCHES;
  } catch {
    return NO_SEARCHES;
  }
}

/** Remembers a search with its hits; in read-only mode, and where the file cannot be written, it is forgotten. */
export function rememberSearch(context: CommandContext, { hits }: SearchResponse): void {
  if (context.readonly) return;
  const searches = readSearches(context);
  const search: PastSearch = {
    at: new Date().toISOString(),
    folder: context.absolute('.'),
    words: wordsOfSearch(context),
    hits: Object.fromEntries(hits.map(({ rank, citation }) => [rank, citation.uri])),
  };
  try {
    writeSearches(context, { ...searches, past: [search, ...searches.past].slice(0, MAX_PAST) });
  } catch {
    // the next search can do without it
  }
}

/** Gives a search a name. Throws `invalid_input` for an unusable name, and in read-only mode. */
export function saveSearch(context: CommandContext, name: string): void {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u.test(name))
    throw invalidInput('a search is named by letters, digits, dots and dashes', { field: '--save', value: name });
  if (context.readonly) throw invalidInput('a search is not saved in read-only mode', { field: '--save', value: name });
  const { past, saved } = readSearches(context);
  writeSearches(context, { past, saved: { ...saved, [name]: wordsOfSearch(context) } });
}

/** The URI of a hit of the last search, if a text is its number; undefined for any other text, and before the first search. */
export function hitNumbered(context: CommandContext, typed: string): string | undefined {
  if (!/^[1-9]\d{0,3}$/.test(typed)) return undefined;
  return readSearches(context).past[0]?.hits[typed];
}

/** The words after `kebab search`, without those that only concern the one run. */
function wordsOfSearch({ typed }: CommandContext): readonly string[] {
  const words = typed.slice(typed.indexOf('search') + 1);
  const at = words.indexOf('--save');
  return at === -1 ? words : words.toSpliced(at, 2);
}

function writeSearches(context: CommandContext, searches: Searches): void {
  const file = fileOf(context);
  makeFolder(path.dirname(file), { mode: 0o700 });
  writeAtomically(file, `${JSON.stringify(searches)}\n`, { mode: 0o600, flush: false });
}

function fileOf(context: CommandContext): string {
  const { state } = xdgFolders({ XDG_STATE_HOME: context.variable('XDG_STATE_HOME') }, context.screen().homeDir);
  return path.join(state, 'searches.json');
}
