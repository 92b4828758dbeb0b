import path from 'node:path';
import { makeFolder, readRegularText, writeAtomically, xdgFolders, type SearchResponse } from '@kebab/core/app';
import type { CommandContext } from './command-context.ts';

/** The last search of a user. */
interface LastSearch {
  /** The URIs of its hits by rank. */
  readonly hits: Readonly<Record<string, string>>;
}

/** A page of 100 hits with paths of 1,000 characters. */
const MAX_BYTES = 2 ** 18;

/** Remembers the hits of a search for {@link hitNumbered}; in read-only mode, and where the file cannot be written, they are forgotten. */
export function rememberHits(context: CommandContext, { hits }: SearchResponse): void {
  if (context.readonly) return;
  const search: LastSearch = { hits: Object.fromEntries(hits.map(({ rank, citation }) => [rank, citation.uri])) };
  const file = fileOf(context);
  try {
    makeFolder(path.dirname(file), { mode: 0o700 });
    writeAtomically(file, `${JSON.stringify(search)}\n`, { mode: 0o600, flush: false });
  } catch {
    // the hits have no numbers then
  }
}

/** The URI of a hit of the last search, if a text is its number; undefined for any other text, and before the first search. */
export function hitNumbered(context: CommandContext, typed: string): string | undefined {
  if (!/^[1-9]\d{0,3}$/.test(typed)) return undefined;
  try {
    const search = JSON.parse(readRegularText(fileOf(context), { maxBytes: MAX_BYTES })) as Partial<LastSearch> | null;
    const uri: unknown = search?.hits?.[typed];
    return typeof uri === 'string' ? uri : undefined;
  } catch {
    return undefined;
  }
}

function fileOf(context: CommandContext): string {
  const { state } = xdgFolders({ XDG_STATE_HOME: context.variable('XDG_STATE_HOME') }, context.screen().homeDir);
  return path.join(state, 'last-search.json');
}
