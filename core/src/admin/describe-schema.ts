import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import type { MediaMatch } from '../contracts/extractor.ts';
import { allDocuments } from '../documents/open-store.ts';
import { FreshnessCheck, type FreshnessPorts } from '../documents/freshness.ts';
import { fingerprintOf } from '../domain/policy-hash.ts';
import { MEDIA } from '../domain/kinds.ts';
import type { MediaType } from '../domain/media.ts';
import { KEBAB_VERSION } from '../domain/versions.ts';
import {
  chatModelInForce,
  checkerInForce,
  embeddingModelInForce,
  vectorRetrieverInForce,
} from '../embedding/model-in-force.ts';
import { countedFingerprint, type Embedding, type EmbeddingPorts, openEmbedding } from '../embedding/open-embedding.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import type { PluginReport } from '../plugin/find-plugins.ts';
import type { Ports } from '../ports.ts';
import { CAPABILITIES, WIRE_SCHEMA_NAMES } from '../wire/names.ts';
import type { SchemaV1 } from '../wire/index.ts';

/** The ports of a description. */
type SchemaPorts = EmbeddingPorts &
  FreshnessPorts &
  Pick<
    Ports,
    | 'documents'
    | 'extractors'
    | 'chunkers'
    | 'lexicalIndex'
    | 'retrievers'
    | 'rerankers'
    | 'languageModels'
    | 'groundednessCheckers'
    | 'config'
  > & {
    /** The state of every plugin. */
    readonly pluginReports: () => readonly PluginReport[];
  };

/** Describes the capabilities of this kebab, the versions in use, and the contents of the knowledge base. Throws `not_indexed`. */
export async function describeSchema(ports: SchemaPorts, options: AbortOptions = {}): Promise<SchemaV1> {
  throwIfCancelled(options.signal, 'schema');
  const store = await ports.documents.read();
  const opened = await openEmbedding(ports, 'read');
  const embedding = opened.kind === 'off' ? null : opened.fingerprint;
  const retriever = await vectorRetrieverInForce(ports);
  const stats = await statsOf(ports, { store, embedding: opened }, options);
  return {
    schema_version: 'schema.v1',
    kebab_version: KEBAB_VERSION,
    wire: { schemas: WIRE_SCHEMA_NAMES },
    capabilities: CAPABILITIES,
    models: await modelsOf(ports, store, retriever === null ? embedding : fingerprintOf(retriever)),
    stats,
    plugins: ports.pluginReports().map(({ name, version, kinds, state }) => ({
      name,
      version,
      kinds,
      state: state === 'untrusted' ? 'disabled' : state,
    })),
  };
}

async function modelsOf(
  ports: SchemaPorts,
  store: DocumentStore,
  embedding: string | null,
): Promise<SchemaV1['models']> {
  const { config } = ports;
  const labels = await versionLabels(ports);
  const index = await ports.lexicalIndex.read();
  const { llm, nli, rerank } = config.models;
  const checkers = ports.groundednessCheckers.names();
  return {
    parser_version: labels.parsers,
    chunker_version: labels.chunkers,
    embedding_version: embedding,
    prompt_template_version: config.rag.promptTemplateVersion,
    index_version: index.indexVersion(),
    corpus_revision: await store.corpusRevision(),
    llm: await chatModelInForce(llm, ports.languageModels),
    reranker: rerank.provider === 'none' || ports.rerankers.names().length === 0 ? null : rerank.model,
    nli: checkers.some(({ id }) => id === nli.provider) ? checkerInForce(nli, checkers) : null,
  };
}

async function statsOf(
  ports: SchemaPorts,
  { store, embedding }: { readonly store: DocumentStore; readonly embedding: Embedding },
  { signal }: AbortOptions,
): Promise<SchemaV1['stats']> {
  const stats = await store.stats();
  const freshness = await FreshnessCheck.of(ports, store, signal);
  let stale = 0;
  for await (const document of allDocuments(store)) {
    throwIfCancelled(signal, 'schema');
    if ((await freshness.check(document)).stale) stale++;
  }
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
    index_bytes: { sqlite: stats.storedBytes, vectors: await vectorBytes(ports, embedding) },
    stale_doc_count: stale,
    embeddings_pending: await countPending(ports, store, embedding),
  };
}

/** The size of the vectors, if the store can report it; those of the embedded store are part of the database. */
async function vectorBytes({ vectorStores, config }: SchemaPorts, embedding: Embedding): Promise<number> {
  const { vectorStore } = config.storage;
  const store =
    embedding.kind === 'ready' ? embedding.vectors : await vectorStores.get(vectorStore, 'read').catch(() => null);
  return (await store?.storedBytes?.().catch(() => 0)) ?? 0;
}

/** Nothing is pending when nothing was ever embedded; if all vectors come from another model, everything is pending. */
async function countPending(
  { embedders, config }: SchemaPorts,
  { vectors }: DocumentStore,
  embedding: Embedding,
): Promise<number> {
  if (embedding.kind === 'off') return 0;
  const model = await embeddingModelInForce(config.models.embedding, embedders);
  const counted = await countedFingerprint(vectors, { model, known: embedding.fingerprint });
  return counted === null ? 0 : vectors.countDocumentsWithout(counted);
}

/** The labels of the parsers and chunkers in use, by medium; source code by language, as `code/rust`. */
interface VersionLabels {
  readonly parsers: Readonly<Record<string, string>>;
  readonly chunkers: Readonly<Record<string, string>>;
}

/** Collects the labels of every extractor for the media that it declares and supports; of two for one medium the preferred one wins. */
async function versionLabels(ports: Pick<Ports, 'extractors' | 'chunkers'>): Promise<VersionLabels> {
  const parsers: Record<string, string> = {};
  const chunkers: Record<string, string> = {};
  const chunkerIds = new Set(ports.chunkers.names().map(({ id }) => id));
  for (const extractor of await ports.extractors.all())
    for (const [name, media] of candidates(extractor.match)) {
      if (Object.hasOwn(parsers, name) || !extractor.supports(media)) continue;
      parsers[name] = extractor.parserVersion(media);
      const chunkerId = extractor.chunkerId(media);
      if (chunkerIds.has(chunkerId)) chunkers[name] = chunkerId;
    }
  return { parsers, chunkers };
}

function candidates({
  media = [],
  codeLangs = [],
  extensions = [],
}: MediaMatch): readonly (readonly [string, MediaType])[] {
  const kinds = codeLangs.length === 0 ? media : media.filter((kind) => kind !== 'code');
  return [
    ...kinds.map((kind) => [kind, exampleOf(kind)] as const),
    ...codeLangs.map((lang) => [`code/${lang}`, { kind: 'code', lang }] as const),
    ...extensions.map((ext) => [`other/${ext}`, { kind: 'other', ext }] as const),
  ];
}

function exampleOf(kind: MediaType['kind']): MediaType {
  switch (kind) {
    case 'markdown':
    case 'text':
    case 'pdf':
      return { kind };
    case 'image':
      return { kind, type: 'png' };
    case 'audio':
      return { kind, type: 'wav' };
    case 'code':
      return { kind, lang: 'text' };
    case 'other':
      return { kind, ext: '' };
    default:
      return kind satisfies never;
  }
}
