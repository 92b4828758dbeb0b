import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import {
  invalidInput,
  makeFolder,
  nearestName,
  readRegularText,
  writeAtomically,
  xdgFolders,
  type SearchResponse,
} from '@kebab/core/app';
import { citedUri } from '../screen/shown-values.ts';
import type { CommandContext } from './command-context.ts';

/** A query with its flags, named as in a request. */
export type SearchedRequest = Readonly<Record<string, unknown>> & { readonly query: string };

/** A search that was run. */
export interface PastSearch {
  readonly request: SearchedRequest;
  /** ISO 8601. */
  readonly at: string;
  readonly hits: number;
}

/** The searches of a user. */
export interface SearchHistory {
  /** The URIs of the hits of the last search that had some, by rank. */
  readonly hits: Readonly<Record<string, string>>;
  /** Latest first, each request once. */
  readonly searches: readonly PastSearch[];
  /** By name. */
  readonly saved: Readonly<Record<string, SearchedRequest>>;
}

const NOTHING: SearchHistory = { hits: {}, searches: [], saved: {} };
/** A page of 100 hits with paths of 1,000 characters, and the searches. */
const MAX_BYTES = 2 ** 20;
const MAX_SEARCHES = 100;
/** A longer query is pasted text. */
const MAX_QUERY = 1000;

function isName(text: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,63}$/u.test(text);
}

/** The remembered searches; none if the file is missing or damaged. */
export function readHistory(context: CommandContext): SearchHistory {
  try {
    const read = JSON.parse(readRegularText(fileOf(context), { maxBytes: MAX_BYTES })) as Partial<SearchHistory> | null;
    const searches = Array.isArray(read?.searches) ? read.searches.filter(isSearch) : [];
    return { hits: read?.hits ?? {}, searches, saved: read?.saved ?? {} };
  } catch {
    return NOTHING;
  }
}

function isSearch({ request, at }: Partial<PastSearch>): boolean {
  return typeof request?.query === 'string' && typeof at === 'string';
}

/** Replaces the remembered searches. Throws the error of the file system. */
export function writeHistory(context: CommandContext, history: SearchHistory): void {
  const file = fileOf(context);
  makeFolder(path.dirname(file), { mode: 0o700 });
  writeAtomically(file, `${JSON.stringify(history)}\n`, { mode: 0o600, flush: false });
}

/**
 * Remembers a search and its hits; in read-only mode, and where the file cannot be written, they are forgotten. With `--save` the request gets
 * a name; then failures are thrown, and `invalid_input` for something that is no name.
 */
export function rememberSearch(context: CommandContext, request: SearchedRequest, { hits }: SearchResponse): void {
  const name = context.values.text('save');
  if (context.readonly && name === undefined) return;
  const history = readHistory(context);
  const numbered = Object.fromEntries(hits.map(({ rank, citation }) => [rank, citedUri(citation)]));
  const others = history.searches.filter((past) => JSON.stringify(past.request) !== JSON.stringify(request));
  const past = { request, at: new Date().toISOString(), hits: hits.length };
  const isShort = request.query.length <= MAX_QUERY;
  try {
    writeHistory(context, {
      hits: hits.length === 0 ? history.hits : numbered,
      searches: (isShort ? [past, ...others] : history.searches).slice(0, MAX_SEARCHES),
      saved: name === undefined ? history.saved : { ...history.saved, [name]: request },
    });
    if (name === undefined) return;
    const instead = Object.hasOwn(history.saved, name) ? ', in place of the search that had the name' : '';
    context.note(`saved: kebab search @${name}${instead}`);
  } catch (error) {
    if (name !== undefined) throw error;
  }
}

/** Throws `invalid_input` for a name that a search cannot be saved under. */
export function checkSavedName({ values, readonly }: CommandContext): void {
  const name = values.text('save');
  if (name === undefined) return;
  if (readonly) throw invalidInput('--save writes a file, which read-only mode refuses', { field: '--save' });
  if (!isName(name))
    throw invalidInput(`${JSON.stringify(name)} is no name for a search`, {
      field: '--save',
      value: name,
      hint: 'use letters, digits, dots and hyphens: --save kiln-notes',
    });
}

/**
 * The request of `@NAME`, with further words and flags added, if a search is saved under the name; anything else stays as it was typed.
 */
export function savedRequest(context: CommandContext, typed: SearchedRequest): SearchedRequest {
  const [, name, words = ''] = /^@(\S+)(?:\s+(.*))?$/s.exec(typed.query) ?? [];
  if (name === undefined) return typed;
  const { saved } = readHistory(context);
  const known = Object.hasOwn(saved, name) ? saved[name] : undefined;
  return known === undefined ? typed : { ...known, ...typed, query: `${known.query} ${words}`.trim() };
}

/** The name in `@NAME` that no search is saved under; null where there is none, or the hits show that it was looked for as a text. */
export function unsavedName(
  context: CommandContext,
  typed: string,
  { hits }: Pick<SearchResponse, 'hits'>,
): { readonly name: string; readonly saved: readonly string[]; readonly isNear: boolean } | null {
  const [, name = '', words] = /^@(\S+)(\s)?/.exec(typed) ?? [];
  if (name === '' || !isName(name) || hits.some(({ snippet }) => snippet.includes(`@${name}`))) return null;
  const saved = Object.keys(readHistory(context).saved);
  if (saved.includes(name)) return null;
  const nearest = nearestName(name, saved);
  if (nearest !== undefined) return { name, saved: [nearest], isNear: true };
  return words === undefined ? { name, saved, isNear: false } : null; // as likely a name that texts mention
}

/** Reports a name that no search is saved under. */
export function noteUnsavedName(context: CommandContext, typed: string, response: SearchResponse): void {
  const unsaved = unsavedName(context, typed, response);
  if (unsaved === null) return;
  const { name, saved, isNear } = unsaved;
  const names = saved.map((one) => `@${one}`).join(', ');
  const there = isNear ? `did you mean ${names}?` : `there is: ${names}`;
  const hint = saved.length > 0 ? there : `kebab search --save ${name} QUERY saves one`;
  context.note(`notice: no search is saved as "${name}", so the word was looked for — ${hint}`);
}

const HIT_NUMBER = /^[1-9]\d{0,3}$/;

/** The hit that a text may be the number of, undefined beyond the last one, and the search; null for any other text. */
function readHitNumber(context: CommandContext, typed: string) {
  if (!HIT_NUMBER.test(typed)) return null;
  const { hits, searches } = readHistory(context);
  const uri: unknown = hits[typed];
  const query = searches.find((past) => past.hits > 0)?.request.query ?? '';
  return { uri: typeof uri === 'string' ? uri : undefined, hits: Object.keys(hits).length, query };
}

/**
 * The URI of a hit of the last search that is remembered, if a text is its number, with a notice that names the search; undefined for any
 * other text, and before the first search. Throws `invalid_input` where later searches could not be remembered.
 */
export function hitNumbered(context: CommandContext, typed: string): string | undefined {
  const { uri, query } = readHitNumber(context, typed) ?? {};
  if (uri === undefined) return undefined;
  const why = whyForgotten(context);
  if (why !== null)
    throw invalidInput(`hit ${typed} is not known: searches are not remembered ${why}`, {
      field: 'URI',
      value: typed,
      hint: 'name the place as the search prints it, such as notes/a.md#L3',
    });
  context.note(`notice: ${typed} is ${uri}${query === '' ? '' : `, of the search ${JSON.stringify(query)}`}`);
  return uri;
}

/** Why searches are not remembered; null where they are. */
function whyForgotten(context: CommandContext): string | null {
  if (context.readonly) return 'in read-only mode';
  const file = fileOf(context);
  try {
    accessSync(path.dirname(file), constants.W_OK);
    return null;
  } catch {
    return `because ${file} cannot be written`;
  }
}

/** Throws `invalid_input` for a number that the last search has no hit for; anything else may be the name of a document. */
export function refuseHitNumber(context: CommandContext, typed: string): void {
  const number = readHitNumber(context, typed);
  if (number === null || number.uri !== undefined) return;
  const why = number.hits === 0 ? 'no search with hits is remembered' : `the last search had ${number.hits}`;
  throw invalidInput(`there is no hit ${typed}: ${why}`, {
    field: 'URI',
    value: typed,
    hint: 'search again, or see the last ones with `kebab history`',
  });
}

function fileOf(context: CommandContext): string {
  const { state } = xdgFolders({ XDG_STATE_HOME: context.variable('XDG_STATE_HOME') }, context.homeDir);
  return path.join(state, 'search-history.json');
}
