import { KebabError } from '../errors/kebab-error.ts';
import type { ErrorCode } from '../errors/codes.ts';
import type { ErrorDetails } from '../errors/details.ts';
import type { PluginManifest } from '../plugin/manifest.ts';
import type { Picture } from '../contracts/extractor.ts';
import type { Extraction, ExtractionJob, RenderJob } from './extraction-job.ts';

/** A plugin as an extraction thread is told of it. */
export interface WorkerPlugin {
  readonly manifest: PluginManifest;
  /** Where to import it from; null for one that the thread brings itself. */
  readonly moduleUrl: string | null;
  /** Its configuration as written. */
  readonly config: unknown;
  /** What kebab's configuration says for it. */
  readonly settings: unknown;
}

/** What an extraction thread starts with. */
export interface WorkerInit {
  /** Preferred first. */
  readonly plugins: readonly WorkerPlugin[];
  readonly tmpDir: string;
  /** The hosts that the global `fetch` of a fenced thread reaches; null where it reaches all. */
  readonly hosts: readonly string[] | null;
}

/** What an extraction thread is given to do. */
export type WorkerJob =
  | { readonly kind: 'extract'; readonly job: ExtractionJob }
  | { readonly kind: 'render'; readonly job: RenderJob };

/** What an extraction thread answers to a job. */
export type WorkerAnswer =
  | { readonly kind: 'extracted'; readonly extraction: Extraction }
  | { readonly kind: 'rendered'; readonly picture: Picture }
  | { readonly kind: 'failed'; readonly error: SentError };

/** A `KebabError` as plain data. */
export interface SentError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails[ErrorCode];
  readonly hint: string;
  readonly cause: string | null;
}

/** Makes an error plain data. */
export function sendError({ code, message, details, hint, cause }: KebabError): SentError {
  return { code, message, details, hint, cause: cause instanceof Error ? (cause.stack ?? cause.message) : null };
}

/** Makes plain data an error again. */
export function receiveError({ code, message, details, hint, cause }: SentError): KebabError {
  return new KebabError(code, message, { details, hint, ...(cause === null ? {} : { cause: new Error(cause) }) });
}
