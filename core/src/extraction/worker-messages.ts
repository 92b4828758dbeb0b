import type { SentError } from '../errors/kebab-error.ts';
import type { PluginManifest } from '../plugin/read-manifest.ts';
import type { Picture } from '../contracts/extractor.ts';
import type { ChunkedDocument, ChunkJob, Extraction, ExtractionJob, NamedPlugin, RenderJob } from './extraction-job.ts';

/** A plugin as described to an extraction process. */
export interface WorkerPlugin {
  readonly manifest: PluginManifest;
  /** The module to import it from; null for a plugin that is built into the process. */
  readonly moduleUrl: string | null;
  /** Its configuration as the user wrote it. */
  readonly config: unknown;
  /** The folder for its own files; absent if it may not have one. */
  readonly dataDir?: string | undefined;
  /** The settings that kebab's configuration has for it. */
  readonly settings: unknown;
}

/** The settings of an extraction process. */
export interface WorkerInit {
  /** In order of preference. */
  readonly plugins: readonly WorkerPlugin[];
  readonly tmpDir: string;
  /** The hosts that the global `fetch` of a fenced process may reach; null if unrestricted. */
  readonly hosts: readonly string[] | null;
  /** Memory limit in MiB, beyond the memory in use when it is ready. */
  readonly memoryMb: number;
}

/** A job for an extraction process. */
export type WorkerJob =
  | { readonly kind: 'extract'; readonly job: ExtractionJob }
  | { readonly kind: 'render'; readonly job: RenderJob }
  | { readonly kind: 'cut'; readonly job: ChunkJob };

/** A message to an extraction process: first its settings, then jobs, which it runs in order. */
export type WorkerMessage =
  | { readonly kind: 'init'; readonly init: WorkerInit }
  | { readonly kind: 'work'; readonly jobs: readonly WorkerJob[] };

/** The answer to a job. */
export type WorkerAnswer =
  | { readonly kind: 'extracted'; readonly extraction: Extraction }
  | { readonly kind: 'rendered'; readonly picture: Picture }
  | { readonly kind: 'cut'; readonly cut: ChunkedDocument }
  | { readonly kind: 'failed'; readonly error: SentError };

/** A message from an extraction process. */
export type WorkerReport =
  | { readonly kind: 'ready' }
  /** It passes a document to a chunker of another plugin than the extractor's. */
  | { readonly kind: 'chunking'; readonly plugin: NamedPlugin }
  /** One answer per job of the oldest unanswered message; `shouldRestart` says whether the process still holds much memory. */
  | { readonly kind: 'answers'; readonly answers: readonly WorkerAnswer[]; readonly shouldRestart: boolean };
