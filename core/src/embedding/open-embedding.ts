import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { DocumentRow } from '../contracts/document-store.ts';
import type { Embedder } from '../contracts/embedder.ts';
import type { VectorLedger } from '../contracts/vector-ledger.ts';
import type { VectorStore, VectorPayload } from '../contracts/vector-store.ts';
import { blake3Id } from '../domain/blake3.ts';
import type { Chunk } from '../domain/document.ts';
import { fingerprintOf } from '../domain/policy-hash.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import type { Access } from '../plugin/components.ts';
import type { Ports } from '../ports.ts';
import type { Degraded } from '../wire/index.ts';

/** An embedder with the location of its vectors. */
export interface ReadyEmbedding {
  readonly kind: 'ready';
  readonly embedder: Embedder;
  readonly vectors: VectorStore;
  readonly fingerprint: string;
  readonly collection: string;
}

/** The available embedding. `fingerprint` is null when it cannot be determined. */
export type Embedding =
  | ReadyEmbedding
  /** Embedding is disabled. */
  | { readonly kind: 'off' }
  | {
      readonly kind: 'failed';
      readonly error: unknown;
      readonly degraded: Degraded;
      readonly fingerprint: string | null;
    };

/** The ports for creating or comparing vectors. */
export type EmbeddingPorts = Pick<Ports, 'embedders' | 'vectorStores'> & {
  readonly config: Pick<ResolvedConfig, 'models' | 'storage'>;
};

/** Opens the configured embedder and vector store. Failures are returned, not thrown; aborts pass through. */
export async function openEmbedding(
  { embedders, vectorStores, config }: EmbeddingPorts,
  access: Access,
): Promise<Embedding> {
  const { provider } = config.models.embedding;
  if (provider === 'none') return { kind: 'off' };
  if (!embedders.names().some(({ id }) => id === provider)) return unknownProvider(provider);
  let fingerprint: string | null = null;
  try {
    const embedder = await embedders.get(provider);
    fingerprint = fingerprintOf(embedder);
    const vectors = await vectorStores.get(config.storage.vectorStore, access);
    return { kind: 'ready', embedder, vectors, fingerprint, collection: collectionName(embedder) };
  } catch (error) {
    const degraded = degradedBy(error);
    if (degraded === undefined) throw error;
    return { kind: 'failed', error, degraded, fingerprint };
  }
}

/**
 * The fingerprint for counting documents without vectors: that of the embedder; null, for documents without any vector, when it cannot be
 * determined because the model is missing; or the name of the model when all vectors come from other models.
 */
export async function countedFingerprint(
  vectors: Pick<VectorLedger, 'collections'>,
  { model, known }: { readonly model: string; readonly known: string | null },
): Promise<string | null> {
  if (known !== null) return known;
  const name = model.slice(model.lastIndexOf('/') + 1);
  const collections = await vectors.collections();
  return collections.length === 0 || collections.some(({ fingerprint }) => fingerprint.includes(name)) ? null : name;
}

function unknownProvider(provider: string): Embedding {
  const hint = `no plugin here provides the embedder "${provider}"; install one, or search with --mode lexical`;
  const degraded: Degraded = { stage: 'vector', reason: 'provider_none', hint };
  return { kind: 'failed', error: new Error(hint), degraded, fingerprint: null };
}

/** The degradation for a failure of the vector side; undefined for failures that do not concern vectors. */
export function degradedBy(error: unknown): Degraded | undefined {
  if (!isKebabError(error)) return undefined;
  const { code, hint } = error;
  switch (code) {
    case 'model_not_pulled':
    case 'model_unreachable':
    case 'vector_store_unreachable':
    case 'plugin_failed':
      return { stage: 'vector', reason: code, hint };
    case 'store_damaged':
      return { stage: 'vector', reason: 'vector_store_unreachable', hint };
    case 'plugin_incompatible':
    case 'invalid_input': // caused by what was sent to the model or the store: a user's own input does not get this far
      return { stage: 'vector', reason: 'plugin_failed', hint };
    case 'config_invalid': // no reason of its own, so that the hint describes the problem
      return { stage: 'vector', reason: 'provider_none', hint: `${error.message}: ${hint}` };
    case 'timeout':
      return { stage: 'vector', reason: 'model_unreachable', hint };
    case 'not_indexed':
      return { stage: 'vector', reason: 'vectors_missing', hint };
    default:
      return undefined;
  }
}

const FINGERPRINT_DIGITS = 12;

/**
 * The collection for the vectors of one embedder: `chunk_embeddings_<model>_<dimensions>_<fingerprint>`. Embedders that differ in anything
 * have different collections, so that their vectors are never searched together.
 */
export function collectionName(
  embedder: Pick<Embedder, 'id' | 'version' | 'modelId' | 'dimensions' | 'fingerprint'>,
): string {
  const model = embedder.modelId.replace(/^.*[/\\]/, '').replace(/[^A-Za-z0-9]+/g, '-');
  const fingerprint = blake3Id(fingerprintOf(embedder)).slice(0, FINGERPRINT_DIGITS);
  return `chunk_embeddings_${model}_${embedder.dimensions}_${fingerprint}`;
}

/** Part of the key of cached vectors; raised when {@link embeddingText} changes. */
export const EMBEDDING_TEXT_VERSION = 1;

/**
 * The text that is embedded for a chunk: its heading path, outermost first, then its own text. A heading at the start of the chunk is not
 * repeated. The path of the file is not included, so that moving it changes no vector.
 */
export function embeddingText({
  text,
  headingPath,
  sectionLabel,
}: Pick<Chunk, 'text' | 'headingPath' | 'sectionLabel'>): string {
  const headings = headingPath.length > 0 ? headingPath : sectionLabel === null ? [] : [sectionLabel];
  const unsaid = headings.filter((heading) => !firstLine(text).includes(heading));
  return [...unsaid, text].join('\n');
}

function firstLine(text: string): string {
  return text.slice(0, text.indexOf('\n') === -1 ? text.length : text.indexOf('\n'));
}

/** The document fields for vector stores that filter by themselves. */
export function vectorPayload(document: DocumentRow): VectorPayload {
  const { tags, lang, trustLevel, media, committedAt, repo, codeLang, sourceId, sourceType, workspacePath } = document;
  return { tags, lang, trustLevel, media, committedAt, repo, codeLang, sourceId, sourceType, workspacePath };
}
