import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { Chunker } from '../contracts/chunker.ts';
import type { KnownDocument, StageFingerprints } from '../contracts/document-store.ts';
import type { Extractor } from '../contracts/extractor.ts';
import type { SourceFile } from '../contracts/source-connector.ts';
import type { ChunkPolicy } from '../domain/document.ts';
import { mediaKey, type MediaType } from '../domain/media.ts';
import { classifyError } from '../errors/classify-error.ts';
import { isKebabError, type KebabError } from '../errors/kebab-error.ts';
import { pluginOf } from '../plugin/components.ts';
import type { Ports } from '../ports.ts';
import { spanMismatch } from './fitting-chunker.ts';
import type { NamedChunker, NamedPlugin } from './extraction-job.ts';
import type { ChunkingLabels } from './document/assemble-chunks.ts';
import { chooseExtractor, type ContestedMedium, contestOf } from './choose-extractor.ts';
import { hashPolicy } from '../domain/policy-hash.ts';
import { chunkerFingerprint, parserFingerprint, withFallback, type SourceDefaults } from './stage-fingerprints.ts';

/** Part of fingerprints, because other rules find other secrets. */
const SECRET_RULES = 'secretlint@12.0.0';

/** The extractor and the chunker of a medium. */
export interface Pipeline {
  readonly extractor: Extractor;
  readonly plugin: NamedPlugin;
  readonly chunkerId: string;
  /** Whether the configuration names the chunker, rather than the extractor. */
  readonly isConfigured: boolean;
}

/** The dependencies of {@link Pipelines}. */
export interface PipelinesInit extends Pick<Ports, 'extractors' | 'chunkers'> {
  readonly config: ResolvedConfig;
  /** The version of the analysis of index text. */
  readonly indexVersion: string;
  /** Called once for each medium that extractors of several configured plugins match equally closely. */
  readonly onContested?: ((contested: ContestedMedium) => void) | undefined;
}

/**
 * Selects the extractor and chunker of each file, and computes their fingerprints. Extractors are tried in order of preference; chunkers
 * are loaded by {@link Pipelines.prepare}.
 */
export class Pipelines {
  readonly policy: ChunkPolicy;
  readonly #init: PipelinesInit;
  readonly #extractors: readonly Extractor[];
  readonly #byMedia = new Map<string, Pipeline | null>();
  readonly #chunkers = new Map<string, Chunker | KebabError>();
  readonly #fingerprints = new Map<string, StageFingerprints>();
  readonly #labels = new Map<string, ChunkingLabels>();

  private constructor(init: PipelinesInit, extractors: readonly Extractor[]) {
    this.#init = init;
    this.#extractors = extractors;
    this.policy = chunkPolicyOf(init.config);
  }

  static async open(init: PipelinesInit): Promise<Pipelines> {
    return new Pipelines(init, await init.extractors.all());
  }

  /** The pipeline of a medium; null if no active extractor supports it. */
  of(media: MediaType): Pipeline | null {
    const key = mediaKey(media);
    let pipeline = this.#byMedia.get(key);
    if (pipeline === undefined) {
      pipeline = this.#find(media);
      this.#byMedia.set(key, pipeline);
    }
    return pipeline;
  }

  /**
   * Loads the chunkers of these files and the given fallback chunkers. A chunker that cannot be loaded fails only its own files. Throws
   * `plugin_incompatible` if a configured chunker supports none of the spans of its files.
   */
  async prepare(files: readonly SourceFile[], fallbackChunkers: Iterable<string | null>): Promise<void> {
    const media = new Set<MediaType>();
    for (const { mediaType } of files) media.add(mediaType);
    const ids = new Set<string>();
    for (const one of media) ids.add(this.of(one)?.chunkerId ?? '');
    for (const id of fallbackChunkers) ids.add(id ?? '');
    ids.delete('');
    for (const id of ids) await this.#load(id);
    for (const one of media) this.#requireFit(this.of(one));
  }

  #requireFit(pipeline: Pipeline | null): void {
    const chunker = this.#chunkers.get(pipeline?.chunkerId ?? '');
    if (pipeline?.isConfigured !== true || chunker === undefined || isKebabError(chunker)) return;
    const { spans = [] } = pipeline.extractor;
    const mismatch = spanMismatch(chunker, spans, this.named(chunker.id).chunkerPlugin.name);
    if (mismatch !== null) throw mismatch;
  }

  /** The labels for chunks of a chunker. Throws the reason if the chunker cannot be loaded. */
  async labels(chunkerId: string): Promise<ChunkingLabels> {
    const known = this.#labels.get(chunkerId);
    if (known !== undefined) return known;
    const chunker = await this.#load(chunkerId);
    if (isKebabError(chunker)) throw chunker;
    const labels = { chunkerVersion: chunker.id, policyHash: hashPolicy(this.policy, chunker.reads) };
    this.#labels.set(chunkerId, labels);
    return labels;
  }

  /** The chunker for a stored document: the fallback that its extractor named, or that of its medium. */
  chunkerFor(pipeline: Pipeline, known: KnownDocument): string {
    return known.fingerprints.fallbackChunker ?? pipeline.chunkerId;
  }

  /** A chunker with the plugin that contributes it. */
  named(chunkerId: string): NamedChunker {
    return { chunkerId, chunkerPlugin: pluginOf(this.#init.chunkers.names(), chunkerId) };
  }

  /** Whether a chunker may only run in a sandbox. */
  isSandboxed(chunkerId: string): boolean {
    const named = this.#init.chunkers.names().find(({ id }) => id === chunkerId);
    return named?.policy.isolation === 'sandboxed';
  }

  /** The fingerprints that a stored document would get if it were processed now. Its chunkers must have been prepared. */
  expected(media: MediaType, defaults: SourceDefaults, known: KnownDocument): StageFingerprints {
    const pipeline = this.of(media);
    if (pipeline === null) return known.fingerprints;
    return this.fingerprints(pipeline, { media, defaults, chunkerId: this.chunkerFor(pipeline, known) });
  }

  /** The fingerprints of a document chunked by `chunkerId`. */
  fingerprints(
    pipeline: Pipeline,
    made: { readonly media: MediaType; readonly defaults: SourceDefaults; readonly chunkerId: string },
  ): StageFingerprints {
    const { trustLevel, sourceType } = made.defaults;
    const key = `${mediaKey(made.media)} ${trustLevel} ${sourceType} ${made.chunkerId}`;
    let fingerprints = this.#fingerprints.get(key);
    if (fingerprints === undefined) {
      const parser = this.#guarded(parserFingerprint(pipeline.extractor, made.media, made.defaults));
      fingerprints = {
        parser,
        chunker: this.#chunkedBy(made.chunkerId, pipeline.chunkerId) + this.#scope(made.media),
        embedding: null,
        fallbackChunker: made.chunkerId === pipeline.chunkerId ? null : made.chunkerId,
        unread: [],
        hasSecrets: false,
      };
      this.#fingerprints.set(key, fingerprints);
    }
    return fingerprints;
  }

  /** Redacting secrets changes the text, as another parser version would, so it is part of the parser fingerprint. */
  #guarded(fingerprint: string): string {
    const { secrets } = this.#init.config.indexing;
    return secrets === 'allow' ? fingerprint : `${fingerprint}+${secrets}:${SECRET_RULES}`;
  }

  /** Whether generated code is indexed whole decides which of its chunks exist. */
  #scope({ kind }: MediaType): string {
    return kind === 'code' && !this.#init.config.code.skipGenerated ? '+generated' : '';
  }

  #chunkedBy(id: string, plannedId: string): string {
    const planned = this.#chunkerFingerprint(plannedId);
    return id === plannedId ? planned : withFallback(planned, { id, fingerprint: this.#chunkerFingerprint(id) });
  }

  #chunkerFingerprint(id: string): string {
    const chunker = this.#chunkers.get(id);
    if (chunker === undefined || isKebabError(chunker)) return id;
    return chunkerFingerprint(chunker, this.policy, this.#init.indexVersion);
  }

  #find(media: MediaType): Pipeline | null {
    const extractor = chooseExtractor(this.#extractors, media);
    if (extractor === undefined) return null;
    const { extractors, config, onContested } = this.#init;
    const names = extractors.names();
    const contested =
      onContested === undefined ? null : contestOf(media, extractor, { extractors: this.#extractors, names });
    if (contested !== null) onContested?.(contested);
    const configured = configuredChunker(media, config.chunking);
    return {
      extractor,
      plugin: pluginOf(names, extractor.id),
      chunkerId: configured ?? extractor.chunkerId(media),
      isConfigured: configured !== null,
    };
  }

  async #load(id: string): Promise<Chunker | KebabError> {
    const loaded = this.#chunkers.get(id);
    if (loaded !== undefined) return loaded;
    const chunker = await this.#init.chunkers.get(id).catch((error: unknown) => classifyError(error));
    this.#chunkers.set(id, chunker);
    return chunker;
  }
}

/** The chunker configured for a medium, which takes precedence over the extractor's choice; null if none is. */
function configuredChunker({ kind }: MediaType, chunking: ResolvedConfig['chunking']): string | null {
  const named = Object.hasOwn(chunking.chunker, kind) ? chunking.chunker[kind as keyof typeof chunking.chunker] : '';
  if (named !== '') return named;
  return kind === 'markdown' ? chunking.chunkerVersion : null;
}

/** The chunk policy of a configuration. */
function chunkPolicyOf({ chunking, code }: Pick<ResolvedConfig, 'chunking' | 'code'>): ChunkPolicy {
  return {
    targetTokens: chunking.targetTokens,
    overlapTokens: chunking.overlapTokens,
    maxChunkTokens: chunking.maxChunkTokens,
    respectMarkdownHeadings: chunking.respectMarkdownHeadings,
    maxUnitLines: code.maxUnitLines,
    windowLines: code.windowLines,
    windowOverlapLines: code.windowOverlapLines,
  };
}
