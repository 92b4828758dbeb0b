import { setImmediate } from 'node:timers/promises';
import { EXTERNAL } from '../../documents/source-roots.ts';
import type { DocumentWriter, KnownDocument } from '../../contracts/document-store.ts';
import type { FileStat, SourceFile } from '../../contracts/source-connector.ts';
import type { DocumentId } from '../../domain/ids.ts';
import type { IngestItem } from '../../wire/index.ts';
import type { IngestContext } from '../ingest-context.ts';
import { type FileAction, isEmbedded } from '../plan-ingest.ts';
import { CommitBatch } from './commit-batch.ts';
import type { FileOutcome, FileTask } from './file-task.ts';
import { FilePreparation, LIGHT_MEDIA } from './prepare-file.ts';
import { HOST_AGENT } from './report-builder.ts';
import type { WalkedSource } from './scan-sources.ts';

/** How many files may be in flight beyond the width, and up to how many bytes in flight in total. */
const AHEAD = { files: 6, bytes: 1_048_576 };
/** When the next file takes longer than this, the documents prepared before it are written. */
const FLUSH_AFTER_MS = 500;
/** After this many unchanged files the event loop runs, so that signals and timers are handled; after a file that was read it runs anyway. */
const UNCHANGED_PER_TURN = 256;

/** A file being prepared; `idx` is its number in the run, from 1. */
interface FileInFlight {
  readonly idx: number;
  readonly task: FileTask;
  readonly isHeavy: boolean;
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
  /** How many heavy files are in flight; `#bytes` is the total size of all files in flight. */
  #heavy = 0;
  #bytes = 0;
  #idx = 0;

  constructor(context: IngestContext) {
    this.#context = context;
    this.#preparation = new FilePreparation(context);
    this.#width = context.config.indexing.maxParallelExtractors;
    this.#batch = new CommitBatch(context.writer);
  }

  /** Processes the files of one source. */
  async process(source: WalkedSource, actions: readonly FileAction[]): Promise<void> {
    const { call, clock, writer } = this.#context;
    const { signal } = call;
    const startedAt = clock.now();
    const unchangedDocuments = new UnchangedDocuments();
    let unchanged = 0;
    for (const action of actions) {
      if (signal.aborted) break;
      if (action.kind === 'unchanged') this.#reportUnchanged(source, action, unchangedDocuments);
      else this.#begin(source, action);
      while (this.#inFlight.length >= this.#width && !this.#mayLookAhead()) await this.#settle(unchangedDocuments);
      if (action.kind !== 'unchanged' || ++unchanged % UNCHANGED_PER_TURN === 0) await setImmediate();
    }
    await this.#settleAll(unchangedDocuments);
    unchangedDocuments.record(writer, startedAt);
  }

  /** Allows more files in flight than the width, as long as they are small, so that processes are not idle during writes. */
  #mayLookAhead(): boolean {
    if (this.#width === 1 || this.#heavy > 0) return false; // one at a time means one
    return this.#inFlight.length < this.#width + AHEAD.files && this.#bytes < AHEAD.bytes;
  }

  /** Reports a file that is not read. A fast path of its own, because a run may consist of thousands of these. */
  #reportUnchanged(
    source: WalkedSource,
    { file, known }: Extract<FileAction, { kind: 'unchanged' }>,
    unchangedDocuments: UnchangedDocuments,
  ): void {
    const { progress, report } = this.#context;
    const kind = this.#kindOfEqual(known);
    unchangedDocuments.add(known);
    if (report.names(kind)) report.record(itemOf(kind, { source, file, known }));
    else report.count(kind);
    progress.assetLeft(++this.#idx, file, kind);
  }

  #begin(source: WalkedSource, action: Exclude<FileAction, { kind: 'unchanged' }>): void {
    const { progress } = this.#context;
    const { file, known } = action;
    const idx = ++this.#idx;
    progress.assetStarted(idx, file.workspacePath, file.mediaType.kind);
    const hints = source.id === EXTERNAL ? this.#context.hints : null;
    const onStage: FileTask['onStage'] = (stage) => progress.assetStage(idx, stage);
    const task: FileTask = { source, file, known, rechunkOnly: action.kind === 'rechunk', hints, onStage };
    const isHeavy = !LIGHT_MEDIA.has(file.mediaType.kind);
    if (isHeavy) this.#heavy++;
    this.#bytes += file.size;
    const inFlight: FileInFlight = { idx, task, isHeavy, outcome: this.#preparation.prepare(task), isPrepared: false };
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

  async #settleAll(unchangedDocuments: UnchangedDocuments): Promise<void> {
    while (this.#inFlight.length > 0) await this.#settle(unchangedDocuments);
    this.#batch.flush();
  }

  async #settle(unchangedDocuments: UnchangedDocuments): Promise<void> {
    const first = this.#inFlight.shift();
    if (first === undefined) return;
    const { idx, task, isHeavy } = first;
    const { source, file, known } = task;
    if (isHeavy) this.#heavy--;
    this.#bytes -= file.size;
    const outcome = await (first.isPrepared ? first.outcome : this.#flushingMeanwhile(first.outcome));
    switch (outcome.kind) {
      case 'unchanged':
        unchangedDocuments.addRead(outcome.known, file);
        return this.#report(idx, itemOf(this.#kindOfEqual(outcome.known), { source, file, known }));
      case 'skipped':
        this.#context.report.skip(source.id, file.workspacePath, outcome.counter);
        if (outcome.counter === 'secrets' && known !== null) this.#forget(known, source.id);
        return this.#context.progress.assetFinished(idx, 'skipped', 0);
      case 'interrupted':
        return this.#context.progress.assetFinished(idx, 'skipped', 0);
      case 'failed':
        return this.#fail(first, outcome);
      case 'ready': {
        const item = writtenItem(task, outcome); // built here so that the callback does not retain the document
        const { isUnread } = outcome;
        return this.#batch.add(outcome, (error) => {
          if (error !== null) return this.#fail({ idx, task }, { kind: 'failed', error, agent: HOST_AGENT });
          if (isUnread) this.#context.report.leftUnread();
          this.#report(idx, item);
        });
      }
      default:
        return outcome satisfies never;
    }
  }

  /** Deletes the stored document of a file in which secrets were found only now. */
  #forget({ docId, assetId, workspacePath }: KnownDocument, sourceId: string): void {
    this.#batch.flush();
    this.#context.writer.transaction((tx) => tx.deleteDocument(docId));
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
    this.#batch.flush();
    return outcome;
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
    this.#context.report.fail(failed, itemOf('error', task));
    this.#context.progress.assetFinished(idx, 'error', 0);
  }

  #report(idx: number, item: ItemOfFile): void {
    this.#context.report.record(item);
    this.#context.progress.assetFinished(idx, item.kind, item.chunk_count ?? 0);
  }
}

/** The documents of a source that equal their files: their times are renewed in one transaction. */
class UnchangedDocuments {
  readonly #ids: DocumentId[] = [];
  readonly #read: { readonly docId: DocumentId; readonly file: FileStat }[] = [];

  /** Adds a document whose file has the stored size and time. */
  add({ docId }: KnownDocument): void {
    this.#ids.push(docId);
  }

  /** Adds a document whose file was read and has the stored checksum; its size and time may be new. */
  addRead({ docId }: KnownDocument, { size, mtimeNs }: SourceFile): void {
    this.#read.push({ docId, file: { size, mtimeNs } });
  }

  record(writer: DocumentWriter, at: Date): void {
    if (this.#ids.length + this.#read.length === 0) return;
    writer.transaction((tx) => {
      if (this.#ids.length > 0) tx.touchDocuments(this.#ids, at);
      for (const { docId, file } of this.#read) tx.touchDocument(docId, at, file);
    });
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
  { source, known }: FileTask,
  { facts, warnings, ocrPages }: Extract<FileOutcome, { kind: 'ready' }>,
): ItemOfFile {
  return {
    kind: known === null ? 'new' : 'updated',
    doc_path: facts.workspacePath,
    source_id: source.id,
    doc_id: facts.docId,
    asset_id: facts.assetId,
    byte_len: facts.byteLen,
    block_count: facts.blocks,
    chunk_count: facts.chunks,
    parser_version: facts.parserVersion,
    chunker_version: facts.chunkerVersion,
    ocr_pages: ocrPages,
    warnings: warnings.map(({ kind, note }) => `${kind}: ${note}`),
  };
}
