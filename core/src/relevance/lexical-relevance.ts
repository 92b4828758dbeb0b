import { analyseChunk } from '../analysis/analyse-chunk.ts';
import type { IndexText } from '../analysis/index-text.ts';
import type { ChunkWithDocument } from '../contracts/document-store.ts';
import type { WeightedUnit } from './query-weights.ts';
import { SearchedWords } from './searched-words.ts';

/** The share of a query's weight that a chunk holds, 0 to 1; 0 for a query without words. */
export function lexicalRelevance(units: readonly WeightedUnit[], index: IndexText): number {
  const words = new SearchedWords(index);
  let held = 0;
  let all = 0;
  for (const { sequences, weight } of units) {
    all += weight;
    if (sequences.every((sequence) => words.holds(sequence))) held += weight;
  }
  return all === 0 ? 0 : Math.min(1, held / all);
}

/** What a stored chunk is found by, as far as the store still tells: aliases and prefixes are not among it. */
export function indexTextOf({ chunk, document }: ChunkWithDocument): IndexText {
  return analyseChunk({
    text: chunk.text,
    title: document.title,
    headingPath: chunk.headingPath,
    workspacePath: document.workspacePath,
    symbol: document.media === 'code' ? chunk.sectionLabel : null,
    extra: chunk.ordinal === 0 ? document.tags : [],
    prefix: null,
  });
}
