import { invalidInput } from '../errors/invalid-input.ts';

declare const brand: unique symbol;

/** A primitive that only its own minting and parsing functions can create. Costs nothing at run time. */
type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** Identifies the bytes of one file by their content. */
export type AssetId = Brand<string, 'AssetId'>;
/** Identifies one state of one file of one source, as read by one parser version. */
export type DocumentId = Brand<string, 'DocumentId'>;
/** Identifies one block of a document. */
export type BlockId = Brand<string, 'BlockId'>;
/** Identifies one chunk of a document, as cut by one chunker version under one policy. */
export type ChunkId = Brand<string, 'ChunkId'>;
/** Identifies one vector of one chunk under one model. */
export type EmbeddingId = Brand<string, 'EmbeddingId'>;
/** Identifies one collection of vectors of one shape. */
export type IndexId = Brand<string, 'IndexId'>;

const HEX32 = /^[0-9a-f]{32}$/;

/** Parses a document id that a user typed; upper case is folded. Throws `invalid_input` for anything else. */
export function parseDocumentId(text: string): DocumentId {
  return parseId(text, 'doc_id') as DocumentId;
}

/** Parses a chunk id that a user typed; upper case is folded. Throws `invalid_input` for anything else. */
export function parseChunkId(text: string): ChunkId {
  return parseId(text, 'chunk_id') as ChunkId;
}

function parseId(text: string, field: string): string {
  const id = text.trim().toLowerCase();
  if (HEX32.test(id)) return id;
  throw invalidInput(`${JSON.stringify(text)} is not an id: an id has 32 hex digits`, { field, value: text });
}
