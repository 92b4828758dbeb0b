import type { DocumentWrite, KnownDocument } from '../../contracts/document-store.ts';
import type { SourceFile } from '../../contracts/source-connector.ts';
import type { ExtractWarning } from '../../domain/metadata.ts';
import type { DocumentFacts } from './document-write.ts';
import type { KebabError } from '../../errors/kebab-error.ts';
import type { PictureStage } from '../pictures/picture-step.ts';
import type { FileCounter } from '../scan/ignore-rules.ts';
import type { WalkedSource } from './scan-sources.ts';

/** What the user stated about a file added with `ingest-file` or `ingest-stdin`. */
export interface FileHints {
  /** The title of the document if its content has none. */
  readonly title: string | null;
  /** The original name of the file. */
  readonly fileName: string;
  /** Where it came from. */
  readonly origin: string | null;
}

/** A file that must be read or chunked again. */
export interface FileTask {
  readonly source: WalkedSource;
  readonly file: SourceFile;
  readonly known: KnownDocument | null;
  /** Whether the bytes are known to equal the stored ones, so that only the chunks are made again. */
  readonly rechunkOnly: boolean;
  readonly hints: FileHints | null;
  /** Called when a model begins to read a picture of the file. */
  readonly onStage: (stage: PictureStage) => void;
}

/** The result of preparing one file. */
export type FileOutcome =
  | {
      readonly kind: 'ready';
      readonly document: DocumentWrite;
      readonly facts: DocumentFacts;
      readonly warnings: readonly ExtractWarning[];
      /** Number of pictures that OCR was applied to; null when no picture was to be read. */
      readonly ocrPages: number | null;
      /** Whether it has pictures that look like text but no model was available to read them. */
      readonly isUnread: boolean;
    }
  /** Its bytes equal the stored ones, whatever its size and time. */
  | { readonly kind: 'unchanged'; readonly known: KnownDocument; readonly at: Date }
  | { readonly kind: 'skipped'; readonly counter: FileCounter }
  /** The run was cancelled before the file was finished. */
  | { readonly kind: 'interrupted' }
  /** `agent` is the failing component with its version, as `name@version`. */
  | { readonly kind: 'failed'; readonly error: KebabError; readonly agent: string };
