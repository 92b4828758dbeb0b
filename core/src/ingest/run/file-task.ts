import type { DocumentWrite, KnownDocument, PreparedDocument } from '../../contracts/document-store.ts';
import type { SourceFile } from '../../contracts/source-connector.ts';
import type { ExtractWarning } from '../../domain/metadata.ts';
import type { DocumentFacts } from '../../extraction/document/document-write.ts';
import type { KebabError } from '../../errors/kebab-error.ts';
import type { PictureStage } from '../pictures/picture-step.ts';
import type { FileCounter } from '../scan/ignore-rules.ts';
import type { WalkedSource } from './scan-sources.ts';

/** What a person said about a file that they brought in by hand. */
export interface FileHints {
  /** A title for a document that gives none. */
  readonly title: string | null;
  /** The name the file had. */
  readonly fileName: string;
  /** Where it came from. */
  readonly origin: string | null;
}

/** A file that has to be looked into. */
export interface FileTask {
  readonly source: WalkedSource;
  readonly file: SourceFile;
  readonly known: KnownDocument | null;
  /** The bytes are known to be those on record: only the chunks are to be made again. */
  readonly rechunkOnly: boolean;
  readonly hints: FileHints | null;
  /** Called when a model begins to read a picture of the file. */
  readonly onStage: (stage: PictureStage) => void;
}

/** What came of looking into a file. */
export type FileOutcome =
  | {
      readonly kind: 'ready';
      readonly document: DocumentWrite | PreparedDocument;
      readonly facts: DocumentFacts;
      readonly warnings: readonly ExtractWarning[];
      /** Pictures that OCR was applied to; null when none was to be read. */
      readonly ocrPages: number | null;
      /** Whether it has pictures that look like text and that nothing was there to read. */
      readonly isUnread: boolean;
    }
  /** Its bytes are those on record, whatever size and time say. */
  | { readonly kind: 'unchanged'; readonly known: KnownDocument; readonly at: Date }
  | { readonly kind: 'skipped'; readonly counter: FileCounter }
  /** The run was cancelled before the file was done. */
  | { readonly kind: 'interrupted' }
  /** `agent` is what failed, with its version. */
  | { readonly kind: 'failed'; readonly error: KebabError; readonly agent: string };
