import type { Mode } from '@kebab/core/app';
import { printable } from '../io/printable.ts';

/** The name of an embedding model as screens show it. */
export function shortModel(model: string | null): string {
  return printable(model ?? '-').replace(/^multilingual-/, '');
}

/** What found the hits of a mode: `bm25`, `e5-small`, `bm25+e5-small/RRF`, with a plugin's `bm25+grep/RRF`. */
export function retrieversText(mode: Mode, embeddingModel: string | null, contributed: readonly string[] = []): string {
  switch (mode) {
    case 'lexical':
      return 'bm25';
    case 'vector':
      return shortModel(embeddingModel);
    case 'hybrid':
      return `${['bm25', ...hybridModel(embeddingModel, contributed), ...contributed.map(printable)].join('+')}/RRF`;
    default:
      return mode satisfies never;
  }
}

/** Two sides make a hybrid list: beside a retriever of a plugin there need be no model. */
function hybridModel(embeddingModel: string | null, contributed: readonly string[]): readonly string[] {
  return embeddingModel === null && contributed.length > 0 ? [] : [shortModel(embeddingModel)];
}
