import { searchForm } from '../analysis/search-form.ts';
import { foldWord, isFunctionWord } from '../analysis/words.ts';
import type { DocumentStore, PartlyRead, QuarantinedFile } from '../contracts/document-store.ts';
import { configuredSourceIds, type SourceConfig } from '../documents/source-roots.ts';
import type { SearchResponse } from '../wire/index.ts';

type UnreadFile = NonNullable<SearchResponse['unread']>[number];

/** The dependencies of {@link findUnread}. */
export interface UnreadPorts {
  readonly store: Pick<DocumentStore, 'quarantined' | 'partlyRead' | 'seenPlaces' | 'indexedRoots' | 'knownDocuments'>;
  readonly config: SourceConfig;
  /** Why a file is not indexed, and how to change it; null for a file that the next ingest reads. */
  readonly explain: (file: { readonly sourceId: string; readonly path: string }) => Promise<Reason | null>;
}

type Reason = Pick<UnreadFile, 'why' | 'remedy'>;

/** A search whose page is known. */
interface AnsweredSearch {
  readonly text: string;
  /** The sources that are searched; all when absent. */
  readonly source?: readonly string[] | undefined;
  /** Whether it found nothing, or only what comes nearest. */
  readonly isUnanswered: boolean;
  /** The documents among its hits of which something was not read. */
  readonly partlyRead: readonly PartlyRead[];
}

const MAX_FILES = 5;
const SEE_DOCTOR = 'see `kebab doctor`';

/**
 * The files that a search would perhaps have found if they could be read: failed files with a word of the query in their path, and documents
 * among its hits of which something was not read. When it is unanswered, also such documents and files that an ingest leaves out with a
 * word of the query in their path, and the other failed files.
 */
export async function findUnread(
  { store, config, explain }: UnreadPorts,
  { text, source, isUnanswered, partlyRead }: AnsweredSearch,
): Promise<readonly UnreadFile[]> {
  const quarantined = await store.quarantined();
  const roots = await store.indexedRoots();
  const sources = configuredSourceIds(config, roots);
  const isSearched = (id: string): boolean => sources.has(id) && (source?.includes(id) ?? true);
  const pattern = patternOf(wordsOf(text).filter((word) => !isFunctionWord(word)));
  const failed = quarantined.filter(({ sourceId }) => isSearched(sourceId));
  const isNamed = (path: string): boolean => pattern.test(foldWord(searchForm(path)));
  const named = failed.filter(({ workspacePath }) => isNamed(workspacePath));
  const others = isUnanswered ? failed.filter((file) => !named.includes(file)) : [];
  const unread = [...named.map(failedFile), ...partlyRead.map(partlyReadFile)];
  for (const sourceId of isUnanswered ? [...roots.keys()].filter(isSearched) : []) {
    const places = await store.seenPlaces(sourceId);
    const isFile = ({ kind }: (typeof places)[number]): boolean => kind === 'file' || kind === 'other';
    const paths = places.filter((place) => isFile(place) && isNamed(place.path)).map(({ path }) => path);
    const documents = await store.knownDocuments(sourceId, paths);
    const partly = await store.partlyRead([...documents.values()].map(({ docId }) => docId));
    const isFailed = new Set(failed.flatMap((file) => (file.sourceId === sourceId ? [file.workspacePath] : [])));
    for (const path of paths) {
      if (unread.length >= MAX_FILES) break;
      unread.push(...partly.filter(({ workspacePath }) => workspacePath === path).map(partlyReadFile));
      const reason = documents.has(path) || isFailed.has(path) ? null : await explain({ sourceId, path });
      if (reason !== null) unread.push({ source_id: sourceId, doc_path: path, ...reason });
    }
  }
  return [...unread, ...others.map(failedFile)].slice(0, MAX_FILES);
}

function partlyReadFile({ sourceId, workspacePath, unread }: PartlyRead): UnreadFile {
  const [first = '', ...more] = unread;
  const why = `read in part: ${first}${more.length === 0 ? '' : ` and ${more.length} more`}`;
  return { source_id: sourceId, doc_path: workspacePath, why, remedy: SEE_DOCTOR };
}

function failedFile({ sourceId, workspacePath: path, reason }: QuarantinedFile): UnreadFile {
  const why = reason.startsWith(`${path} `) ? reason.slice(path.length + 1) : reason;
  return { source_id: sourceId, doc_path: path, why, remedy: SEE_DOCTOR };
}

function wordsOf(text: string): readonly string[] {
  return foldWord(searchForm(text))
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word.length >= (ASCII.test(word) ? MIN_LETTERS : 2));
}

const ASCII = /^[\0-\x7F]*$/;
const MIN_LETTERS = 3;
/** Shorter words have to be equal: `art` is no beginning of a word that a name is likely to mean. */
const MIN_BEGINNING = 4;

const IN_WORD = String.raw`[\p{L}\p{N}\p{M}]`;

/** Matches folded paths with a word of the query, or one that begins with it; words of other scripts may stand inside others. */
function patternOf(words: readonly string[]): RegExp {
  const forms = words.map((word) => {
    if (!ASCII.test(word)) return word;
    return `(?<!${IN_WORD})${word}${word.length < MIN_BEGINNING ? `(?!${IN_WORD})` : ''}`;
  });
  return new RegExp(words.length === 0 ? '(?!)' : forms.join('|'), 'u');
}
