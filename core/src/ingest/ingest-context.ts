import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { AbortOptions, CallContext, Clock } from '../contracts/contribution.ts';
import type { DocumentStore, DocumentWriter } from '../contracts/document-store.ts';
import type { Environment } from '../git/run-git.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import type { ExtractionHost } from '../extraction/extraction-job.ts';
import type { InlineExtraction } from '../extraction/inline-extraction.ts';
import type { Pipelines } from '../extraction/pipelines.ts';
import type { Ports } from '../ports.ts';
import type { IngestRequest } from '../requests/ingest.ts';
import type { IngestProgress } from '../wire/index.ts';
import type { VectorsPart } from './file-queue.ts';
import type { PictureStep } from './pictures/picture-step.ts';
import type { Progress } from './progress.ts';
import type { SourceChanges } from './refresh/find-changed.ts';
import type { FailedFile, ReportBuilder } from './run/report-builder.ts';
import type { WalkedSource } from './run/scan-sources.ts';

/** Which sources to ingest, how thoroughly to check them, and who follows it. */
export interface IngestOptions extends AbortOptions, IngestRequest {
  /** Receives every event; exceptions it throws are ignored. */
  readonly onProgress?: ((event: IngestProgress) => void) | undefined;
  /** How long a cancelled run may continue with the documents in progress; by default it abandons them at the next step. */
  readonly graceMs?: number | undefined;
  /** Brings the clones of repositories up to date first, over the network; false by default. */
  readonly update?: boolean | undefined;
  /** Leaves new and changed files to workers: they are put into the queue of the store, which has to have one. */
  readonly queue?: boolean | undefined;
  /** Omits unchanged files from the list of files, for callers that show only the others. Hooks of plugins get the complete list. */
  readonly omitUnchanged?: boolean | undefined;
}

/** What the user stated about a file added with `ingest-file` or `ingest-stdin`. */
export interface FileHints {
  /** The title of the document if its content has none. */
  readonly title: string | null;
  /** The original name of the file. */
  readonly fileName: string;
  /** Where it came from. */
  readonly origin: string | null;
}

/** The ports of an ingest. */
export interface IngestPorts extends Pick<
  Ports,
  | 'documents'
  | 'lexicalIndex'
  | 'connectors'
  | 'extractors'
  | 'chunkers'
  | 'embedders'
  | 'vectorStores'
  | 'ocrEngines'
  | 'captioners'
  | 'hooks'
  | 'config'
  | 'clock'
  | 'log'
> {
  /** Runs extractors and chunkers in processes with limits; null runs them on the calling thread. */
  readonly isolated: ExtractionHost | null;
  /** The variables that git runs with; without them clones are not updated. */
  readonly env?: Environment | undefined;
  /** Called with notices for the user about the plugins in use. */
  readonly notify?: ((notice: string) => void) | undefined;
}

/** The task of one ingest. */
export interface IngestTask {
  readonly options: IngestOptions;
  /** Opens the sources to walk; called while the lock is held. */
  readonly open: (
    store: DocumentStore,
    report: Pick<ReportBuilder, 'degrade'>,
    signal: AbortSignal,
  ) => Promise<readonly WalkedSource[]>;
  /** The metadata given for a single file that is added by hand. */
  readonly hints?: FileHints | undefined;
  /** Whether the sources are walked completely; other runs remove only what a check found deleted. False by default. */
  readonly isWhole?: boolean | undefined;
  /** The changes that a check found, by source. A run that ingests those does not wait for another writer and is not recorded. */
  readonly changes?: ReadonlyMap<string, SourceChanges> | undefined;
  /** Whether vectors are computed at the end, or those of which share of the documents; all by default. */
  readonly embeds?: boolean | VectorsPart | undefined;
  /** Takes the writer's lock for each change, and waits for it: false by default. */
  readonly locksLate?: boolean | undefined;
}

/** The open resources of one ingest. Each stage declares the parts that it uses. */
export interface IngestContext extends Omit<IngestTask, 'open' | 'embeds' | 'locksLate'> {
  readonly config: ResolvedConfig;
  readonly clock: Clock;
  /** The signal and the log of the run, for plugins. */
  readonly call: CallContext;
  readonly store: DocumentStore;
  readonly writer: DocumentWriter;
  readonly lexical: LexicalIndex;
  readonly pipelines: Pipelines;
  /** Extracts on the calling thread. */
  readonly inline: InlineExtraction;
  /** Extracts in processes, where there are any. */
  readonly isolated: ExtractionHost;
  /** Reads the pictures that extractors request. */
  readonly pictures: PictureStep;
  /**
   * The fingerprint that documents are embedded with; a document with another one is updated even if its file is unchanged. Null: nothing
   * is embedded.
   */
  readonly embeddingFingerprint: string | null;
  /** The files that earlier runs could not read, by {@link failureKey}; empty if all files are to be named that this run cannot read. */
  readonly knownFailures: ReadonlySet<string>;
  readonly progress: Progress;
  readonly report: ReportBuilder;
}

/** Identifies a failure of a file: the same file failed for the same reason. */
export function failureKey({ sourceId, workspacePath, code, reason }: FailedFile): string {
  return JSON.stringify([sourceId, workspacePath, code, reason]);
}
