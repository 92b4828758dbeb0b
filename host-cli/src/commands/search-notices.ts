import path from 'node:path';
import {
  SEARCH,
  flagName,
  formatSourcePath,
  makeFolder,
  printable,
  readRegularText,
  shellWord,
  xdgFolders,
  writeAtomically,
  type App,
  type Degraded,
  type Mode,
  type SearchResponse,
} from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { degradedNotice, homePath } from '../screen/shown-values.ts';

/** Reports on stderr what a search skipped, which operators it read as words, and suggestions if it found nothing. */
export async function noteSearch(response: SearchResponse, context: CommandContext, app?: App): Promise<void> {
  await noteDegraded(response.degraded, response.mode, { context, app });
  await noteIndex(response.index, context);
  for (const line of unreadLines(response.hits)) context.note(line);
  for (const { text, hint } of response.notices ?? []) context.note(`notice: "${text}" is read as words: ${hint}`);
  for (const { source_id, doc_path, why, remedy } of response.unread ?? [])
    context.note(
      `notice: not searched: ${formatSourcePath({ sourceId: source_id, path: doc_path })}: ${why} — ${remedy}`,
    );
  if (response.suggestions !== undefined) noteSuggestions(response.suggestions, context);
  if (response.hits.length === 0 && app !== undefined) await noteProject(context, app);
}

/** The words that no passage contains, and whether the hits are only the nearest of what there is; null when neither. */
export function unknownNotice({
  hits,
  unknown_terms: unknown = [],
  nearest_only: isNearestOnly,
}: SearchResponse): string | null {
  if (unknown.length === 0 && isNearestOnly !== true) return null;
  const isByWords = hits.some(({ retrieval }) => retrieval.lexical_rank !== null);
  const why = unknown.length === 0 ? 'no passage answers this' : `no passage contains ${disjunction(unknown)}`;
  const nearest = isByWords ? 'the hits only come nearest' : 'the hits are only the nearest by meaning';
  const isSaid = isNearestOnly === true || (hits.length > 0 && !isByWords);
  return isSaid ? `${why}: ${nearest}` : why;
}

/** Several words in quotation marks, in a sentence. A list format is made only here: the first one of a process takes 10 ms. */
function disjunction(words: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(words.map((word) => `"${printable(word)}"`));
}

/** Reports that a search which found nothing was one of a project, beside which the user has a knowledge base. */
async function noteProject(context: CommandContext, app: App): Promise<void> {
  if (context.quiet || context.json) return;
  const { project, config_files: files } = await app.configPaths();
  const own = files.find(({ path: file }) => project !== undefined && !file.startsWith(project + path.sep));
  if (project === undefined || own?.exists !== true) return;
  const flag = `--config ${shellWord(own.path)}`;
  context.note(
    `notice: only the project ${homePath(project, context.homeDir)} was searched; ${flag} searches your own documents`,
  );
}

/** Reports on stderr what was meant, or is there, instead of what was found nowhere. */
export function noteSuggestions(suggestions: Suggestions, context: CommandContext): void {
  // A command is not wrapped, so that it can be copied.
  for (const line of suggestionLines(suggestions, context)) context.note(line, line.startsWith(COMMAND));
}

/** Reports file changes that the index does not contain yet and, once a day, that a large folder was not compared completely. */
export async function noteIndex(index: SearchResponse['index'], context: CommandContext): Promise<void> {
  if (index === undefined || context.quiet || context.json) return;
  const { changed, reason, hint } = index;
  if (changed === 0) {
    if (reason !== 'budget' || (await isDue('index unlooked', context))) context.note(`notice: ${hint}`);
    return;
  }
  const files = changed === 1 ? '1 file' : `${changed} files`;
  const what =
    reason === 'mass_delete' ? `${files} of a folder are gone at once` : `${files} changed since the last ingest`;
  context.note(`notice: ${what}: ${hint}`);
}

/** Lists hits without text, which look empty, and how to get their text, one line per remedy. */
function unreadLines(hits: SearchResponse['hits']): readonly string[] {
  const paths = new Map<string, string[]>();
  for (const { unread, doc_path: document } of hits)
    if (unread !== undefined) paths.set(unread, [...(paths.get(unread) ?? []), document]);
  return [...paths].map(([remedy, of]) => `notice: found by name, without text: ${of.join(', ')} — ${remedy}`);
}

/** Reports skipped stages: each once a day, and never those that the configuration switches off. */
export async function noteDegraded(
  degraded: readonly Degraded[],
  mode: Mode,
  { context, app }: { readonly context: CommandContext; readonly app?: App | undefined },
): Promise<void> {
  if (degraded.length === 0 || context.quiet || context.json) return;
  for (const stage of degraded) {
    const isSaid = stage.stage === 'vector' && stage.reason === 'provider_none';
    if (isSaid && (await isSwitchedOff(context, app))) continue;
    // A missing source or a failed plugin is reported every time.
    if (stage.stage !== 'vector' || (await isDue(`${stage.stage} ${stage.reason}`, context)))
      context.note(degradedNotice(stage, mode));
  }
}

/** Whether a daily notice should be shown; always true in read-only mode. */
async function isDue(key: string, context: CommandContext): Promise<boolean> {
  if (context.readonly) return true;
  const { state: stateDir } = xdgFolders({ XDG_STATE_HOME: context.variable('XDG_STATE_HOME') }, context.homeDir);
  return isFirstToday(key, { stateDir, now: new Date() });
}

/** Whether the configuration switches vectors off; without an App, the environment decides, because `kebab try` reads no file. */
async function isSwitchedOff(context: CommandContext, app: App | undefined): Promise<boolean> {
  if (app === undefined) return context.variable('KEBAB_MODELS_EMBEDDING_PROVIDER') === 'none';
  const { entries } = await app.configView();
  return entries.some(({ key, value }) => key === 'models.embedding.provider' && value === 'none');
}

/** The text before a suggested command. */
const COMMAND = 'did you mean: ';
/** Listed values per filter; the JSON has more. */
const MAX_LISTED = 6;

type Suggestions = NonNullable<SearchResponse['suggestions']>;

function suggestionLines({ query, words, filters }: Suggestions, { values }: CommandContext): readonly string[] {
  const lines = filters.map(({ filter, value, nearest, known }) => {
    const meant = nearest === null ? '' : ` — did you mean ${nearest}?`;
    const others = known.filter((one) => one !== nearest).slice(0, MAX_LISTED);
    const listed = others.length === 0 ? '' : `${meant === '' ? ';' : ''} there is: ${others.join(', ')}`;
    const missing = filter === 'path_glob' ? 'a path that matches' : filter.replaceAll('_', ' ');
    return `no document has ${missing} "${value}"${meant}${listed}`;
  });
  const typed = values.arg('QUERY');
  const corrected = new Map(
    filters.flatMap(({ value, nearest }) => (nearest === null ? [] : [[value, nearest] as const])),
  );
  const flags = flagsWith(values.request(SEARCH), corrected);
  const hasOwn = flags.some(({ isCorrected }) => isCorrected);
  const isHopeless = filters.some(({ nearest }) => nearest === null);
  const line = ['kebab search', shellWord(query ?? typed), ...flags.map(({ text }) => text)].join(' ');
  if (isHopeless) return lines;
  if (query !== null && words.length === 0 && filters.length === 0)
    lines.push('no passage holds the words of the phrase in a row');
  if (typed !== '' && (query !== null || hasOwn)) lines.push(`${COMMAND}${line}`);
  else if (query !== null) lines.push(`did you mean: ${query}`);
  for (const { word, nearest } of words.filter((one) => one.nearest.length > 1))
    lines.push(`near to "${word}": ${nearest.join(', ')}`);
  return lines;
}

/** The typed flags of a search, with values that no document has replaced by suggestions. */
function flagsWith(
  request: Readonly<Record<string, unknown>>,
  corrected: ReadonlyMap<string, string>,
): readonly { readonly text: string; readonly isCorrected: boolean }[] {
  return Object.entries(SEARCH).flatMap(([key, field]) => {
    const member = request[key];
    if (member === undefined || key === 'cursor') return [];
    const flag = 'short' in field ? `-${field.short}` : `--${flagName(key, field)}`;
    if (member === true) return [{ text: flag, isCorrected: false }];
    const list = (Array.isArray(member) ? member : [member]) as readonly (string | number)[];
    return list.map((value) => {
      const better = corrected.get(String(value).replace(/^#/, ''));
      return { text: `${flag} ${shellWord(better ?? String(value))}`, isCorrected: better !== undefined };
    });
  });
}

/** The command that runs a search. */
export function searchCommand({
  query,
  ...request
}: Readonly<Record<string, unknown>> & { readonly query: string }): string {
  const flags = flagsWith(request, new Map()).map(({ text }) => text);
  const words = query === '' ? [] : [shellWord(query)];
  const line = query.startsWith('-') ? [...flags, '--', ...words] : [...words, ...flags];
  return ['kebab search', ...line].join(' ');
}

/** Notices that were shown on one day. */
interface ShownNotices {
  readonly date: string;
  readonly keys: readonly string[];
}

/**
 * Whether a notice has not been shown today; also records it as shown, in a file of the state folder that only its owner can read. If the
 * file cannot be read or written, the notice is shown again.
 */
export function isFirstToday(
  key: string,
  { stateDir, now }: { readonly stateDir: string; readonly now: Date },
): boolean {
  const file = path.join(stateDir, 'notices.json');
  const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  const { keys } = readShown(file, date);
  if (keys.includes(key)) return false;
  try {
    makeFolder(stateDir, { mode: 0o700 });
    const shown: ShownNotices = { date, keys: [...keys, key] };
    writeAtomically(file, `${JSON.stringify(shown)}\n`, { mode: 0o600, flush: false });
  } catch {
    // the notice is shown again next time
  }
  return true;
}

/** A day has a dozen notices. */
const MAX_SHOWN_BYTES = 2 ** 16;

function readShown(file: string, date: string): ShownNotices {
  const nothing = { date, keys: [] };
  try {
    const shown = JSON.parse(readRegularText(file, { maxBytes: MAX_SHOWN_BYTES })) as Partial<ShownNotices> | null;
    return shown?.date === date && Array.isArray(shown.keys) ? { date, keys: shown.keys } : nothing;
  } catch {
    return nothing;
  }
}
