import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { CallContext, Clock } from '../../contracts/contribution.ts';
import type { DocumentStore, DocumentWrite, KnownDocument } from '../../contracts/document-store.ts';
import type { LexicalIndex } from '../../contracts/lexical-index.ts';
import type { RawAsset } from '../../domain/asset.ts';
import type { CanonicalDocument } from '../../domain/document.ts';
import { mintAssetId } from '../../domain/ids.ts';
import { KEBAB_VERSION } from '../../domain/versions.ts';
import { classifyError } from '../../errors/classify-error.ts';
import { isKebabError, type KebabError } from '../../errors/kebab-error.ts';
import { assembleChunks } from '../document/assemble-chunks.ts';
import { oversizeChunk } from '../document/check-promises.ts';
import type { Extraction, ExtractionHost } from '../extraction/extraction-job.ts';
import type { InlineExtraction } from '../extraction/inline-extraction.ts';
import { EXTERNAL } from '../external-folder.ts';
import type { Pipeline, Pipelines } from '../pipelines.ts';
import { decideByContent } from '../plan-ingest.ts';
import { skipByContent } from '../scan/skip-rules.ts';
import { DocumentPartsFinder } from './document-parts.ts';
import type { FileOutcome, FileTask } from './file-task.ts';
import { isFileUri, storeAsset } from './store-asset.ts';

/** What preparing files takes. */
export interface PreparationTools {
  readonly pipelines: Pipelines;
  readonly inline: InlineExtraction;
  /** For extractors that run in a thread of their own. */
  readonly isolated: ExtractionHost;
  readonly store: DocumentStore;
  readonly lexical: LexicalIndex;
  readonly config: ResolvedConfig;
  readonly clock: Clock;
  readonly context: CallContext;
  readonly force: boolean;
}

/** What fails when no plugin does. */
export const HOST_AGENT = `kebab@${KEBAB_VERSION}`;

/** Takes files all the way to what is to be written, one at a time or several at once. Failures are outcomes. */
export class FilePreparation {
  readonly #tools: PreparationTools;
  readonly #parts: DocumentPartsFinder;

  constructor(tools: PreparationTools) {
    this.#tools = tools;
    this.#parts = new DocumentPartsFinder(tools.store);
  }

  async prepare(task: FileTask): Promise<FileOutcome> {
    const pipeline = this.#tools.pipelines.of(task.file.mediaType);
    try {
      if (pipeline === null) throw new Error(`no active extractor takes ${task.file.workspacePath}`);
      const at = this.#tools.clock.now();
      return task.rechunkOnly && task.known !== null
        ? await this.#rechunk(task, { pipeline, known: task.known, at })
        : await this.#read(task, pipeline, at);
    } catch (caught) {
      const error = classifyError(caught, { operation: 'ingest' });
      return { kind: 'failed', error, agent: agentOf(error, pipeline) };
    }
  }

  async #read(task: FileTask, pipeline: Pipeline, at: Date): Promise<FileOutcome> {
    const { pipelines, config, context, force } = this.#tools;
    const { source, file, known } = task;
    const bytes = await source.connector.read(file, context);
    // What was brought in by hand is wanted, and was checked then.
    const counter = source.id === EXTERNAL ? null : skipByContent(bytes, file.mediaType, config);
    if (counter !== null) return { kind: 'skipped', counter };
    const { assetId, checksum } = mintAssetId(bytes);
    if (known !== null) {
      const fingerprints = pipelines.expected(file.mediaType, source.defaults, known);
      const decision = decideByContent(known, { checksum, fingerprints, force });
      if (decision === 'unchanged') return { kind: 'unchanged', known, at };
      if (decision === 'rechunk') return this.#rechunk(task, { pipeline, known, at });
    }
    const stored = storeAsset({ file, bytes, assetId, checksum }, config.storage);
    const asset = { ...assetOf(task, at), assetId, checksum, byteLen: bytes.length, stored };
    const host = pipeline.extractor.isolation === 'worker' ? this.#tools.isolated : this.#tools.inline;
    const { extractor, plugin, chunkerId } = pipeline;
    const parts = await this.#parts.find(task, asset, extractor.parserVersion(file.mediaType));
    const job = { extractorId: extractor.id, plugin, chunkerId, policy: pipelines.policy, bytes, parts };
    return this.#finish(task, { ...(await host.extract(job, context.signal)), asset, pipeline, at });
  }

  /** Cuts a document anew from what the store holds of it. */
  async #rechunk(
    task: FileTask,
    { pipeline, known, at }: { readonly pipeline: Pipeline; readonly known: KnownDocument; readonly at: Date },
  ): Promise<FileOutcome> {
    const { store, inline, pipelines } = this.#tools;
    const stored = store.getCanonicalDocument(known.docId);
    if (stored === null) return this.#read({ ...task, known: null, rechunkOnly: false }, pipeline, at);
    const cut = await inline.cut(stored, pipelines.chunkerFor(pipeline, known), pipelines.policy);
    const { assetId, checksum } = known;
    const reference = { kind: 'reference', path: task.file.uri, checksum } as const;
    const asset = { ...assetOf(task, at), assetId, checksum, byteLen: task.file.size, stored: reference };
    const provenance = stored.provenance.filter(({ kind }) => kind !== 'chunked');
    const document = { ...stored, provenance, docVersion: known.docVersion + 1 };
    return this.#finish(task, { document, ...cut, warnings: [], asset, pipeline, at });
  }

  async #finish(
    { source, file }: FileTask,
    made: Extraction & { readonly asset: RawAsset; readonly pipeline: Pipeline; readonly at: Date },
  ): Promise<FileOutcome> {
    const { pipelines, lexical } = this.#tools;
    const { asset, at, chunkerId, drafts, pipeline, warnings } = made;
    const labels = await pipelines.labels(chunkerId);
    const { chunks, material } = assembleChunks(made.document, drafts, labels);
    const oversize = oversizeChunk(chunks, pipelines.policy.maxChunkTokens);
    if (oversize !== null) throw pipelines.chunkerFailure(chunkerId, { cause: oversize, path: file.workspacePath });
    const document = withChunked(made.document, { at, agent: chunkerId, note: labels.chunkerVersion });
    const write: DocumentWrite = {
      asset,
      document,
      chunks,
      index: material.map((one) => lexical.analyseChunk(one)),
      fingerprints: pipelines.fingerprints(pipeline, { media: file.mediaType, defaults: source.defaults, chunkerId }),
      chunkerVersion: labels.chunkerVersion,
      file: { size: file.size, mtimeNs: file.mtimeNs },
      committedAt: at,
    };
    return { kind: 'ready', write, warnings };
  }
}

function assetOf({ source, file }: FileTask, at: Date): Omit<RawAsset, 'assetId' | 'checksum' | 'byteLen' | 'stored'> {
  return {
    sourceId: source.id,
    sourceUri: isFileUri(file.uri) ? { file: file.uri } : { kb: file.uri },
    workspacePath: file.workspacePath,
    mediaType: file.mediaType,
    discoveredAt: at,
  };
}

function withChunked(
  document: CanonicalDocument,
  event: { readonly at: Date; readonly agent: string; readonly note: string },
): CanonicalDocument {
  return { ...document, provenance: [...document.provenance, { ...event, kind: 'chunked' }] };
}

function agentOf(error: KebabError, pipeline: Pipeline | null): string {
  if (isKebabError(error, 'plugin_failed')) return `${error.details.plugin}@${error.details.version}`;
  const isOurs = pipeline === null || isKebabError(error, 'io_error') || isKebabError(error, 'cancelled');
  return isOurs ? HOST_AGENT : `${pipeline.plugin.name}@${pipeline.plugin.version}`;
}
