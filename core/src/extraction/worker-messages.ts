import type { SentError } from '../errors/kebab-error.ts';
import type { PluginManifest } from '../plugin/read-manifest.ts';
import type { Picture } from '../contracts/extractor.ts';
import type {
  CutDocument,
  CutJob,
  EncodedExtraction,
  EncodingJob,
  Extraction,
  ExtractionJob,
  NamedPlugin,
  RenderJob,
} from './extraction-job.ts';

/** A plugin as an extraction process is given it. */
export interface WorkerPlugin {
  readonly manifest: PluginManifest;
  /** Where to import it from; null for one that the process brings itself. */
  readonly moduleUrl: string | null;
  /** Its configuration as written. */
  readonly config: unknown;
  /** Where it may keep files of its own; absent where it may not. */
  readonly dataDir?: string | undefined;
  /** What kebab's configuration says for it. */
  readonly settings: unknown;
}

/** What an extraction process starts with. */
export interface WorkerInit {
  /** Preferred first. */
  readonly plugins: readonly WorkerPlugin[];
  readonly tmpDir: string;
  /** What makes documents ready for the store; null where the store does it by itself. */
  readonly encoderId: string | null;
  /** The hosts that the global `fetch` of a fenced process reaches; null where it reaches all. */
  readonly hosts: readonly string[] | null;
  /** How much memory it may take beyond what it has when it is ready, in MiB. */
  readonly memoryMb: number;
}

/** What an extraction process is given to do. */
export type WorkerJob =
  | { readonly kind: 'extract'; readonly job: ExtractionJob }
  | { readonly kind: 'encode'; readonly job: EncodingJob }
  | { readonly kind: 'render'; readonly job: RenderJob }
  | { readonly kind: 'cut'; readonly job: CutJob };

/** What an extraction process is sent: first what it starts with, then jobs, to be done in their order. */
export type WorkerMessage =
  | { readonly kind: 'init'; readonly init: WorkerInit }
  | { readonly kind: 'work'; readonly jobs: readonly WorkerJob[] };

/** What becomes of a job. */
export type WorkerAnswer =
  | { readonly kind: 'extracted'; readonly extraction: Extraction }
  | { readonly kind: 'encoded'; readonly encoded: EncodedExtraction }
  | { readonly kind: 'rendered'; readonly picture: Picture }
  | { readonly kind: 'cut'; readonly cut: CutDocument }
  | { readonly kind: 'failed'; readonly error: SentError };

/** What an extraction process sends. */
export type WorkerReport =
  | { readonly kind: 'ready' }
  /** It hands a document to the chunker of another plugin than that of the extractor. */
  | { readonly kind: 'chunking'; readonly plugin: NamedPlugin }
  /** One answer for each job of the message that came first of those unanswered; whether memory stays taken. */
  | { readonly kind: 'answers'; readonly answers: readonly WorkerAnswer[]; readonly isWorn: boolean };
