import type { Clock } from '../contracts/contribution.ts';
import type { SourceFile } from '../contracts/source-connector.ts';
import type { Media } from '../domain/kinds.ts';
import type { PictureStage } from './pictures/picture-step.ts';
import type { IngestCounts, IngestItemKind, IngestProgress } from '../wire/index.ts';

/** An event without the members that all events have. */
type Bare<E> = E extends unknown ? Omit<E, 'schema_version' | 'ts'> : never;

const LONG_MS = 1000;

/**
 * Reports the progress of an ingest to a listener, in the promised order: the scan, then each file's start before its end, finally exactly
 * one terminal event. A listener that throws is not called again, and never fails the work.
 */
export class Progress {
  readonly #clock: Clock;
  /** The reading times of files in progress that took long. */
  readonly #long = new Map<number, number>();
  #listener: ((event: IngestProgress) => void) | undefined;
  /** The files in progress, in order of their start. */
  readonly #inHand = new Map<number, { readonly path: string; readonly since: number }>();
  #total = 0;
  #begun = false;
  #ended = false;

  constructor(listener: ((event: IngestProgress) => void) | undefined, clock: Clock) {
    this.#listener = listener;
    this.#clock = clock;
  }

  /** Whether any event was sent: a run that is rejected earlier has no events. */
  get hasBegun(): boolean {
    return this.#begun;
  }

  scanStarted(root: string): void {
    this.#begun = true;
    this.#emit({ kind: 'scan_started', root });
  }

  /** `toRead` of the files are new or may have changed. */
  scanCompleted(total: number, toRead: number): void {
    this.#total = total;
    this.#emit({ kind: 'scan_completed', total, to_read: toRead });
  }

  /** The file that has been in progress longest, and for how long; null between files. */
  get longest(): { readonly path: string; readonly ms: number } | null {
    const [first] = this.#inHand.values();
    return first === undefined ? null : { path: first.path, ms: performance.now() - first.since };
  }

  assetStarted(idx: number, path: string, media: Media): void {
    this.#inHand.set(idx, { path, since: performance.now() });
    this.#emit({ kind: 'asset_started', idx, total: this.#total, path, media });
  }

  /** A file without work starts and ends at once. */
  assetLeft(idx: number, { workspacePath, mediaType }: SourceFile, result: IngestItemKind): void {
    if (this.#listener === undefined) return;
    const total = this.#total;
    this.#emit({ kind: 'asset_started', idx, total, path: workspacePath, media: mediaType.kind });
    this.#emit({ kind: 'asset_finished', idx, total, result, chunks: 0 });
  }

  /** The time for reading a file; reported at its end, if it was long. */
  assetTook(idx: number, ms: number): void {
    if (ms > LONG_MS) this.#long.set(idx, Math.round(ms));
  }

  assetFinished(idx: number, result: IngestItemKind, chunks: number): void {
    const ms = this.#long.get(idx);
    this.#long.delete(idx);
    this.#inHand.delete(idx);
    const took = ms === undefined ? {} : { ms };
    this.#emit({ kind: 'asset_finished', idx, total: this.#total, result, chunks, ...took });
  }

  assetStage(idx: number, { page, ...stage }: PictureStage): void {
    this.#emit({ kind: 'asset_stage', idx, ...stage, ...(page === null ? {} : { page }) });
  }

  /** `done` and `total` count documents. */
  embedBatchStarted(chunks: number, { done, total }: { readonly done: number; readonly total: number }): void {
    this.#emit({ kind: 'embed_batch_started', n_chunks: chunks, done, total });
  }

  embedBatchFinished(
    chunks: number,
    { ms, done, total }: { readonly ms: number; readonly done: number; readonly total: number },
  ): void {
    this.#emit({ kind: 'embed_batch_finished', n_chunks: chunks, ms: Math.round(ms), done, total });
  }

  /** Reports the end of the run; only the first call counts. */
  ended(kind: 'completed' | 'aborted', counts: IngestCounts): void {
    if (this.#ended) return;
    this.#emit({ kind, counts });
    this.#ended = true;
  }

  #emit(event: Bare<IngestProgress>): void {
    if (this.#listener === undefined || this.#ended) return;
    try {
      this.#listener({ schema_version: 'ingest_progress.v1', ts: this.#clock.now().toISOString(), ...event });
    } catch {
      this.#listener = undefined;
    }
  }
}
