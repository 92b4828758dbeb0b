import { foldWord, isFunctionWord } from '../analysis/words.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import { configuredSourceIds, type SourceConfig } from '../documents/source-roots.ts';
import type { SearchResponse } from '../wire/index.ts';

type UnreadFile = NonNullable<SearchResponse['unread']>[number];

/** The dependencies of {@link findUnread}. */
export interface UnreadPorts {
  readonly store: Pick<DocumentStore, 'quarantined' | 'seenPlaces' | 'indexedRoots' | 'findDocument'>;
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
  readonly isEmpty: boolean;
}

const MAX_FILES = 5;
const SEE_DOCTOR = 'see `kebab doctor`';

/**
 * The files that a search would perhaps have found if they could be read: failed files with a word of the query in their path; when
 * nothing was found, also the other failed files, and files that an ingest leaves out with such a word in their path.
 */
export async function findUnread(
  { store, config, explain }: UnreadPorts,
  { text, source, isEmpty }: AnsweredSearch,
): Promise<readonly UnreadFile[]> {
  const quarantined = await store.quarantined();
  const roots = await store.indexedRoots();
  const sources = configuredSourceIds(config, roots);
  const isSearched = (id: string): boolean => sources.has(id) && (source?.includes(id) ?? true);
  const words = wordsOf(text).filter((word) => !isFunctionWord(word));
  const failed = quarantined.filter(({ sourceId }) => isSearched(sourceId));
  const named = failed.filter(({ workspacePath }) => isNamed(workspacePath, words));
  const others = isEmpty ? failed.filter((file) => !named.includes(file)) : [];
  const unread = named.map(unreadOf);
  if (isEmpty)
    for (const sourceId of [...roots.keys()].filter(isSearched))
      for (const { path, kind } of await store.seenPlaces(sourceId)) {
        if (unread.length >= MAX_FILES) break;
        const isFile = kind === 'file' || kind === 'other';
        if (!isFile || !isNamed(path, words) || (await store.findDocument(sourceId, path)) !== null) continue;
        if (failed.some((file) => file.sourceId === sourceId && file.workspacePath === path)) continue;
        const reason = await explain({ sourceId, path });
        if (reason !== null) unread.push({ source_id: sourceId, doc_path: path, ...reason });
      }
  return [...unread, ...others.map(unreadOf)].slice(0, MAX_FILES);
}

function unreadOf(file: {
  readonly sourceId: string;
  readonly workspacePath: string;
  readonly reason: string;
}): UnreadFile {
  return { source_id: file.sourceId, doc_path: file.workspacePath, why: file.reason, remedy: SEE_DOCTOR };
}

function wordsOf(text: string): readonly string[] {
  return foldWord(text.normalize('NFC'))
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word.length >= (ASCII.test(word) ? MIN_LETTERS : 2));
}

const ASCII = /^[\0-\x7F]*$/;
const MIN_LETTERS = 3;
/** Shorter words have to be equal: `art` is no beginning of a word that a name is likely to mean. */
const MIN_BEGINNING = 4;

/** Whether a path has a word of the query, or one that begins with it; words of other scripts may stand inside others. */
function isNamed(path: string, words: readonly string[]): boolean {
  const own = wordsOf(path);
  return words.some((word) =>
    own.some((name) =>
      ASCII.test(word) ? name === word || (word.length >= MIN_BEGINNING && name.startsWith(word)) : name.includes(word),
    ),
  );
}
