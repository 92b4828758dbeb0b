import type { AbortOptions } from '../contracts/contribution.ts';
import type { ChunkId, DocumentId } from '../domain/ids.ts';
import type { Metadata, ProvenanceEvent } from '../domain/metadata.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { notFound } from '../documents/resolve-id.ts';
import { toChunkInspection } from '../citation/to-chunk-inspection.ts';
import { FreshnessCheck, type FreshnessPorts } from '../documents/freshness.ts';
import type { Ports } from '../ports.ts';
import type {
  ChunkInspection,
  DocInspection,
  InspectedBlock,
  WireMetadata,
  WireProvenanceEvent,
} from '../wire/index.ts';
import { blockPayload } from './block-payload.ts';
import { toDocSummary } from './to-doc-summary.ts';

/** Everything the index knows of one document: metadata, history, blocks, pages and chunk ids. Throws `doc_not_found`, `not_indexed`. */
export async function inspectDocument(
  ports: FreshnessPorts & Pick<Ports, 'documents'>,
  id: DocumentId,
  { signal }: AbortOptions = {},
): Promise<DocInspection> {
  throwIfCancelled(signal, 'inspect doc');
  const store = await ports.documents.read();
  const row = store.getDocument(id);
  const whole = row === null ? null : store.getCanonicalDocument(id);
  if (row === null || whole === null) throw notFound('document', id);
  const freshness = new FreshnessCheck(ports, signal);
  return {
    schema_version: 'doc_inspection.v1',
    summary: toDocSummary(row, await freshness.check(row)),
    metadata: toWireMetadata(whole.metadata),
    provenance: { events: whole.provenance.map(toWireEvent) },
    doc_version: whole.docVersion,
    blocks: whole.blocks.map((block): InspectedBlock => ({
      block_id: block.blockId,
      kind: block.kind,
      ordinal: block.ordinal,
      heading_path: block.headingPath,
      source_span: block.sourceSpan,
      text_start: block.start,
      text_end: block.end,
      payload: blockPayload(block, whole.text),
    })),
    pages: whole.pages,
    chunk_ids: store.listChunks(id).map(({ chunkId }) => chunkId),
  };
}

/** One chunk with its text and citation. Throws `chunk_not_found`, `not_indexed`. */
export async function inspectChunk(
  { documents }: Pick<Ports, 'documents'>,
  id: ChunkId,
  { signal }: AbortOptions = {},
): Promise<ChunkInspection> {
  throwIfCancelled(signal, 'inspect chunk');
  const store = await documents.read();
  const found = store.getChunk(id);
  if (found === null) throw notFound('chunk', id);
  return toChunkInspection(store, found.document, found.chunk);
}

function toWireMetadata(metadata: Metadata): WireMetadata {
  return {
    aliases: metadata.aliases,
    tags: metadata.tags,
    created_at: metadata.createdAt.toISOString(),
    updated_at: metadata.updatedAt.toISOString(),
    source_type: metadata.sourceType,
    trust_level: metadata.trustLevel,
    user_id_alias: metadata.userIdAlias,
    user: metadata.user,
    repo: metadata.repo,
    git_branch: metadata.gitBranch,
    git_commit: metadata.gitCommit,
    code_lang: metadata.codeLang,
  };
}

function toWireEvent({ at, agent, kind, note }: ProvenanceEvent): WireProvenanceEvent {
  return { at: at.toISOString(), agent, kind, note };
}
