import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import type { Chunk } from '../domain/document.ts';
import { citeChunks, type CitedStore } from './cite-chunk.ts';
import type { ChunkInspection, Citation } from '../wire/index.ts';

/** The store methods that inspecting a chunk needs. */
export type InspectedStore = CitedStore & Pick<DocumentStore, 'vectors'>;

/** Converts chunks of one document to chunk_inspection.v1, the only place where a whole chunk is converted to its wire form. */
export async function toChunkInspections(
  store: InspectedStore,
  document: DocumentRow,
  chunks: readonly Chunk[],
): Promise<readonly ChunkInspection[]> {
  const [citations, vectors] = await Promise.all([
    citeChunks(
      store,
      chunks.map((chunk) => ({ document, chunk })),
    ),
    store.vectors.vectorsOf(chunks.map(({ chunkId }) => chunkId)),
  ]);
  return chunks.map((chunk, at) => ({
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
    citation: citations[at] as Citation,
    block_ids: chunk.blockIds,
    token_estimate: chunk.tokenEstimate,
    chunker_version: chunk.chunkerVersion,
    policy_hash: chunk.policyHash,
    embeddings: (vectors.get(chunk.chunkId) ?? []).flatMap(({ embeddingId, modelId, dimensions, status }) =>
      status === 'tombstone' ? [] : [{ model: modelId, dimensions, embedding_id: embeddingId, status }],
    ),
  }));
}
