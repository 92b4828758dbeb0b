import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import type { Chunk } from '../domain/chunk.ts';
import { citeChunk, type CitedStore } from './cite-chunk.ts';
import type { ChunkInspection } from '../wire/index.ts';

/** What inspecting a chunk reads. */
export type InspectedStore = CitedStore & Pick<DocumentStore, 'vectors'>;

/** Writes chunk_inspection.v1: the one place where a whole chunk takes its wire form. */
export function toChunkInspection(store: InspectedStore, document: DocumentRow, chunk: Chunk): ChunkInspection {
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
    embeddings: store.vectors
      .vectorsOf(chunk.chunkId)
      .flatMap(({ embeddingId, modelId, dimensions, status }) =>
        status === 'tombstone' ? [] : [{ model: modelId, dimensions, embedding_id: embeddingId, status }],
      ),
  };
}
