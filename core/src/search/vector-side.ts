import type { DocumentStore } from '../contracts/document-store.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import type { Retriever } from '../contracts/retriever.ts';
import { isKebabError, KebabError } from '../errors/kebab-error.ts';
import type { Degraded } from '../wire/index.ts';
import { openEmbedding, type EmbeddingPorts, type ReadyEmbedding } from '../embedding/open-embedding.ts';
import { placeOf } from './place.ts';
import { VectorRetriever } from './vector-retriever.ts';

export { degradedBy } from '../embedding/open-embedding.ts';

/** The vector side of a search: a retriever, or why there is none. */
export type VectorSide = ReadyVectorSide | AbsentVectorSide;

/** A vector side that can be asked. */
export interface ReadyVectorSide {
  readonly kind: 'ready';
  readonly retriever: Retriever;
  /** The model's id; of a plugin's own retriever, its id. */
  readonly model: string;
  /** ISO 639-1 codes of the languages its model was made for; null for most of them. */
  readonly languages: readonly string[] | null;
  /** What is missing of it, when it is not whole. */
  readonly degraded: Degraded | null;
}

/** A vector side that cannot be asked; `error` is thrown where only vectors would do. */
export interface AbsentVectorSide {
  readonly kind: 'absent';
  readonly degraded: Degraded;
  readonly error: Error;
}

/** What finding the vector side takes. */
export interface VectorSideSources extends EmbeddingPorts {
  readonly store: DocumentStore;
  readonly lexical: LexicalIndex;
  /** A plugin's own retriever whose scores are cosines; it takes the place of embedder and vectors. */
  readonly contributed: Retriever | null;
}

/** Finds what ranks by vectors, and remembers between searches what does not change while the corpus stands. */
export class VectorSideFinder {
  #retriever: { readonly of: ReadyEmbedding; readonly retriever: VectorRetriever } | undefined;
  #missing: { readonly key: string; readonly count: number; readonly documents: number } | undefined;

  /** The contributed retriever, if there is one; else the configured embedder with its vectors. */
  async find(sources: VectorSideSources): Promise<VectorSide> {
    const { contributed } = sources;
    if (contributed !== null)
      return { kind: 'ready', retriever: contributed, model: contributed.id, languages: null, degraded: null };
    const embedding = await openEmbedding(sources, 'read');
    switch (embedding.kind) {
      case 'off':
        return absent(
          'provider_none',
          'name an embedder with models.embedding.provider, or search with --mode lexical',
        );
      case 'failed':
        return { kind: 'absent', degraded: embedding.degraded, error: asError(embedding) };
      case 'ready':
        return this.#side(embedding, sources);
      default:
        return embedding satisfies never;
    }
  }

  #side(embedding: ReadyEmbedding, sources: VectorSideSources): VectorSide {
    const { count, documents } = this.#countMissing(embedding, sources.store);
    if (documents > 0 && count === documents && !hasVectors(sources.store, embedding))
      return absent('vectors_missing', 'make the vectors with `kebab ingest`');
    const { languages, modelId } = embedding.embedder;
    const hint = `${count} of ${documents} documents have no vectors yet: run \`kebab ingest\``;
    const degraded: Degraded | null = count === 0 ? null : { stage: 'vector', reason: 'vectors_incomplete', hint };
    return { kind: 'ready', retriever: this.#ready(embedding, sources), model: modelId, languages, degraded };
  }

  #ready(embedding: ReadyEmbedding, { store, lexical }: VectorSideSources): VectorRetriever {
    const { embedder, vectors, collection } = embedding;
    const known = this.#retriever;
    if (known?.of.embedder === embedder && known.of.vectors === vectors) return known.retriever;
    const retriever = new VectorRetriever({
      ...{ embedder, vectors, collection, store, lexical },
      placeOf: (id) => placeOf(store, id),
    });
    this.#retriever = { of: embedding, retriever };
    return retriever;
  }

  #countMissing({ fingerprint }: ReadyEmbedding, store: DocumentStore): { count: number; documents: number } {
    const key = `${store.corpusRevision()} ${fingerprint}`;
    if (this.#missing?.key !== key) {
      const count = store.vectors.countDocumentsWithout(fingerprint);
      this.#missing = { key, count, documents: store.documentCount() };
    }
    return this.#missing;
  }
}

/** The failure of `--mode vector` where a hybrid search would do without vectors. */
export function vectorsUnavailable({ error }: AbsentVectorSide): Error {
  return error;
}

/** Whether at least some vectors of a collection can be found; a large document may be embedded in part. */
function hasVectors(store: DocumentStore, { collection }: ReadyEmbedding): boolean {
  return store.vectors.listVectors(collection, 'committed', { after: '', limit: 1 }).length > 0;
}

function absent(reason: Degraded['reason'], hint: string): AbsentVectorSide {
  const degraded: Degraded = { stage: 'vector', reason, hint };
  return { kind: 'absent', degraded, error: notIndexed(degraded) };
}

function asError({ error, degraded }: { readonly error: unknown; readonly degraded: Degraded }): Error {
  return isKebabError(error) && error.code !== 'config_invalid' ? error : notIndexed(degraded);
}

function notIndexed({ reason, hint }: Degraded): Error {
  return new KebabError('not_indexed', 'vector search is not possible: there are no vectors', {
    details: { expected: 'vectors', found: reason },
    hint,
  });
}
