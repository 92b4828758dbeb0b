import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { AbortOptions } from '../../contracts/contribution.ts';
import { openStore } from '../../documents/open-store.ts';
import { resolveFilters } from '../../documents/resolve-filters.ts';
import { DEFAULT_SOURCE, EXTERNAL } from '../../documents/source-roots.ts';
import { compilePathGlob } from '../../domain/path-glob.ts';
import type { MayRead } from '../../domain/read-rule.ts';
import { formatSourcePath } from '../../domain/uri.ts';
import { throwIfCancelled } from '../../errors/abort.ts';
import { firstBytes } from '../../files/read-regular-file.ts';
import { decodeCursor, encodeCursor, hashRanking } from '../../paging/cursor.ts';
import type { Ports } from '../../ports.ts';
import { GREP, type GrepRequest } from '../../requests/grep.ts';
import { checkMember } from '../../requests/read-request.ts';
import { SEARCH } from '../../requests/search.ts';
import type { GrepResult } from '../../wire/index.ts';
import { decoded, findPattern, runRipgrep, searchedFolders, type SearchedFolder } from './ripgrep.ts';

/** Why the user keeps a file out of the knowledge base; null for any other file. */
export type WhyExcluded = (at: { readonly sourceId: string; readonly path: string }) => Promise<string | null>;

/** What a search of files takes. */
export interface GrepPorts extends Pick<Ports, 'documents' | 'config' | 'clock'> {
  readonly whyExcluded: WhyExcluded;
  /** Whether the caller may read a file; any when absent. */
  readonly mayRead?: MayRead | undefined;
}

/** Budget of a page. */
export interface GrepOptions extends AbortOptions {
  /** Budget of the whole answer in output tokens, as text and as compact JSON; at least one line is always included. */
  readonly maxTokens?: number | undefined;
}

const DEFAULT_LIMIT = 200;
const MAX_SKIPPED = 10;
/** Room for what stands around the lines. */
const AROUND_CHARS = 400;

type Line = GrepResult['files'][number]['lines'][number];
type Skipped = NonNullable<GrepResult['skipped']>[number];

/**
 * One page of the lines that match a pattern, in every file of the sources that ripgrep reads, indexed or not; except those that the user
 * excludes from the knowledge base. Errors: `invalid_input` for a bad pattern, number or cursor, `stale_cursor`.
 */
export async function grepFiles(
  ports: GrepPorts,
  request: GrepRequest,
  { maxTokens, signal }: GrepOptions = {},
): Promise<GrepResult> {
  const limit = checkMember('limit', GREP.limit, request.limit ?? DEFAULT_LIMIT);
  checkMember('context', GREP.context, request.context ?? 0);
  const budget = maxTokens === undefined ? Infinity : checkMember('max_tokens', SEARCH.max_tokens, maxTokens) * 4;
  const folders = await searchedFolders(ports, undefined);
  const state = await cursorStateOf(ports, request, folders);
  const page = new Page({ offset: state.offset, limit, room: budget - AROUND_CHARS });
  const { mayRead = () => true } = ports;
  const fits = await pathFilter(ports, request);
  const accepts: Accepts = (at) => mayRead(at.sourceId, at.path) && fits(at);
  const skipped: Skipped[] = [];
  const run = { ports, request, accepts, page, skipped, signal };
  let isPartial = false;
  for (const folder of folders) {
    isPartial = (await grepFolder(folder, run)) || isPartial;
    if (page.isFull) break;
  }
  const next_cursor = page.isFull ? encodeCursor({ ...state, offset: page.end, stages: [] }) : null;
  const isLast = next_cursor === null;
  return {
    schema_version: 'grep_result.v1',
    files: page.files,
    ...(isLast && skipped.length > 0 ? { skipped: nearestFirst(skipped), skipped_total: skipped.length } : {}),
    ...(isLast && isPartial ? { is_skipped_partial: true } : {}),
    next_cursor,
  };
}

async function cursorStateOf(ports: GrepPorts, request: GrepRequest, folders: readonly SearchedFolder[]) {
  const { cursor, pattern, regex = false, case: isExact = true, word = false, path_glob = null, context = 0 } = request;
  const corpusRevision = (await (await openStore(ports.documents))?.corpusRevision()) ?? 0;
  const settings = { regex, isExact, word, path_glob, context, roots: folders.map(({ root }) => root) };
  const queryHash = hashRanking({ list: 'lines', text: pattern, mode: '', filters: {}, settings });
  const offset = cursor === undefined ? 0 : decodeCursor(cursor, { corpusRevision, queryHash }).offset;
  return { offset, corpusRevision, queryHash };
}

type Accepts = (place: { readonly sourceId: string; readonly path: string }) => boolean;

/** Whether the globs of a request fit a file: its path, or its path with its source. */
async function pathFilter(
  { documents, config, clock }: GrepPorts,
  { path_glob: typed }: GrepRequest,
): Promise<Accepts> {
  if (typed === undefined) return () => true;
  const store = (await openStore(documents)) ?? { indexedRoots: async () => new Map<string, string>() };
  const { pathGlob = [] } = await resolveFilters({ pathGlob: typed }, { now: clock.now(), store, config });
  const compiled = pathGlob.map(compilePathGlob);
  return ({ sourceId, path: inside }) => compiled.some((fits) => fits(inside) || fits(`${sourceId}:${inside}`));
}

/** Rows of a page: rows before it are counted, the row after it ends it. A line that matches several times far apart has several rows. */
class Page {
  readonly files: { readonly path: string; readonly lines: Line[] }[] = [];
  readonly #offset: number;
  readonly #limit: number;
  #room: number;
  #seen = 0;
  #matches = 0;
  #isFull = false;

  constructor({ offset, limit, room }: { readonly offset: number; readonly limit: number; readonly room: number }) {
    this.#offset = offset;
    this.#limit = limit;
    this.#room = room;
  }

  /** Whether there is a row after it. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** How many rows there are up to its last one. */
  get end(): number {
    return this.#seen;
  }

  add(file: string, line: Line): void {
    if (this.#isFull) return;
    if (this.#seen < this.#offset) {
      this.#seen++;
      return;
    }
    const last = this.files.at(-1);
    const isSame = last?.path === file;
    const inJson = JSON.stringify(line).length + 1 + (isSame ? 0 : JSON.stringify(file).length + 25);
    this.#room -= Math.max(inJson, file.length + line.text.length + 12);
    const isMatch = line.is_context === undefined;
    const isOver = this.files.length > 0 && this.#room < 0;
    if (isOver || (isMatch && this.#matches === this.#limit)) {
      this.#isFull = true;
      return;
    }
    if (isMatch) this.#matches++;
    this.#seen++;
    if (isSame) last.lines.push(line);
    else this.files.push({ path: file, lines: [line] });
  }
}

interface GrepRun {
  readonly ports: GrepPorts;
  readonly request: GrepRequest;
  readonly accepts: Accepts;
  readonly page: Page;
  readonly skipped: Skipped[];
  readonly signal: AbortOptions['signal'];
}

/** Adds the lines of a folder to the page, and what is left out to the list. Returns whether that list is incomplete. */
async function grepFolder(folder: SearchedFolder, run: GrepRun): Promise<boolean> {
  const { ports, request, accepts, page, skipped, signal } = run;
  const { id: sourceId, root } = folder;
  const began = ports.clock.now().getTime();
  const { exclude, mayExclude } = exclusionsOf(ports, folder);
  const matching = [...exclude.flatMap((glob) => ['-g', `!${glob}`]), ...patternArguments(request)];
  const { pattern } = request;
  const leftOut = new LeftOut(root, { matching: [...matching, '-e', pattern], signal });
  try {
    const searched = new Set<string>();
    let isWithin = false;
    const args = [...matching, '--json', '--sort=path', '-C', String(request.context ?? 0)];
    for await (const { kind, text } of findPattern({ pattern, args, cwd: root, signal })) {
      if (kind === 'failure') skipped.push(...unreadable(text, { sourceId, accepts }));
      if (kind !== 'line') continue;
      const event = JSON.parse(text) as RipgrepEvent;
      if (event.type === 'begin') {
        throwIfCancelled(signal, 'grep');
        const at = { sourceId, path: pathOf(event.data.path) };
        searched.add(at.path);
        isWithin = accepts(at);
        const why = isWithin && mayExclude(at.path) ? await ports.whyExcluded(at) : null;
        if (why !== null) skipped.push({ path: formatSourcePath(at), why });
        isWithin &&= why === null;
      } else if (isWithin && (event.type === 'match' || event.type === 'context')) {
        const file = formatSourcePath({ sourceId, path: pathOf(event.data.path) });
        for (const row of rowsOf(event)) page.add(file, row);
        if (page.isFull) return false;
      }
    }
    const waitMs = searched.size === 0 ? NOTHING_MS : Math.max(LEAST_MS, ports.clock.now().getTime() - began);
    for (const file of await leftOut.files(waitMs)) {
      const at = { sourceId, path: file };
      if (searched.has(file) || !accepts(at)) continue;
      skipped.push({ path: formatSourcePath(at), why: whyLeftOut(path.join(root, file), file) });
    }
    return leftOut.isPartial;
  } finally {
    leftOut.stop();
  }
}

/** The arguments that say how a pattern matches. */
function patternArguments({ pattern, regex, case: isExact = true, word }: GrepRequest): readonly string[] {
  return [
    ...(regex === true ? [] : ['-F']),
    ...(isExact ? ['-s'] : ['-i']),
    ...(word === true ? ['-w'] : []),
    ...(/\n/.test(pattern) || (regex === true && pattern.includes(String.raw`\n`)) ? ['-U'] : []),
  ];
}

/** A text of ripgrep: bytes in base64 where it is not UTF-8. */
type Text = { readonly text: string } | { readonly bytes: string };

interface LinesEvent {
  readonly type: 'match' | 'context';
  readonly data: {
    readonly path: Text;
    readonly lines: Text;
    readonly line_number: number;
    readonly submatches: readonly { readonly start: number }[];
  };
}

/** A line of `rg --json`. */
type RipgrepEvent =
  | LinesEvent
  | { readonly type: 'begin'; readonly data: { readonly path: Text } }
  | { readonly type: 'end' | 'summary' };

function pathOf(text: Text): string {
  const name = 'text' in text ? text.text : Buffer.from(text.bytes, 'base64').toString('utf8');
  return name.replaceAll(path.sep, '/').replace(/^\.\//, '');
}

/** Longer lines are cut. */
const MAX_LINE = 500;
/** How much of a line that is cut stands before a match, and how long the part is. */
const BEFORE = 100;
const PART = 400;

/** The rows of an event: one for each line, or for each part of a long line that matches. */
function rowsOf({ type, data }: LinesEvent): readonly Line[] {
  const bytes = 'bytes' in data.lines ? Buffer.from(data.lines.bytes, 'base64') : Buffer.from(data.lines.text);
  const rows: Line[] = [];
  const context = type === 'context' ? { is_context: true as const } : {};
  let line = data.line_number;
  for (let from = 0; from < bytes.length; line++) {
    const feed = bytes.indexOf(0x0a, from);
    const end = feed === -1 ? bytes.length : feed;
    const text = decoded(bytes.subarray(from, end)).replace(/\r$/, '');
    if (text.length <= MAX_LINE) rows.push({ line, text, ...context });
    else {
      const starts = data.submatches.filter(({ start }) => start >= from && start < end).map(({ start }) => start);
      let [at, chars] = [from, 0];
      const columns = starts.map((start) => {
        chars += decoded(bytes.subarray(at, start)).length;
        at = start;
        return chars;
      });
      rows.push(...partsOf(text, columns).map((part) => ({ line, ...part, ...context })));
    }
    from = end + 1;
  }
  return rows;
}

/** The parts of a long line around matches that begin at these offsets; its beginning where there is none. */
function partsOf(text: string, offsets: readonly number[]): readonly Pick<Line, 'text' | 'column'>[] {
  const parts: { readonly text: string; readonly column: number }[] = [];
  let shown = -1;
  for (const offset of offsets.length === 0 ? [0] : offsets) {
    if (offset < shown) continue;
    const from = Math.max(0, shown, offset - BEFORE);
    shown = Math.min(text.length, Math.max(offset, from) + PART - BEFORE);
    const part = text.slice(from, shown).replaceAll(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
    const cut = `${from > 0 ? '…' : ''}${part}${shown < text.length ? '…' : ''}`;
    parts.push({ text: cut, column: offset + 1 });
  }
  return parts;
}

/**
 * What the configuration excludes, in gitignore syntax, which is that of ripgrep; and whether a file may be excluded by another rule, false
 * where there is none, so that the folder need not be walked.
 */
function exclusionsOf({ config }: GrepPorts, { id, root }: SearchedFolder) {
  const { include, exclude } = [DEFAULT_SOURCE, EXTERNAL].includes(id)
    ? config.workspace
    : (config.workspace.sources.find((source) => source.id === id) ?? config.workspace);
  const isPlain = exclude.every((glob) => !glob.startsWith('!'));
  const isScoped = !isPlain || include.some((glob) => !/^(?:\*\*\/\*|\/?\*\*|\*)$/.test(glob));
  const rules = new Map<string, boolean>();
  const hasRules = (folder: string): boolean => {
    const known = rules.get(folder);
    if (known !== undefined) return known;
    const isHere = existsSync(path.join(root, folder, '.kebabignore'));
    const has = isHere || (folder !== '.' && hasRules(path.dirname(folder)));
    rules.set(folder, has);
    return has;
  };
  const mayExclude = (file: string): boolean => isScoped || hasRules(path.dirname(file));
  return { exclude: isPlain ? exclude : [], mayExclude };
}

/** How long to go on looking for left out files when the search is over: as long as it took, or longer where it found nothing. */
const [LEAST_MS, NOTHING_MS] = [150, 2000];

/** The files that match when hidden, ignored and binary ones are read too, as far as they are found in time. */
class LeftOut {
  readonly #stop = new AbortController();
  readonly #files: string[] = [];
  readonly #ended: Promise<void>;
  #isPartial = false;

  constructor(root: string, { matching, signal }: { readonly matching: readonly string[] } & Pick<GrepRun, 'signal'>) {
    const stopped = this.#stop.signal;
    const both = signal === undefined ? stopped : AbortSignal.any([stopped, signal]);
    this.#ended = this.#collect(root, matching, both);
  }

  get isPartial(): boolean {
    return this.#isPartial;
  }

  async files(waitMs: number): Promise<readonly string[]> {
    const timer = setTimeout(() => {
      this.#isPartial = true;
      this.stop();
    }, waitMs);
    await this.#ended;
    clearTimeout(timer);
    return this.#files;
  }

  stop(): void {
    this.#stop.abort();
  }

  async #collect(root: string, matching: readonly string[], signal: AbortSignal): Promise<void> {
    const everything = ['-l', '--hidden', '--no-ignore', '--binary', '-g', '!.git', '-g', '!.kebab'];
    const args = [...everything, ...matching];
    try {
      for await (const { kind, text } of runRipgrep({ args, cwd: root, signal }))
        if (kind === 'line') this.#files.push(pathOf({ text }));
    } catch {
      // stopped, or failed as the search itself does
    }
  }
}

const HEAD_BYTES = 65_536;

function whyLeftOut(file: string, inside: string): string {
  if (inside.split('/').some((name) => name.startsWith('.'))) return 'it is hidden, or in a hidden folder';
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (firstBytes(file, Math.min(size, HEAD_BYTES))?.includes(0) === true)
    return 'it is not text: it contains null characters';
  return 'a .gitignore or .ignore file excludes it, or it is not text';
}

/** Files that ripgrep reports as unreadable. */
function unreadable(
  report: string,
  { sourceId, accepts }: { readonly sourceId: string; readonly accepts: Accepts },
): readonly Skipped[] {
  return report.split('\n').flatMap((line) => {
    const [, name, why] = /^rg: (.+?): (.+)$/.exec(line) ?? [];
    if (name === undefined || why === undefined) return [];
    const at = { sourceId, path: pathOf({ text: name }) };
    return accepts(at) ? [{ path: formatSourcePath(at), why }] : [];
  });
}

/** The first few, those in the fewest folders first. */
function nearestFirst(skipped: readonly Skipped[]): readonly Skipped[] {
  const depth = ({ path: file }: Skipped): number => file.split('/').length;
  return skipped.toSorted((a, b) => depth(a) - depth(b)).slice(0, MAX_SKIPPED);
}
