import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { AbortOptions, Clock, Logger } from '../contracts/contribution.ts';
import type { ChunkId, DocumentId } from '../domain/ids.ts';
import type { Metadata, ProvenanceEvent } from '../domain/metadata.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { notFound } from '../documents/resolve-id.ts';
import { toChunkInspection } from '../citation/to-chunk-inspection.ts';
import type { Components } from '../plugin/components.ts';
import { FreshnessCheck } from '../documents/freshness.ts';
import type {
  ChunkInspection,
  DocInspection,
  InspectedBlock,
  WireMetadata,
  WireProvenanceEvent,
} from '../wire/index.ts';
import { blockPayload } from './block-payload.ts';
import { toDocSummary } from './to-doc-summary.ts';

/** Shows everything the index knows of one document or chunk. */
export class Inspect {
  readonly #components: Components;
  readonly #config: Pick<ResolvedConfig, 'search' | 'workspace'>;
  readonly #clock: Clock;
  readonly #log: Logger;

  constructor(components: Components, config: Pick<ResolvedConfig, 'search' | 'workspace'>, clock: Clock, log: Logger) {
    this.#components = components;
    this.#config = config;
    this.#clock = clock;
    this.#log = log;
  }

  /** One document with its metadata, history, blocks, pages and chunk ids. Throws `doc_not_found`, `not_indexed`. */
  async document(id: DocumentId, options: AbortOptions = {}): Promise<DocInspection> {
    throwIfCancelled(options.signal, 'inspect doc');
    const store = await this.#components.first('document_store');
    const row = store.getDocument(id);
    const whole = row === null ? null : store.getCanonicalDocument(id);
    if (row === null || whole === null) throw notFound('document', id);
    const freshness = new FreshnessCheck({
      components: this.#components,
      config: this.#config,
      clock: this.#clock,
      log: this.#log,
      signal: options.signal,
    });
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
  async chunk(id: ChunkId, options: AbortOptions = {}): Promise<ChunkInspection> {
    throwIfCancelled(options.signal, 'inspect chunk');
    const store = await this.#components.first('document_store');
    const found = store.getChunk(id);
    if (found === null) throw notFound('chunk', id);
    return toChunkInspection(store, found.document, found.chunk);
  }
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
