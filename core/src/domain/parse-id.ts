import { invalidInput } from '../errors/invalid-input.ts';
import type { ChunkId, DocumentId } from './ids.ts';

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
