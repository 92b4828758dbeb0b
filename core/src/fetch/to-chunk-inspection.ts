import type { DocumentRow } from '../contracts/document-store.ts';
import type { Chunk } from '../domain/chunk.ts';
import { citeChunk, type CitedStore } from '../search/cite-chunk.ts';
import type { ChunkInspection } from '../wire/index.ts';

/** Writes chunk_inspection.v1: the one place where a whole chunk takes its wire form. */
export function toChunkInspection(store: CitedStore, document: DocumentRow, chunk: Chunk): ChunkInspection {
  return {
    schema_version: 'chunk_inspection.v1',
    chunk_id: chunk.chunkId,
    doc_id: chunk.docId,
    doc_path: document.workspacePath,
    ordinal: chunk.ordinal,
    text_start: chunk.start,
    text_end: chunk.end,
    heading_path: chunk.headingPath,
    section_label: chunk.sectionLabel,
    text: chunk.text,
    source_spans: chunk.sourceSpans,
    citation: citeChunk(store, document, chunk),
    block_ids: chunk.blockIds,
    token_estimate: chunk.tokenEstimate,
    chunker_version: chunk.chunkerVersion,
    policy_hash: chunk.policyHash,
    embeddings: [],
  };
}
