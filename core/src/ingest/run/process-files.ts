import { setImmediate } from 'node:timers/promises';
import type { DocumentStore, DocumentWrite, KnownDocument, PreparedDocument } from '../../contracts/document-store.ts';
import type { FileStat } from '../../contracts/source-connector.ts';
import type { DocumentId } from '../../domain/ids.ts';
import { classifyError } from '../../errors/classify-error.ts';
import { isKebabError, type KebabError } from '../../errors/kebab-error.ts';
import type { IngestItem } from '../../wire/index.ts';
import { failureKey, type IngestContext } from '../ingest-context.ts';
import { type FileAction, isEmbedded } from '../plan-ingest.ts';
import { type FileOutcome, FilePreparation, type FileTask, LIGHT_MEDIA } from './prepare-file.ts';
import { HOST_AGENT } from './report-builder.ts';
import type { WalkedSource } from './scan-sources.ts';

/** How many files may be in flight beyond the width, and how many bytes in total: processes stay busy while documents are written. */
const MAX_AHEAD = 6;
const MAX_AHEAD_BYTES = 1_048_576;
/** When the next file takes longer than this, the documents prepared before it are written. */
const FLUSH_AFTER_MS = 500;
/** After this many unchanged files the event loop runs, so that signals and timers are handled; after a file that was read it runs anyway. */
const UNCHANGED_PER_TURN = 256;

/** A file being prepared; `idx` is its number in the run, from 1. */
interface FileInFlight {
  readonly idx: number;
  readonly task: FileTask;
  outcome: Promise<FileOutcome>;
  /** Whether the outcome has settled, so that awaiting it needs no timer. */
  isPrepared: boolean;
}

/**
 * Carries out the plans of sources one after another. Files are prepared several at a time, written in groups, and reported in order.
 * After a cancellation no further file is started; those in flight are finished and written.
 */
export class FileProcessing {
  readonly #context: IngestContext;
  readonly #preparation: FilePreparation;
  /** How many files are prepared at a time, not counting the lookahead. */
  readonly #width: number;
  readonly #batch: CommitBatch;
  readonly #inFlight: FileInFlight[] = [];
  /** The documents of the current source that equal their files; `file` is null if its size and time are as stored. */
  #unchanged: { readonly docId: DocumentId; readonly file: FileStat | null }[] = [];
  #idx = 0;

  constructor(context: IngestContext) {
    this.#context = context;
    this.#preparation = new FilePreparation(context);
    this.#width = context.config.indexing.maxParallelExtractors;
    this.#batch = new CommitBatch(context);
  }

  /** Processes the files of one source. */
  async process(source: WalkedSource, actions: readonly FileAction[]): Promise<void> {
    const { call, clock } = this.#context;
    const startedAt = clock.now();
    for (const [at, action] of actions.entries()) {
      if (call.signal.aborted) break;
      if (action.kind === 'unchanged') this.#reportUnchanged(source, action);
      else this.#begin(source, action);
      while (this.#inFlight[0]?.isPrepared === true || this.#isFull()) await this.#settle();
      if (action.kind !== 'unchanged' || at % UNCHANGED_PER_TURN === 0) await setImmediate();
    }
    while (this.#inFlight.length > 0) await this.#settle();
    await this.#batch.flush();
    await this.#touchUnchanged(startedAt);
  }

  /** Whether no further file may be started: more than the width may be in flight as long as they are small. */
  #isFull(): boolean {
    const files = this.#inFlight.map(({ task }) => task.file);
    if (files.length < this.#width) return false;
    if (this.#width === 1 || files.some(({ mediaType }) => !LIGHT_MEDIA.has(mediaType.kind))) return true;
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    return files.length >= this.#width + MAX_AHEAD || bytes >= MAX_AHEAD_BYTES;
  }

  /** Reports a file that is not read. A fast path of its own, because a run may consist of thousands of these. */
  #reportUnchanged(source: WalkedSource, { file, known }: Extract<FileAction, { kind: 'unchanged' }>): void {
    const { progress, report } = this.#context;
    const kind = this.#kindOfEqual(known);
    this.#unchanged.push({ docId: known.docId, file: null });
    if (report.names(kind)) report.record(itemOf(kind, { source, file, known }));
    else report.count(kind);
    progress.assetLeft(++this.#idx, file, kind);
  }

  #begin(source: WalkedSource, action: Exclude<FileAction, { kind: 'unchanged' }>): void {
    const { progress } = this.#context;
    const { file } = action;
    const idx = ++this.#idx;
    progress.assetStarted(idx, file.workspacePath, file.mediaType.kind);
    const task: FileTask = { source, ...action, onStage: (stage) => progress.assetStage(idx, stage) };
    const inFlight: FileInFlight = { idx, task, outcome: this.#preparation.prepare(task), isPrepared: false };
    inFlight.outcome = this.#timed(inFlight);
    this.#inFlight.push(inFlight);
  }

  /** Measures how long preparing a file takes; its report may come much later, because files are reported in order. */
  async #timed(file: FileInFlight): Promise<FileOutcome> {
    const started = performance.now();
    const outcome = await file.outcome;
    this.#context.progress.assetTook(file.idx, performance.now() - started);
    file.isPrepared = true;
    return outcome;
  }

  async #settle(): Promise<void> {
    const first = this.#inFlight.shift();
    if (first === undefined) return;
    const { idx, task } = first;
    const { source, file, known } = task;
    const outcome = await (first.isPrepared ? first.outcome : this.#flushingMeanwhile(first.outcome));
    switch (outcome.kind) {
      case 'unchanged':
        this.#unchanged.push({ docId: outcome.known.docId, file });
        return this.#report(idx, itemOf(this.#kindOfEqual(outcome.known), { source, file, known }));
      case 'skipped':
        this.#context.report.skip(source.id, file.workspacePath, outcome.counter);
        if (outcome.counter === 'secrets' && known !== null) await this.#forget(known, source.id);
        return this.#context.progress.assetFinished(idx, 'skipped', 0);
      case 'interrupted':
        return this.#context.progress.assetFinished(idx, 'skipped', 0);
      case 'failed':
        return this.#fail(first, outcome);
      case 'ready': {
        const item = writtenItem(task, outcome); // built here so that the callback does not retain the document
        const { isUnread, isGenerated } = outcome;
        return this.#batch.add(outcome.document, (error) => {
          if (error !== null) return this.#fail({ idx, task }, { kind: 'failed', error, agent: HOST_AGENT });
          if (isUnread) this.#context.report.leftUnread();
          if (isGenerated) this.#context.report.indexedByName(file.workspacePath);
          this.#report(idx, item);
        });
      }
      default:
        return outcome satisfies never;
    }
  }

  /** Deletes the stored document of a file in which secrets were found only now. */
  async #forget({ docId, assetId, workspacePath }: KnownDocument, sourceId: string): Promise<void> {
    await this.#batch.flush();
    await this.#context.writer.transaction((tx) => tx.deleteDocument(docId));
    const names = { doc_path: workspacePath, source_id: sourceId, doc_id: docId, asset_id: assetId };
    this.#context.report.record({ kind: 'purged', ...names });
  }

  /** Awaits an outcome; if it takes long, pending documents are written and reported in the meantime. */
  async #flushingMeanwhile(outcome: Promise<FileOutcome>): Promise<FileOutcome> {
    let timer: NodeJS.Timeout | undefined;
    const isLate = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), FLUSH_AFTER_MS);
    });
    const settled = await Promise.race([outcome, isLate]);
    clearTimeout(timer);
    if (settled !== null) return settled;
    await this.#batch.flush();
    return outcome;
  }

  /** Renews the times of the documents that equal their files, in one transaction. */
  async #touchUnchanged(at: Date): Promise<void> {
    const unchanged = this.#unchanged;
    this.#unchanged = [];
    if (unchanged.length === 0) return;
    await this.#context.writer.transaction((tx) => {
      const ids = unchanged.flatMap(({ docId, file }) => (file === null ? [docId] : []));
      if (ids.length > 0) tx.touchDocuments(ids, at);
      for (const { docId, file } of unchanged) if (file !== null) tx.touchDocument(docId, at, file);
    });
  }

  #kindOfEqual({ fingerprints }: KnownDocument): 'updated' | 'unchanged' {
    return isEmbedded(fingerprints, this.#context.embeddingFingerprint) ? 'unchanged' : 'updated';
  }

  #fail(
    { idx, task }: Pick<FileInFlight, 'idx' | 'task'>,
    { error, agent }: Extract<FileOutcome, { kind: 'failed' }>,
  ): void {
    const { source, file } = task;
    const reason = error.message.split('\n', 1)[0] ?? '';
    const failed = { sourceId: source.id, workspacePath: file.workspacePath, reason, code: error.code, agent };
    const isKnown = error.code === 'invalid_input' && this.#context.knownFailures.has(failureKey(failed));
    const kind = isKnown ? 'skipped' : 'error';
    this.#context.report.fail(failed, itemOf(kind, task));
    this.#context.progress.assetFinished(idx, kind, 0);
  }

  #report(idx: number, item: ItemOfFile): void {
    this.#context.report.record(item);
    this.#context.progress.assetFinished(idx, item.kind, item.chunk_count ?? 0);
  }
}

type ItemOfFile = Pick<IngestItem, 'kind' | 'doc_path' | 'source_id'> & Partial<IngestItem>;

function itemOf(
  kind: ItemOfFile['kind'],
  { source, file, known }: Pick<FileTask, 'source' | 'file' | 'known'>,
): ItemOfFile {
  return {
    kind,
    doc_path: file.workspacePath,
    source_id: source.id,
    doc_id: known?.docId ?? null,
    asset_id: known?.assetId ?? null,
    byte_len: file.size,
  };
}

function writtenItem(
  task: FileTask,
  {
    document: { asset, document, chunks, chunkerVersion },
    warnings,
    ocrPages,
  }: Extract<FileOutcome, { kind: 'ready' }>,
): ItemOfFile {
  return {
    ...itemOf(task.known === null ? 'new' : 'updated', task),
    doc_id: document.docId,
    asset_id: asset.assetId,
    byte_len: asset.byteLen,
    block_count: document.blocks.length,
    chunk_count: chunks.length,
    parser_version: document.parserVersion,
    chunker_version: chunkerVersion,
    ocr_pages: ocrPages,
    warnings: warnings.map(({ kind, note }) => `${kind}: ${note}`),
  };
}

/** Called once per document: with null when it is committed, or with the reason why it could not be written. */
type OnWritten = (failure: KebabError | null) => void;

interface PendingDocument {
  readonly document: PreparedDocument;
  readonly onWritten: OnWritten;
}

/** Each group causes another FTS5 merge: at 500 chunks a group, a first ingest takes 8 % more processor time. */
const MAX_CHUNKS = 2000;
const MAX_CHARS = 4_000_000;
const MAX_AGE_MS = 500;

/**
 * Writes documents in groups, one transaction each, while those of the next group are prepared: a server commits beside this process. A
 * document counts as written when its group is committed. If a group fails, its documents are written one by one, so that one bad document
 * affects no other; disk and lock failures (`io_error`, `locked`) are thrown by the next call.
 */
export class CommitBatch {
  readonly #store: Pick<DocumentStore, 'prepare'>;
  readonly #writer: IngestContext['writer'];
  #pending: PendingDocument[] = [];
  #chunks = 0;
  #chars = 0;
  #since = 0;
  /** The end of the group before the pending one. */
  #committing: Promise<void> = Promise.resolve();
  #isCommitting = false;

  constructor({ store, writer }: Pick<IngestContext, 'store' | 'writer'>) {
    this.#store = store;
    this.#writer = writer;
  }

  async add(document: DocumentWrite, onWritten: OnWritten): Promise<void> {
    if (this.#pending.length === 0) this.#since = performance.now();
    try {
      this.#pending.push({ document: this.#store.prepare(document), onWritten });
    } catch (error) {
      onWritten(classifyError(error));
      return;
    }
    this.#chunks += document.chunks.length;
    this.#chars += document.document.text.length;
    const isFull = this.#chunks >= MAX_CHUNKS || this.#chars >= MAX_CHARS;
    const isOld = performance.now() - this.#since > MAX_AGE_MS;
    if (isFull || (isOld && !this.#isCommitting)) await this.#begin();
  }

  /** Commits all pending documents. */
  async flush(): Promise<void> {
    await this.#begin();
    await this.#committing;
  }

  /** Begins to commit the pending documents, when those before them are committed. */
  async #begin(): Promise<void> {
    await this.#committing;
    const group = this.#pending;
    this.#pending = [];
    this.#chunks = 0;
    this.#chars = 0;
    this.#isCommitting = true;
    this.#committing = this.#commit(group).finally(() => (this.#isCommitting = false));
    this.#committing.catch(() => {}); // the next call throws it
  }

  async #commit(group: readonly PendingDocument[]): Promise<void> {
    if (group.length === 0) return;
    const failure = await this.#write(group);
    for (const one of group) one.onWritten(failure === null || group.length === 1 ? failure : await this.#write([one]));
  }

  async #write(group: readonly PendingDocument[]): Promise<KebabError | null> {
    try {
      await this.#writer.transaction((tx) => {
        for (const { document } of group) tx.putDocument(document);
      });
      return null;
    } catch (error) {
      const failure = classifyError(error);
      if (isKebabError(failure, 'io_error') || isKebabError(failure, 'locked')) throw failure;
      return failure;
    }
  }
}
