import { throwIfCancelled, type AnalysedQuery, type CommittedDocuments, type Retriever } from '@kebab/plugin';

/** The settings of a user. */
export interface Settings {
  readonly wholeWords: boolean;
}

const PAGE = 200;

/** Creates the retriever: it reads every chunk that passes the filters and counts the words of the query in it. */
export function createRetriever({ wholeWords }: Settings, open: () => Promise<CommittedDocuments>): Retriever {
  const version = `v1+${wholeWords ? 'words' : 'parts'}`;
  return {
    id: '{{id}}',
    version: '1',
    scoreKind: 'bm25',
    indexVersion: () => version,
    fingerprint: () => version,
    retrieve: async ({ query, filters, limit }, { signal } = {}) => {
      const store = await open();
      const count = counterOf(query, wholeWords);
      const found: Found[] = [];
      for (let offset = 0, total = 1; offset < total; offset += PAGE) {
        throwIfCancelled(signal, 'search');
        const page = await store.listDocuments(filters, { offset, limit: PAGE });
        total = page.total;
        for (const { docId, workspacePath, sourceId } of page.documents)
          for (const { chunkId, ordinal, text } of await store.listChunks(docId)) {
            const score = count(text);
            if (score > 0) found.push({ chunkId, score, place: [workspacePath, ordinal, sourceId] });
          }
      }
      const ranking = found.toSorted(byScoreThenPlace).slice(0, limit);
      return ranking.map(({ chunkId, score }, at) => ({ chunkId, score, rank: at + 1 }));
    },
  };
}

interface Found {
  readonly chunkId: Parameters<CommittedDocuments['getChunks']>[0][number];
  readonly score: number;
  readonly place: readonly [path: string, ordinal: number, source: string];
}

/** Counts the words of a query in a text; 0 when a phrase is missing or an excluded term occurs. */
function counterOf({ embeddingText, phrases, excluded }: AnalysedQuery, wholeWords: boolean): (text: string) => number {
  const wanted = new Set(wordsOf(embeddingText));
  const required = phrases.map((phrase) => wordsOf(phrase.text).join(' '));
  const forbidden = excluded.map((phrase) => wordsOf(phrase.text).join(' '));
  return (text) => {
    const words = wordsOf(text);
    const row = ` ${words.join(' ')} `;
    if (
      required.some((phrase) => !row.includes(` ${phrase} `)) ||
      forbidden.some((phrase) => row.includes(` ${phrase} `))
    )
      return 0;
    const matches = wholeWords
      ? (word: string) => wanted.has(word)
      : (word: string) => [...wanted].some((w) => word.includes(w));
    return words.filter(matches).length;
  };
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu) ?? []
  );
}

/** Ties are ordered by path, ordinal and source; UTF-8 bytes sort like code points. */
function byScoreThenPlace(a: Found, b: Found): number {
  const [pathA, ordinalA, sourceA] = a.place;
  const [pathB, ordinalB, sourceB] = b.place;
  return b.score - a.score || compare(pathA, pathB) || ordinalA - ordinalB || compare(sourceA, sourceB);
}

function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
