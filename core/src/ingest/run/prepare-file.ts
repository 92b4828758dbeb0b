import { setImmediate } from 'node:timers/promises';
import type { IndexMaterial, IndexText } from '../../analysis/index-text.ts';
import type { DocumentWrite, KnownDocument, StageFingerprints } from '../../contracts/document-store.ts';
import type { PictureUse } from '../../contracts/extractor.ts';
import type { CanonicalDocument, RawAsset } from '../../domain/document.ts';
import type { Media } from '../../domain/kinds.ts';
import type { ExtractWarning } from '../../domain/metadata.ts';
import { mintAssetId } from '../../domain/minted-ids.ts';
import { throwIfCancelled } from '../../errors/abort.ts';
import { classifyError } from '../../errors/classify-error.ts';
import { isKebabError, type KebabError } from '../../errors/kebab-error.ts';
import { assembleChunks } from '../../extraction/document/assemble-chunks.ts';
import { oversizeChunk } from '../../extraction/document/check-promises.ts';
import type { Extraction } from '../../extraction/extraction-job.ts';
import { EXTERNAL } from '../../documents/source-roots.ts';
import { type PictureStage, type ReadFile, losesReadings } from '../pictures/picture-step.ts';
import type { Pipeline } from '../../extraction/pipelines.ts';
import type { IngestContext } from '../ingest-context.ts';
import { decideByContent, type FileAction } from '../plan-ingest.ts';
import { pluginFailure } from '../../plugin/plugin-failure.ts';
import { saysGenerated } from '../scan/generated-header.ts';
import { type FileCounter, skipByContent } from '../scan/ignore-rules.ts';
import type { WalkedSource } from './scan-sources.ts';
import { DocumentPartsFinder, isFileUri, storeAsset } from './document-parts.ts';
import { HOST_AGENT } from './report-builder.ts';

/** Media whose pictures no model reads. Reading pictures is slow, so other media are processed few at a time. */
export const LIGHT_MEDIA: ReadonlySet<Media> = new Set(['markdown', 'text', 'code']);

/** After analysing this many chunks of a document the event loop runs. */
const CHUNKS_PER_TURN = 16;
/** A cancelled run keeps analysing the document in flight for at least this long, even if its caller allows less. */
const MIN_GRACE_MS = 800;

/** A file that must be read or chunked again. */
export type FileTask = Exclude<FileAction, { readonly kind: 'unchanged' }> & {
  readonly source: WalkedSource;
  /** Called when a model begins to read a picture of the file. */
  readonly onStage: (stage: PictureStage) => void;
};

/** The result of preparing one file. */
export type FileOutcome =
  | {
      readonly kind: 'ready';
      readonly document: DocumentWrite;
      readonly warnings: readonly ExtractWarning[];
      /** Number of pictures that OCR was applied to; null when no picture was to be read. */
      readonly ocrPages: number | null;
      /** Whether it has pictures that look like text but no model was available to read them. */
      readonly isUnread: boolean;
      /** Whether a program wrote it, so that only its beginning is indexed. */
      readonly isGenerated: boolean;
    }
  /** Its bytes equal the stored ones, whatever its size and time. */
  | { readonly kind: 'unchanged'; readonly known: KnownDocument }
  | { readonly kind: 'skipped'; readonly counter: FileCounter }
  /** The run was cancelled before the file was finished. */
  | { readonly kind: 'interrupted' }
  /** `agent` is the failing component with its version, as `name@version`. */
  | { readonly kind: 'failed'; readonly error: KebabError; readonly agent: string };

/** Prepares files up to the data that is written, one or several at a time. Failures are outcomes, not exceptions. */
export class FilePreparation {
  readonly #context: IngestContext;
  readonly #parts: DocumentPartsFinder;
  /** Aborts `graceMs` after the run is cancelled, so that documents in flight can be finished. */
  readonly #signal: AbortSignal;
  readonly #graceMs: number;

  constructor(context: IngestContext) {
    const { graceMs = 0 } = context.options;
    this.#context = context;
    this.#parts = new DocumentPartsFinder(context);
    this.#signal = graceMs === 0 ? context.call.signal : delayed(context.call.signal, graceMs);
    this.#graceMs = Math.max(MIN_GRACE_MS, graceMs);
  }

  async prepare(task: FileTask): Promise<FileOutcome> {
    const pipeline = this.#context.pipelines.of(task.file.mediaType);
    try {
      if (pipeline === null) throw new Error(`no active extractor reads ${task.file.workspacePath}`);
      const at = this.#context.clock.now();
      return task.kind === 'rechunk'
        ? await this.#rechunk(task, { pipeline, known: task.known, at })
        : await this.#read(task, pipeline, at);
    } catch (caught) {
      const error = classifyError(caught, { operation: 'ingest' });
      if (this.#context.call.signal.aborted && isKebabError(error, 'cancelled')) return { kind: 'interrupted' };
      return { kind: 'failed', error, agent: agentOf(error, pipeline) };
    }
  }

  async #read(task: FileTask, pipeline: Pipeline, at: Date): Promise<FileOutcome> {
    const { pipelines, pictures, config, call, options } = this.#context;
    const force = options.forceReingest ?? false;
    const { source, file, known } = task;
    const bytes = await source.connector.read(file, { ...call, signal: this.#signal });
    // Files added by hand are wanted, and were checked when they were added.
    const counter = source.id === EXTERNAL ? null : skipByContent(bytes, file.mediaType, config);
    if (counter !== null) return { kind: 'skipped', counter };
    const { assetId, checksum } = mintAssetId(bytes);
    let waiting: readonly PictureUse[] = [];
    if (known !== null) {
      const fingerprints = pipelines.expected(file.mediaType, source.defaults, known);
      const decision = decideByContent(known, { checksum, fingerprints, force });
      if (decision === 'unchanged') return { kind: 'unchanged', known };
      if (decision === 'rechunk') return this.#rechunk(task, { pipeline, known, at });
      if (known.checksum === checksum && !force) waiting = pendingUses(known.fingerprints, fingerprints);
      if (waiting.length > 0 && pictures.cannotRead(waiting)) return { kind: 'unchanged', known };
    }
    const stored = storeAsset({ file, bytes, assetId, checksum }, config.storage);
    const asset = assetOf(task, { assetId, checksum, byteLen: bytes.length, stored, discoveredAt: at });
    const host = this.#mayStay(pipeline, bytes) ? this.#context.inline : this.#context.isolated;
    const { extractor, plugin, chunkerId } = pipeline;
    const parts = await this.#parts.find(task, asset, extractor.parserVersion(file.mediaType));
    const { secrets } = config.indexing;
    const job = {
      extractorId: extractor.id,
      plugin,
      ...pipelines.named(chunkerId),
      policy: pipelines.policy,
      bytes,
      parts,
      ...(secrets === 'allow' ? {} : { redacts: true }),
    };
    const signal = this.#signal;
    const renderer = `${extractor.id}@${extractor.version}`;
    const { onStage } = task;
    const read = await pictures.complete(await host.extract(job, signal), { job, host, renderer, signal, onStage });
    if (secrets === 'skip' && read.extraction.hasSecrets === true) return { kind: 'skipped', counter: 'secrets' };
    const isAsBefore = waiting.length > 0 && read.fresh === 0 && waiting.join() === read.unread.toSorted().join();
    if (known !== null && isAsBefore) return { kind: 'unchanged', known };
    const mayKeepReadings = known?.checksum === checksum && !WITHOUT_PICTURES.has(file.mediaType.kind);
    if (known !== null && mayKeepReadings && (await this.#losesReadings(known, read)))
      return this.#rechunk(task, { pipeline, known, at, instead: read });
    const { extraction, unread, ocrPages } = read;
    return this.#finish(task, { ...extraction, unread, ocrPages, isUnread: staysUnread(read), asset, pipeline, at });
  }

  #mayStay({ extractor, chunkerId }: Pipeline, bytes: Uint8Array): boolean {
    return extractor.isolation === 'inline' && isBoundedText(bytes) && !this.#context.pipelines.isSandboxed(chunkerId);
  }

  /** Whether a new extraction would lose text that was read from pictures; the bytes are equal, so the stored text still holds. */
  async #losesReadings(known: KnownDocument, { extraction }: ReadFile): Promise<boolean> {
    const stored = await this.#context.store.getCanonicalDocument(known.docId);
    const isSameParser = stored?.parserVersion === extraction.document.parserVersion;
    return stored !== null && isSameParser && losesReadings(stored, extraction);
  }

  /** Chunks a stored document again: because only the chunker changed, or because a new extraction (`instead`) read less. */
  async #rechunk(task: FileTask, { pipeline, known, at, instead }: StoredDocument): Promise<FileOutcome> {
    const { store, inline, isolated, pipelines } = this.#context;
    const stored = await store.getCanonicalDocument(known.docId);
    if (stored === null) return this.#read({ ...task, kind: 'read', known: null }, pipeline, at);
    const chunkerId = pipelines.chunkerFor(pipeline, known);
    const host = pipelines.isSandboxed(chunkerId) ? isolated : inline;
    const job = { document: stored, ...pipelines.named(chunkerId), policy: pipelines.policy };
    const chunked = await host.chunk(job, this.#signal);
    const { assetId, checksum } = known;
    const reference = { kind: 'reference', path: task.file.uri, checksum } as const;
    const asset = assetOf(task, { assetId, checksum, byteLen: task.file.size, stored: reference, discoveredAt: at });
    const provenance = stored.provenance.filter(({ kind }) => kind !== 'chunked');
    const document = { ...stored, provenance, docVersion: known.docVersion + 1 };
    const unread = instead?.unread ?? [];
    const warnings = instead?.extraction.warnings.filter(({ kind }) => FAILED_READING.has(kind)) ?? [];
    const { hasSecrets } = known.fingerprints;
    const made = { unread, warnings, hasSecrets, ocrPages: null, isUnread: false, asset, pipeline, at };
    return this.#finish(task, { document, ...chunked, ...made });
  }

  /** Throws `plugin_failed` for a chunk that is larger than the chunker may make it. */
  async #finish({ source, file }: FileTask, made: MadeDocument): Promise<FileOutcome> {
    const { pipelines } = this.#context;
    const { chunkerId, pipeline, document, asset, at, warnings, ocrPages, isUnread } = made;
    const labels = await pipelines.labels(chunkerId);
    const isGenerated = this.#isGenerated(source, document);
    const drafts = isGenerated ? made.drafts.slice(0, 1) : made.drafts;
    const { chunks, material } = assembleChunks(document, drafts, labels);
    const oversize = oversizeChunk(chunks, pipelines.policy.maxChunkTokens);
    if (oversize !== null) {
      const plugin = pipelines.named(chunkerId).chunkerPlugin;
      const site = { plugin, kind: 'chunker', stage: 'chunk', path: document.workspacePath };
      throw pluginFailure(new Error(oversize), site);
    }
    const { mediaType: media, size, mtimeNs } = file;
    const event = { at, agent: chunkerId, kind: 'chunked', note: labels.chunkerVersion } as const;
    const write: DocumentWrite = {
      asset,
      document: { ...document, provenance: [...document.provenance, event] },
      chunks,
      index: await this.#analyse(material),
      fingerprints: {
        ...pipelines.fingerprints(pipeline, { media, defaults: source.defaults, chunkerId }),
        unread: made.unread.toSorted(),
        hasSecrets: made.hasSecrets === true,
      },
      chunkerVersion: labels.chunkerVersion,
      file: { size, mtimeNs },
      committedAt: at,
    };
    return { kind: 'ready', document: write, warnings, ocrPages, isUnread, isGenerated };
  }

  /** Whether only the beginning of a document is indexed, so that it is found by its name and can be read. */
  #isGenerated({ id }: WalkedSource, { mediaType, text }: CanonicalDocument): boolean {
    const { skipGenerated } = this.#context.config.code;
    return skipGenerated && mediaType.kind === 'code' && id !== EXTERNAL && saysGenerated(text);
  }

  /** Yields to the event loop while a long document is analysed; a cancelled run finishes it unless that exceeds the grace period. */
  async #analyse(material: readonly IndexMaterial[]): Promise<readonly IndexText[]> {
    const { lexical, call } = this.#context;
    const { signal } = call;
    const index: IndexText[] = [];
    let cancelledAt: number | undefined;
    for (const one of material) {
      index.push(lexical.analyseChunk(one));
      if (index.length % CHUNKS_PER_TURN !== 0) continue;
      await setImmediate();
      if (signal.aborted) cancelledAt ??= performance.now();
      if (cancelledAt !== undefined && performance.now() - cancelledAt > this.#graceMs)
        throwIfCancelled(signal, 'ingest');
    }
    return index;
  }
}

/** A document with everything that is stored about how it was made. */
interface MadeDocument extends Omit<Extraction, 'pictures'>, Pick<ReadFile, 'unread' | 'ocrPages'> {
  readonly isUnread: boolean;
  readonly asset: RawAsset;
  readonly pipeline: Pipeline;
  readonly at: Date;
}

/** A stored document to be chunked again; `instead` is the new extraction that it is kept in place of. */
interface StoredDocument extends Pick<MadeDocument, 'pipeline' | 'at'> {
  readonly known: KnownDocument;
  readonly instead?: ReadFile | undefined;
}

/** Media whose files contain no embedded pictures. */
const WITHOUT_PICTURES: ReadonlySet<Media> = new Set(['markdown', 'code']);
const FAILED_READING: ReadonlySet<string> = new Set(['ocr_failed', 'caption_failed']);

/** A signal that aborts `ms` after the given one. */
function delayed(signal: AbortSignal, ms: number): AbortSignal {
  const controller = new AbortController();
  const fire = (): void => void setTimeout(() => controller.abort(signal.reason), ms).unref();
  if (signal.aborted) fire();
  else signal.addEventListener('abort', fire, { once: true });
  return controller.signal;
}

/** Whether a document still has unread pictures that look like text. */
function staysUnread({ extraction: { document, warnings }, ocrPages, unread }: ReadFile): boolean {
  return unread.length > 0 || (ocrPages === null && looksUnread(document, warnings));
}

/** Whether a document none of whose pictures was read has pictures that look like text. */
function looksUnread(document: CanonicalDocument, warnings: readonly ExtractWarning[]): boolean {
  if (document.mediaType.kind !== 'image') return warnings.some(({ kind }) => kind === 'scanned_candidate');
  return document.blocks.every((block) => block.kind === 'imageref' && block.ocr === null && block.caption === null);
}

/** The picture uses that a stored document still lacks, if its parser and chunker are otherwise up to date. */
function pendingUses(known: StageFingerprints, expected: StageFingerprints): readonly PictureUse[] {
  return known.parser === expected.parser && known.chunker === expected.chunker ? known.unread : [];
}

function assetOf(
  { source, file }: FileTask,
  {
    assetId,
    checksum,
    byteLen,
    stored,
    discoveredAt,
  }: Omit<RawAsset, 'sourceId' | 'sourceUri' | 'workspacePath' | 'mediaType'>,
): RawAsset {
  return {
    sourceId: source.id,
    sourceUri: isFileUri(file.uri) ? { file: file.uri } : { kb: file.uri },
    workspacePath: file.workspacePath,
    mediaType: file.mediaType,
    assetId,
    checksum,
    byteLen,
    stored,
    discoveredAt,
  };
}

function agentOf(error: KebabError, pipeline: Pipeline | null): string {
  if (isKebabError(error, 'plugin_failed')) return `${error.details.plugin}@${error.details.version}`;
  const isOurs = pipeline === null || isKebabError(error, 'io_error') || isKebabError(error, 'cancelled');
  return isOurs ? HOST_AGENT : `${pipeline.plugin.name}@${pipeline.plugin.version}`;
}

/** The worst-case text of this size parses in less than a second and 90 MiB in a cold process (decision 42). */
const SMALL_BYTES = 64 * 1024;
/** A longer text stays within that cost if it has at most `MAX_LINES` lines, because every block begins on a line of its own. */
const MAX_BYTES = 512 * 1024;
const MAX_LINES = 16_384;
const NEWLINE = 0x0a;

/** Whether a built-in text extractor parses this text in little time and memory, whatever its content. */
function isBoundedText(bytes: Uint8Array): boolean {
  if (bytes.length <= SMALL_BYTES) return true;
  if (bytes.length > MAX_BYTES) return false;
  let lines = 1;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines <= MAX_LINES;
}
