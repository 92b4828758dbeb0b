import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { AbortOptions, Clock, Logger } from '../../contracts/contribution.ts';
import type { DocumentStore, DocumentWriter } from '../../contracts/document-store.ts';
import type { Ports } from '../../ports.ts';
import { degradedBy, openEmbedding, type Embedding, type ReadyEmbedding } from '../../embedding/open-embedding.ts';
import type { Degraded } from '../../wire/index.ts';
import type { Progress } from '../progress.ts';
import { EmbedDocuments } from './embed-documents.ts';
import { reconcileVectors } from './reconcile-vectors.ts';
import { VectorSource } from './vector-source.ts';

/** What the embedding step of an ingest takes. */
export interface EmbeddingStepInit extends Pick<Ports, 'embedders' | 'vectorStores'> {
  readonly config: Pick<ResolvedConfig, 'models' | 'storage' | 'indexing'>;
  readonly store: DocumentStore;
  readonly writer: DocumentWriter;
  readonly clock: Clock;
  readonly log: Logger;
  readonly progress: Progress;
}

/** What came of the embedding step. */
export interface EmbeddingOutcome {
  /** Vectors committed. */
  readonly embedded: number;
  /** Documents that lack vectors now. */
  readonly pending: number;
  readonly degraded: readonly Degraded[];
  readonly isCancelled: boolean;
}

/** The last step of an ingest: every committed document gets its vectors, and the vector store is brought in line. */
export class EmbeddingStep {
  readonly #init: EmbeddingStepInit;
  readonly #embedding: Embedding;

  private constructor(init: EmbeddingStepInit, embedding: Embedding) {
    this.#init = init;
    this.#embedding = embedding;
  }

  /** Opens the configured embedder and vector store; what is missing is told by {@link EmbeddingStep.run}. */
  static async open(init: EmbeddingStepInit): Promise<EmbeddingStep> {
    return new EmbeddingStep(init, await openEmbedding(init, 'write'));
  }

  /** What a document embedded by this step has as its embedding fingerprint; null when nothing will be embedded. */
  get fingerprint(): string | null {
    return this.#embedding.kind === 'ready' ? this.#embedding.fingerprint : null;
  }

  /** A failing embedder or vector store leaves documents pending and is told; a failure of the document store is thrown. */
  async run(options: AbortOptions): Promise<EmbeddingOutcome> {
    const embedding = this.#embedding;
    const { vectors } = this.#init.store;
    switch (embedding.kind) {
      case 'off':
        return { embedded: 0, pending: 0, degraded: [], isCancelled: isCancelled(options) };
      case 'failed': {
        const pending = await vectors.countDocumentsWithout(embedding.fingerprint);
        this.#init.log.warn('nothing was embedded', { cause: String(embedding.error) });
        const degraded = pending === 0 ? [] : [embedding.degraded];
        return { embedded: 0, pending, degraded, isCancelled: isCancelled(options) };
      }
      case 'ready':
        return this.#embed(embedding, options);
      default:
        return embedding satisfies never;
    }
  }

  async #embed(embedding: ReadyEmbedding, options: AbortOptions): Promise<EmbeddingOutcome> {
    const { store, writer } = this.#init;
    const documents = this.#documents(embedding);
    const outcome = async (degraded: readonly Degraded[]): Promise<EmbeddingOutcome> => ({
      embedded: documents.embedded,
      pending: await store.vectors.countDocumentsWithout(embedding.fingerprint),
      degraded,
      isCancelled: isCancelled(options),
    });
    if (isCancelled(options)) return outcome([]);
    try {
      await reconcileVectors({ store, writer, embedding }, options);
      await documents.run(options);
      await this.#retireOthers(embedding, options);
      return await outcome([]);
    } catch (error) {
      if (isCancelled(options)) return await outcome([]);
      const degraded = degradedBy(error);
      if (degraded === undefined) throw error;
      this.#init.log.warn('embedding stopped', { cause: String(error) });
      return await outcome([degraded]);
    }
  }

  #documents(embedding: ReadyEmbedding): EmbedDocuments {
    const { store, writer, clock, progress, config, embedders } = this.#init;
    const named = embedders.names().find(({ id }) => id === config.models.embedding.provider);
    const source = new VectorSource({
      embedder: embedding.embedder,
      plugin: { name: named?.plugin ?? embedding.embedder.id, version: named?.pluginVersion ?? '' },
      derivations: writer.derivations,
      clock,
      progress,
      width: config.indexing.maxParallelEmbeddings,
      position: () => documents.position,
    });
    const documents = new EmbedDocuments({ store, writer, embedding, source, clock });
    return documents;
  }

  /** Once every document has its vectors, those of other models go: their collections are of no use to any search. */
  async #retireOthers({ vectors, collection, fingerprint }: ReadyEmbedding, options: AbortOptions): Promise<void> {
    const { store, writer } = this.#init;
    if ((await store.vectors.countDocumentsWithout(fingerprint)) > 0) return;
    await vectors.activate?.(collection, options);
    const noted = (await store.vectors.collections()).map((one) => one.collection);
    const names = new Set([...(await vectors.listCollections(options)), ...noted]);
    names.delete(collection);
    for (const name of names) {
      await vectors.dropCollection(name, options);
      writer.vectors.forgetCollection(name);
    }
  }
}

function isCancelled({ signal }: AbortOptions): boolean {
  return signal?.aborted === true;
}
