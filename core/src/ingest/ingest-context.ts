import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { AbortOptions, CallContext, Clock } from '../contracts/contribution.ts';
import type { DocumentStore, DocumentWriter } from '../contracts/document-store.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import type { ExtractionHost } from '../extraction/extraction-job.ts';
import type { InlineExtraction } from '../extraction/inline-extraction.ts';
import type { Pipelines } from '../extraction/pipelines.ts';
import type { Ports } from '../ports.ts';
import type { IngestRequest } from '../requests/ingest.ts';
import type { IngestProgress } from '../wire/index.ts';
import type { PictureStep } from './pictures/picture-step.ts';
import type { Progress } from './progress.ts';
import type { SourceChanges } from './refresh/find-changed.ts';
import type { FileHints } from './run/file-task.ts';
import type { ReportBuilder } from './run/report-builder.ts';

/** Which sources an ingest walks, how thoroughly it looks, and who follows it. */
export interface IngestOptions extends AbortOptions, IngestRequest {
  /** Receives every event; an exception it throws is ignored. */
  readonly onProgress?: ((event: IngestProgress) => void) | undefined;
  /** How long a cancelled run may go on with the documents in flight; by default it gives them up at the next step. */
  readonly graceMs?: number | undefined;
  /**
   * Leaves unchanged files out of the list of files, for who shows the others alone: then not even what is on record of them need be
   * read. Hooks of plugins get the whole list all the same.
   */
  readonly omitUnchanged?: boolean | undefined;
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
}

/** What is open while one ingest lasts. Each stage names the parts that it uses. */
export interface IngestContext {
  readonly options: IngestOptions;
  /** What is known of the one file that was brought in by hand. */
  readonly hints: FileHints | null;
  /** Whether the sources are walked whole; another run removes nothing but what a look found gone. */
  readonly isWhole: boolean;
  /** What a look found changed, by source; null in a run that does not follow one. */
  readonly changes: ReadonlyMap<string, SourceChanges> | null;
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
  /** Reads the pictures that extractors ask for. */
  readonly pictures: PictureStep;
  /** What documents are embedded with; one that was not is updated even if its file is as it was. Null: nothing embeds. */
  readonly embeddingFingerprint: string | null;
  readonly progress: Progress;
  readonly report: ReportBuilder;
}
