import {
  throwIfCancelled,
  type AnalysedQuery,
  type ChunkId,
  type CommittedDocuments,
  type Retriever,
} from '@kebab/plugin';

const PAGE = 500;

/**
 * Creates the retriever `grep`: every chunk that contains one of the query's words, ignoring case, ranked by the number of matches. A query
 * `/…/` is a regular expression; an invalid one is searched for literally.
 */
export function createGrepRetriever(open: () => Promise<CommittedDocuments>): Retriever {
  return {
    id: 'grep',
    version: '1',
    scoreKind: 'bm25',
    indexVersion: () => 'grep-v1',
    retrieve: async ({ query, filters, limit }, { signal } = {}) => {
      const store = await open();
      const matcher = matcherOf(query);
      const found: Found[] = [];
      for (let offset = 0, total = 1; offset < total; offset += PAGE) {
        throwIfCancelled(signal, 'search');
        const page = await store.listDocuments(filters, { offset, limit: PAGE });
        total = page.total;
        for (const document of page.documents)
          for (const { chunkId, ordinal, text } of await store.listChunks(document.docId)) {
            const score = matcher(text);
            if (score > 0)
              found.push({ chunkId, score, path: document.workspacePath, ordinal, source: document.sourceId });
          }
      }
      const ranking = found.toSorted(byScoreThenPlace).slice(0, limit);
      return ranking.map(({ chunkId, score }, at) => ({ chunkId, score, rank: at + 1 }));
    },
  };
}

interface Found {
  readonly chunkId: ChunkId;
  readonly score: number;
  readonly path: string;
  readonly ordinal: number;
  readonly source: string;
}

/** Counts the matches of a query in a text. */
function matcherOf({ text: typed, embeddingText, phrases, excluded }: AnalysedQuery): (text: string) => number {
  const pattern = patternOf(typed) ?? wordPattern(embeddingText);
  if (pattern === null) return () => 0;
  return (text) => {
    if (phrases.some((phrase) => !contains(text, phrase.text))) return 0;
    if (excluded.some((phrase) => contains(text, phrase.text))) return 0;
    return [...text.matchAll(pattern)].length;
  };
}

function contains(text: string, wanted: string): boolean {
  return text.toLowerCase().includes(wanted.toLowerCase());
}

function patternOf(typed: string): RegExp | null {
  const source = /^\/(.+)\/$/s.exec(typed.trim())?.[1];
  if (source === undefined) return null;
  try {
    const pattern = new RegExp(source, 'giu');
    return pattern.test('') ? null : new RegExp(source, 'giu'); // a pattern that matches the empty string matches everywhere
  } catch {
    return null;
  }
}

/** In UTF-16 code units. A regular expression has room for many words, but not for one of a megabyte. */
const LONGEST_WORD = 1000;

function wordPattern(text: string): RegExp | null {
  const words = (text.match(/[\p{L}\p{N}_]+/gu) ?? []).filter((word) => word.length <= LONGEST_WORD);
  return words.length === 0 ? null : new RegExp(words.join('|'), 'giu');
}

/** UTF-8 bytes sort like code points. */
function byScoreThenPlace(a: Found, b: Found): number {
  return b.score - a.score || compare(a.path, b.path) || a.ordinal - b.ordinal || compare(a.source, b.source);
}

function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
