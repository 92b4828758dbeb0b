import { throwIfCancelled, type Reranker } from '@kebab/plugin';

/** The settings of a user. */
export interface Settings {
  readonly phraseBonus: number;
}

/** Creates the reranker: the share of the query's words that a text contains, plus a bonus when they are adjacent. */
export function createReranker({ phraseBonus }: Settings): Reranker {
  return {
    id: '{{id}}',
    version: '1',
    fingerprint: () => `${phraseBonus}`,
    rerank: async (query, items, { signal } = {}) => {
      throwIfCancelled(signal, 'rerank');
      const wanted = wordsOf(query);
      return items
        .map(({ chunkId, text }) => ({ chunkId, score: scoreOf(wanted, text, phraseBonus) }))
        .toSorted((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1));
    },
  };
}

/** A score in [0, 1] that depends on this text alone, so that the order of the input does not matter. */
function scoreOf(wanted: readonly string[], text: string, phraseBonus: number): number {
  if (wanted.length === 0) return 0;
  const words = wordsOf(text);
  const held = new Set(words);
  const share = wanted.filter((word) => held.has(word)).length / wanted.length;
  const inRow = ` ${words.join(' ')} `.includes(` ${wanted.join(' ')} `);
  return (share + (inRow ? phraseBonus : 0)) / (1 + phraseBonus);
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
