import type { Mode } from '@kebab/core/app';

/** The name of an embedding model as screens show it. */
export function shortModel(model: string | null): string {
  return (model ?? '-').replace(/^multilingual-/, '');
}

/** What found the hits of a mode: `bm25`, `e5-small`, `bm25+e5-small/RRF`. */
export function retrieversText(mode: Mode, embeddingModel: string | null): string {
  switch (mode) {
    case 'lexical':
      return 'bm25';
    case 'vector':
      return shortModel(embeddingModel);
    case 'hybrid':
      return `bm25+${shortModel(embeddingModel)}/RRF`;
    default:
      return mode satisfies never;
  }
}
