import type { BlockId, Chunk, ChunkId, DocumentId } from '@kebab/core';
import type { Row } from '../database/tables.ts';
import { decodeHeadingPath, decodeSectionLabel } from './heading-columns.ts';
import { decodeSpans } from './span-columns.ts';

/** A row of {@link SELECT_CHUNKS}. */
export type StoredChunk = Omit<Row<'chunks'>, 'chunk_key'>;

/** Selects chunks as {@link toChunk} takes them; a WHERE clause on `c` may follow. */
export const SELECT_CHUNKS = `SELECT c.seq, c.chunk_id, c.doc_seq, c.ordinal, c.text_start, c.text_end, c.first_block,
  c.last_block, c.token_estimate, c.heading_path_json, c.section_label, c.source_spans_json FROM chunks c`;

/** What a chunk has from its document. */
export interface ChunkSurroundings {
  readonly docId: DocumentId;
  readonly title: string;
  readonly chunkerVersion: string;
  readonly policyHash: string;
  /** The ids of the blocks `[first, last]`. */
  readonly blockIds: (first: number, last: number) => readonly BlockId[];
}

/**
 * Turns a stored row into a chunk. Its block ids are minted when they are first asked for: a hit never asks, and minting
 * them takes all blocks of the document.
 */
export function toChunk(row: StoredChunk, text: string, from: ChunkSurroundings): Chunk {
  let blockIds: readonly BlockId[] | undefined;
  const headingPath = decodeHeadingPath(row.heading_path_json, from.title);
  return {
    chunkId: row.chunk_id as ChunkId,
    docId: from.docId,
    ordinal: row.ordinal,
    start: row.text_start,
    end: row.text_end,
    text,
    get blockIds() {
      blockIds ??= row.first_block < 0 ? [] : from.blockIds(row.first_block, row.last_block);
      return blockIds;
    },
    headingPath,
    sectionLabel: decodeSectionLabel(row.section_label, headingPath),
    sourceSpans: decodeSpans(row.source_spans_json),
    tokenEstimate: row.token_estimate,
    chunkerVersion: from.chunkerVersion,
    policyHash: from.policyHash,
  };
}
