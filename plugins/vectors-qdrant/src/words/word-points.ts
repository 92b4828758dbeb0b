import type { ChunkId } from '@kebab/core';
import {
  postedTerms,
  saturated,
  type Chunk,
  type DocumentRow,
  type IndexText,
  type NamedChunk,
} from '@kebab/core/store';
import type { Schemas } from '@qdrant/js-client-rest';
import { documentPayload, pointIdOf, WORDS, type PointPayload } from '../payload.ts';

/** The payload of a point of words. `term` and `name` are indexed; the rest is shown, orders ties, or says what the point was made from. */
export interface WordPayload extends Omit<PointPayload, 'embedding_id'> {
  readonly ordinal: number;
  readonly term: readonly string[];
  readonly name: readonly string[];
  readonly name_length: number;
  /** The number of tokens. */
  readonly length: number;
  /** The average length that its weights were computed with. */
  readonly average: number;
  readonly title: string;
  readonly headings: readonly string[];
  readonly symbol: string | null;
  readonly aliases: readonly string[];
  /** By what the first chunk of a document is found besides its text. */
  readonly extra: readonly string[];
}

/** A document with what its chunks are indexed by. */
export interface IndexedDocument {
  readonly document: DocumentRow;
  readonly chunks: readonly Chunk[];
  readonly index: readonly IndexText[];
  readonly aliases: readonly string[];
  readonly extra: readonly string[];
}

/** The points of a document, whose weights assume an average length of chunks. */
export function wordPoints(
  { document, chunks, index, aliases, extra }: IndexedDocument,
  average: number,
): readonly (Schemas['PointStruct'] & { readonly length: number })[] {
  return chunks.map((chunk, at) => {
    const posted = postedTerms(index[at] ?? EMPTY);
    const isFirst = chunk.ordinal === 0;
    const payload: WordPayload = {
      doc_id: document.docId,
      ...documentPayload(document),
      ordinal: chunk.ordinal,
      term: [...posted.terms.keys()],
      name: [...posted.names],
      name_length: posted.nameLength,
      length: posted.length,
      average,
      title: document.title,
      headings: chunk.headingPath,
      symbol: document.media === 'code' ? chunk.sectionLabel : null,
      aliases: isFirst ? aliases : [],
      extra: isFirst ? extra : [],
    };
    const weights = new Map<number, number>();
    for (const [term, count] of posted.terms) {
      const dimension = dimensionOf(term);
      const weight = saturated(count, posted.length, average);
      // Where two terms of a chunk share a dimension, they share the higher weight.
      weights.set(dimension, Math.max(weight, weights.get(dimension) ?? 0));
    }
    const values = [...weights.values()].map((weight) => Number(weight.toPrecision(6)));
    return {
      id: pointIdOf(chunk.chunkId),
      vector: { [WORDS]: { indices: [...weights.keys()], values } },
      payload: { ...payload },
      length: posted.length,
    };
  });
}

const EMPTY: IndexText = { text: '', heading: '', symbol: '', cjk: '' };

/**
 * The dimension of a term: FNV-1a over its UTF-16 units, with the bits mixed as in MurmurHash3. Among a million terms, one in some four
 * thousand shares its dimension with another, whose passages then count for it as well; a term that occurs nowhere is never asked for.
 */
export function dimensionOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The names of a chunk, from its point. */
export function namedChunkOf(chunkId: ChunkId, payload: WordPayload): NamedChunk {
  const { doc_id: docId, ordinal, path = '', title, aliases, headings, symbol } = payload;
  return { chunkId, docId, ordinal, workspacePath: path, title, aliases, headingPath: headings, symbol };
}
