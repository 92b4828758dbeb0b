import { invalidInput } from '../errors/invalid-input.ts';

declare const brand: unique symbol;

/** A primitive that only its own minting and parsing functions can make. Costs nothing at run time. */
type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** The bytes of one file, by content. */
export type AssetId = Brand<string, 'AssetId'>;
/** One file of one source in one state, as read by one parser version. */
export type DocumentId = Brand<string, 'DocumentId'>;
/** One structural piece of a document. */
export type BlockId = Brand<string, 'BlockId'>;
/** One slice of a document, as cut by one chunker version under one policy. */
export type ChunkId = Brand<string, 'ChunkId'>;
/** One vector of one chunk under one model. */
export type EmbeddingId = Brand<string, 'EmbeddingId'>;
/** One collection of vectors of one shape. */
export type IndexId = Brand<string, 'IndexId'>;

const HEX32 = /^[0-9a-f]{32}$/;

/** Reads a document id that somebody typed; upper case is folded. Throws `invalid_input` for anything else. */
export function parseDocumentId(text: string): DocumentId {
  return parseId(text, 'doc_id') as DocumentId;
}

/** Reads a chunk id that somebody typed; upper case is folded. Throws `invalid_input` for anything else. */
export function parseChunkId(text: string): ChunkId {
  return parseId(text, 'chunk_id') as ChunkId;
}

function parseId(text: string, field: string): string {
  const id = text.trim().toLowerCase();
  if (HEX32.test(id)) return id;
  throw invalidInput(`${JSON.stringify(text)} is not an id: an id has 32 hex digits`, { field, value: text });
}
