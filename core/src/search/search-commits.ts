import { readdirSync } from 'node:fs';
import path from 'node:path';
import { analyseQuery, type AnalysedQuery } from '../analysis/analyse-query.ts';
import { SearchedText } from '../analysis/searched-text.ts';
import { isFunctionWord } from '../analysis/words.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import { resolveFilters } from '../documents/resolve-filters.ts';
import { openStore } from '../documents/open-store.ts';
import { compilePathGlob } from '../domain/path-glob.ts';
import type { SearchFilters } from '../domain/query.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { gitFactsFor, gitWorkTreeAt } from '../git/git-facts.ts';
import { type Environment, gitFailure, runGit } from '../git/run-git.ts';
import type { Ports } from '../ports.ts';
import { type MatchMarker, matchMarker } from '../relevance/mark-matches.ts';
import { readFilters } from '../requests/filters.ts';
import type { CommitsRequest } from '../requests/search.ts';
import type { CommitResult } from '../wire/index.ts';
import { searchedFolders, type SearchedFolder } from './grep/ripgrep.ts';
import { readQuery } from './read-operators.ts';

type CommitPorts = Pick<Ports, 'documents' | 'config' | 'clock'> & { readonly env: Environment };

/** Output and time of git for one repository, and the time for reading it. */
const MAX_BYTES = 64 * 1_048_576;
const MAX_MS = 20_000;
const MAX_READING_MS = 5000;
/** Lines that a commit shows, and characters of a line. */
const SHOWN_LINES = 5;
const SHOWN_CHARACTERS = 300;
/** Longer lines are data. */
const MAX_LINE = 4000;
const DEFAULT_K = 10;

/**
 * Searches the messages and the changed lines of the last commits of each repository that is, or is directly in, a source; best first. The
 * history is read from git, now, and is not indexed. Throws `invalid_input` where no source lies in a repository, `io_error` where git is
 * missing.
 */
export async function searchCommits(
  ports: CommitPorts,
  request: CommitsRequest,
  { signal }: AbortOptions = {},
): Promise<CommitResult> {
  const { query: text, commits: count, k = DEFAULT_K, ...given } = request;
  const { analysed, within, notices } = readQuery(text, analyseQuery);
  const store = await openStore(ports.documents);
  const scope = {
    now: ports.clock.now(),
    store: store ?? { indexedRoots: async () => new Map() },
    config: ports.config,
  };
  const parts = [await resolveFilters(readFilters(given), scope), await resolveFilters(within, scope)];
  requireKnown(parts);
  const wanted = (id: string): boolean => parts.every(({ source }) => source?.includes(id) ?? true);
  const folders = (await searchedFolders(ports, undefined)).filter(({ id }) => wanted(id));
  const repositories = (await Promise.all(folders.map(repositoriesIn))).flat();
  if (repositories.length === 0)
    throw invalidInput('no source lies in a git repository, so there are no commits to search', {
      field: 'commits',
      hint: 'leave --commits out, or add a repository: kebab add FOLDER',
    });
  const reader = new CommitReader(analysed, parts);
  const searched: CommitResult['searched'][number][] = [];
  for (const repository of repositories) {
    throwIfCancelled(signal, 'search');
    const { sourceId, folder } = repository;
    const log = await runGit({
      args: [...LOG, '-C', folder, 'log', `--max-count=${count}`, ...FORM, '--', '.'],
      env: ports.env,
      maxBytes: MAX_BYTES,
      maxMs: MAX_MS,
      signal,
    });
    if (log.code !== 0 && log.stdout.length === 0 && !/does not have any commits/.test(log.stderr))
      throw invalidInput(`the history of ${folder} cannot be read: ${gitFailure(log)}`, { field: 'commits' });
    if (log.code === null) reader.isPartial = true;
    const { commits, isShallow } = await reader.read(log.stdout.toString(), repository);
    searched.push({ source_id: sourceId, root: folder, commits, ...(isShallow ? { is_shallow: true } : {}) });
  }
  return {
    schema_version: 'commit_result.v1',
    commits: reader.best(k),
    searched,
    ...(reader.isPartial ? { is_partial: true } : {}),
    ...(notices.length === 0 ? {} : { notices }),
  };
}

/** Neither the settings of a repository nor those of the user change the form, and no program of theirs runs. */
const LOG = ['diff.noprefix=false', 'diff.mnemonicPrefix=false', 'core.attributesFile=/dev/null'].flatMap((setting) => [
  '-c',
  setting,
]);
const FORM = [
  '--format=%x00%H%n%D%n%an%n%aI%n%B%x00',
  '--encoding=UTF-8',
  '--decorate=full',
  '--patch',
  '--unified=0',
  '--relative',
  '--no-renames',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-show-signature',
  '--no-notes',
  '--submodule=short',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

const FILTERS: ReadonlySet<string> = new Set(['source', 'pathGlob', 'since', 'until']);

function requireKnown(filters: readonly SearchFilters[]): void {
  const odd = filters.flatMap((one) => Object.keys(one)).find((name) => !FILTERS.has(name));
  if (odd !== undefined)
    throw invalidInput(`${odd} is nothing that a commit has`, {
      field: 'commits',
      hint: 'filter commits by source, path, since and until',
    });
}

interface Repository {
  readonly sourceId: string;
  /** The folder whose history is read. */
  readonly folder: string;
  /** The path of that folder in its source, with a trailing slash; empty for the source itself. */
  readonly prefix: string;
}

/** Below a folder that is in no repository, those in it and in its folders. */
async function repositoriesIn({ id, root }: SearchedFolder): Promise<readonly Repository[]> {
  const at = (inside: string): Repository => ({
    sourceId: id,
    folder: path.join(root, inside),
    prefix: inside === '' ? '' : `${inside}/`,
  });
  if ((await gitFactsFor(root)) !== null) return [at('')];
  const below = (inside: string): readonly string[] => {
    try {
      return readdirSync(path.join(root, inside), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
        .map(({ name }) => path.posix.join(inside, name));
    } catch {
      return []; // a folder that cannot be read
    }
  };
  const isRepository = (inside: string): boolean => gitWorkTreeAt(path.join(root, inside)).kind === 'tree';
  return below('')
    .flatMap((inside) => (isRepository(inside) ? [inside] : below(inside).filter(isRepository)))
    .map(at);
}

type ShownLine = CommitResult['commits'][number]['lines'][number];

/** A changed line, with the words of the query in it. */
interface MatchedLine extends ShownLine {
  readonly words: ReadonlySet<string>;
}

/** A commit that holds a word of the query. */
interface MatchedCommit {
  readonly head: Omit<CommitResult['commits'][number], 'lines' | 'more_lines' | 'score'>;
  readonly inMessage: ReadonlySet<string>;
  readonly lines: readonly MatchedLine[];
}

/** A commit as git prints it. */
interface Commit {
  readonly hash: string;
  readonly author: string;
  readonly date: string;
  readonly message: string;
  /** Empty where its parent is not in a shallow clone: git would call every line of every file an added one. */
  readonly patch: string;
  readonly isCut: boolean;
}

const HEAD = /^([0-9a-f]{40,64})\n([^\n]*)\n([^\n]*)\n(\d{4}-[^\n]*)\n([^]*)$/;
/** The name that git gives to a commit whose parents are left out. */
const CUT = /^grafted(?:,|$)/;

/** Reads the commits of several repositories, and ranks those that match. */
class CommitReader {
  /** Whether not all of the history could be read in time. */
  isPartial = false;
  readonly #marker: MatchMarker;
  readonly #mayMatch: (text: string) => boolean;
  readonly #query: AnalysedQuery;
  readonly #filters: readonly SearchFilters[];
  /** Lists of globs; a path matches one of each. */
  readonly #globs: readonly (readonly ((path: string) => boolean)[])[];
  readonly #matched: MatchedCommit[] = [];
  readonly #seen = new Set<string>();
  #count = 0;

  constructor(query: AnalysedQuery, filters: readonly SearchFilters[]) {
    this.#query = query;
    this.#filters = filters;
    this.#globs = filters.flatMap(({ pathGlob }) => (pathGlob === undefined ? [] : [pathGlob.map(compilePathGlob)]));
    this.#marker = matchMarker(query);
    this.#mayMatch = cheapTest(query);
  }

  /** Returns how many commits were read, and whether older ones are missing in a shallow clone. */
  async read(log: string, repository: Repository): Promise<{ readonly commits: number; readonly isShallow: boolean }> {
    const until = performance.now() + MAX_READING_MS;
    let [read, isShallow] = [0, false];
    for (const commit of commitsIn(log)) {
      if (performance.now() > until) {
        this.isPartial = true;
        break;
      }
      read++;
      if (read % 32 === 0) await new Promise(setImmediate);
      isShallow ||= commit.isCut;
      this.#add(commit, repository);
    }
    return { commits: read, isShallow };
  }

  /** The best ones: words in few commits count more, words in the message more than in the patch, words in one line again. */
  best(k: number): CommitResult['commits'] {
    const counts = new Map<string, number>();
    for (const { inMessage, lines } of this.#matched)
      for (const word of new Set([...inMessage, ...lines.flatMap(({ words }) => [...words])]))
        counts.set(word, (counts.get(word) ?? 0) + 1);
    const weightOf = (words: ReadonlySet<string>): number =>
      [...words].reduce((sum, word) => {
        const df = counts.get(word) ?? 0;
        return sum + Math.log(1 + (this.#count - df + 0.5) / (df + 0.5));
      }, 0);
    return this.#matched
      .map(({ head, inMessage, lines }) => {
        const all = new Set(lines.flatMap(({ words }) => [...words]));
        const byWeight = lines.toSorted((a, b) => weightOf(b.words) - weightOf(a.words));
        const score = 1.5 * weightOf(inMessage) + 0.5 * weightOf(all) + weightOf(byWeight[0]?.words ?? new Set());
        const shown = new Set(byWeight.slice(0, SHOWN_LINES));
        const more = lines.length - shown.size;
        return {
          ...head,
          score: Number(score.toFixed(3)),
          lines: lines
            .filter((line) => shown.has(line))
            .map(({ path: file, line, side, text }) => ({ path: file, line, side, text })),
          ...(more === 0 ? {} : { more_lines: more }),
        };
      })
      .toSorted((a, b) => b.score - a.score || b.date.localeCompare(a.date))
      .slice(0, k);
  }

  #add({ hash, author, date, message, patch }: Commit, { sourceId, prefix }: Repository): void {
    const key = `${sourceId} ${hash}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    if (!this.#isInTime(date)) return;
    this.#count++;
    const isSought = ({ path: file }: ShownLine): boolean => {
      const inside = `${prefix}${file}`;
      return this.#globs.every((globs) => globs.some((matches) => matches(inside) || matches(`${sourceId}:${inside}`)));
    };
    const changed = [...changedLines(patch)].filter(isSought);
    if (this.#globs.length > 0 && changed.length === 0) return;
    const inMessage = this.#wordsIn(message);
    const lines = changed.flatMap((line) => {
      const words = this.#wordsIn(line.text);
      if (words.size === 0) return [];
      return [{ ...line, path: `${prefix}${line.path}`, text: line.text.slice(0, SHOWN_CHARACTERS), words }];
    });
    if (inMessage.size === 0 && lines.length === 0) return;
    if (!this.#meetsDemands([message, ...changed.map(({ text }) => text)].join('\n'))) return;
    const [subject = ''] = message.split('\n');
    const said = message.split('\n').find((line, at) => at > 0 && this.#wordsIn(line).size > 0);
    this.#matched.push({
      head: {
        source_id: sourceId,
        commit: hash,
        author,
        date,
        subject,
        ...(said === undefined ? {} : { message_line: said.trim().slice(0, SHOWN_CHARACTERS) }),
      },
      inMessage,
      lines,
    });
  }

  #wordsIn(text: string): ReadonlySet<string> {
    return text.length > MAX_LINE || !this.#mayMatch(text)
      ? new Set()
      : new Set(this.#marker(text).map(({ of }) => of));
  }

  #isInTime(date: string): boolean {
    const time = Date.parse(date);
    return this.#filters.every(
      ({ since, until }) =>
        (since === undefined || time >= since.getTime()) && (until === undefined || time < until.getTime()),
    );
  }

  /** Whether a commit has every phrase that must occur, and none that must not. */
  #meetsDemands(text: string): boolean {
    const { phrases, excluded } = this.#query;
    const searched = new SearchedText(text);
    return phrases.every((phrase) => searched.holds(phrase)) && !excluded.some((phrase) => searched.holds(phrase));
  }
}

/** Whether a text in ASCII may hold a word of the query: forms of one share its first letters. Any other text may. */
function cheapTest({ terms, phrases, demands = [] }: AnalysedQuery): (text: string) => boolean {
  const tokens = terms.flatMap((term) => (term.kind === 'cjk_run' ? term.tokens : [term.token]));
  const isPlain = phrases.length === 0 && demands.length === 0 && tokens.every((token) => /^[\w.*]+$/.test(token));
  if (!isPlain) return () => true;
  const content = tokens.filter((token) => !isFunctionWord(token));
  const heads = (content.length === 0 ? tokens : content).flatMap((token) => token.replaceAll('*', '').split(/[._]/));
  const sought = heads.map((part) => part.slice(0, 3)).filter((part) => part !== '');
  return (text) => {
    if (!/^\p{ASCII}*$/u.test(text)) return true;
    const lower = text.toLowerCase();
    return sought.some((part) => lower.includes(part));
  };
}

function* commitsIn(log: string): Generator<Commit> {
  let commit = null as Commit | null;
  for (const part of log.split('\0')) {
    const [, hash, refs = '', author = '', date = '', message = ''] = HEAD.exec(part) ?? [];
    if (hash === undefined) {
      if (commit !== null && !commit.isCut) commit = { ...commit, patch: `${commit.patch}${part}` };
      continue;
    }
    if (commit !== null) yield commit;
    commit = { hash, author, date, message: message.trim(), patch: '', isCut: CUT.test(refs) };
  }
  if (commit !== null) yield commit;
}

/** The added and removed lines of a patch without context; those removed have their numbers in the parent. */
function* changedLines(patch: string): Generator<ShownLine> {
  let [before, after] = ['', ''];
  let [removed, added] = [
    { next: 0, left: 0 },
    { next: 0, left: 0 },
  ];
  for (const line of patch.split('\n')) {
    const isInHunk = removed.left > 0 || added.left > 0;
    if (isInHunk && line.startsWith('-') && removed.left > 0) {
      yield { path: before, line: removed.next, side: 'removed', text: line.slice(1).replace(/\r$/, '') };
      removed = { next: removed.next + 1, left: removed.left - 1 };
    } else if (isInHunk && line.startsWith('+')) {
      yield { path: after, line: added.next, side: 'added', text: line.slice(1).replace(/\r$/, '') };
      added = { next: added.next + 1, left: added.left - 1 };
    } else if (line.startsWith('--- ')) before = pathIn(line);
    else if (line.startsWith('+++ ')) after = pathIn(line);
    else {
      const [, from, fromCount = '1', to, toCount = '1'] =
        /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
      if (from === undefined) continue;
      removed = { next: Number(from), left: Number(fromCount) };
      added = { next: Number(to), left: Number(toCount) };
    }
  }
}

const ESCAPES: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', '"': '"', '\\': '\\' };

/** The path of `+++ b/path`, which git quotes where it holds control characters or quotes. */
function pathIn(line: string): string {
  const written = line.slice(4).replace(/\t$/, '');
  const name = written.startsWith('"')
    ? written.slice(1, -1).replaceAll(/\\(["\\tnr])/g, (_, letter: string) => ESCAPES[letter] ?? letter)
    : written;
  return name.replace(/^[ab]\//, '');
}
