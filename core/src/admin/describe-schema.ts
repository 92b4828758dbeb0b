import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import { MEDIA } from '../domain/media.ts';
import { KEBAB_VERSION } from '../domain/versions.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import type { Ports } from '../ports.ts';
import type { PluginReport } from '../plugin/plugin-report.ts';
import { openEmbedding, type EmbeddingPorts } from '../embedding/open-embedding.ts';
import { FreshnessCheck, type FreshnessPorts } from '../documents/freshness.ts';
import { WIRE_SCHEMA_NAMES, type SchemaV1 } from '../wire/index.ts';
import { allDocuments } from '../documents/all-documents.ts';
import { CAPABILITY_FLAGS } from './capability-flags.ts';
import { folderSize } from './folder-size.ts';
import { isPending } from './is-pending.ts';
import { versionLabels, type VersionPorts } from './version-labels.ts';

/** The ports of a description. */
export type SchemaPorts = EmbeddingPorts &
  FreshnessPorts &
  VersionPorts &
  Pick<Ports, 'documents' | 'lexicalIndex' | 'rerankers' | 'groundednessCheckers' | 'config'> & {
    /** How every plugin stands now. */
    readonly pluginReports: () => readonly PluginReport[];
  };

/** Says what this kebab can do, which versions are at work, and what the knowledge base holds. */
export class DescribeSchema {
  readonly #ports: SchemaPorts;

  constructor(ports: SchemaPorts) {
    this.#ports = ports;
  }

  /** Throws `not_indexed` without a database. */
  async describe(options: AbortOptions = {}): Promise<SchemaV1> {
    throwIfCancelled(options.signal, 'schema');
    const store = await this.#ports.documents.read();
    const embedding = await this.#embeddingFingerprint();
    const stats = await this.#stats(store, embedding, options);
    return {
      schema_version: 'schema.v1',
      kebab_version: KEBAB_VERSION,
      wire: { schemas: WIRE_SCHEMA_NAMES },
      capabilities: CAPABILITY_FLAGS,
      models: await this.#models(store, embedding),
      stats,
      plugins: this.#ports.pluginReports().map(({ name, version, kinds, state }) => ({
        name,
        version,
        kinds,
        state: state === 'untrusted' ? 'disabled' : state,
      })),
    };
  }

  async #models(store: DocumentStore, embedding: string | null): Promise<SchemaV1['models']> {
    const ports = this.#ports;
    const { config } = ports;
    const labels = await versionLabels(ports);
    const index = await ports.lexicalIndex.read();
    const { llm, nli, rerank } = config.models;
    return {
      parser_version: labels.parsers,
      chunker_version: labels.chunkers,
      embedding_version: embedding,
      prompt_template_version: config.rag.promptTemplateVersion,
      index_version: index.indexVersion(),
      corpus_revision: store.corpusRevision(),
      llm: llm.model,
      reranker: rerank.provider === 'none' || ports.rerankers.names().length === 0 ? null : rerank.model,
      nli: nli.provider === 'none' || ports.groundednessCheckers.names().length === 0 ? null : nli.model,
    };
  }

  async #stats(store: DocumentStore, embedding: string | null, options: AbortOptions): Promise<SchemaV1['stats']> {
    const stats = store.stats();
    const { stale, pending } = await this.#countDocuments(store, embedding, options);
    return {
      doc_count: stats.documents,
      chunk_count: stats.chunks,
      asset_count: stats.assets,
      last_ingest_at: stats.lastIngestAt?.toISOString() ?? null,
      media_breakdown: Object.fromEntries(MEDIA.map((media) => [media, stats.media[media] ?? 0])) as Record<
        (typeof MEDIA)[number],
        number
      >,
      lang_breakdown: stats.langs,
      code_lang_breakdown: stats.codeLangs,
      code_lang_chunk_breakdown: stats.codeLangChunks,
      repo_breakdown: stats.repos,
      source_breakdown: stats.sources,
      index_bytes: { sqlite: stats.storedBytes, vectors: await folderSize(this.#ports.config.storage.vectorDir) },
      stale_doc_count: stale,
      embeddings_pending: pending,
    };
  }

  async #countDocuments(
    store: DocumentStore,
    embedding: string | null,
    options: AbortOptions,
  ): Promise<{ readonly stale: number; readonly pending: number }> {
    const freshness = new FreshnessCheck(this.#ports, options.signal);
    let stale = 0;
    let pending = 0;
    for (const document of allDocuments(store)) {
      throwIfCancelled(options.signal, 'schema');
      if ((await freshness.check(document)).stale) stale++;
      if (isPending(document, embedding)) pending++;
    }
    return { stale, pending };
  }

  /** Null when nothing embeds. */
  async #embeddingFingerprint(): Promise<string | null> {
    const embedding = await openEmbedding(this.#ports, 'read');
    return embedding.kind === 'off' ? null : embedding.fingerprint;
  }
}
