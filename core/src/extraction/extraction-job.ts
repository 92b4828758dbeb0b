import type { Picture, PictureReading, PictureRequest, RenderRequest } from '../contracts/extractor.ts';
import type { RawAsset, ChunkDraft, ChunkPolicy, CanonicalDocument } from '../domain/document.ts';
import type { ExtractWarning } from '../domain/metadata.ts';
import type { PreparedDocument } from '../contracts/document-store.ts';
import type { DocumentParts } from './document/assemble-document.ts';
import type { DocumentFacts, DocumentToWrite } from './document/document-write.ts';

/** A plugin whose failures carry its name. */
export interface NamedPlugin {
  readonly name: string;
  readonly version: string;
}

/** The chunker of a document, and who contributes it. */
export interface NamedChunker {
  readonly chunkerId: string;
  readonly chunkerPlugin: NamedPlugin;
}

/** A file to be extracted and cut. Plain data: it can be sent to another process. */
export interface ExtractionJob extends NamedChunker {
  readonly extractorId: string;
  /** Who contributes the extractor. */
  readonly plugin: NamedPlugin;
  /** How it is cut, by the chunker of the job unless the extractor names another. */
  readonly policy: ChunkPolicy;
  readonly bytes: Uint8Array;
  readonly parts: Omit<DocumentParts, 'extracted' | 'agent'>;
  /** Whether secrets in the document are redacted. */
  readonly redacts?: boolean | undefined;
  /** What was read in the pictures that a first extraction asked for. */
  readonly readings?: ReadonlyMap<string, PictureReading>;
}

/** A file to be extracted and made ready for the store. Plain data, too. */
export interface EncodingJob extends ExtractionJob {
  /** What its document is written with if the chunker of the job cuts it. */
  readonly written: Pick<DocumentToWrite, 'labels' | 'fingerprints' | 'file'>;
}

/** A picture of a file to be rendered. Plain data, too. */
export interface RenderJob extends Pick<ExtractionJob, 'extractorId' | 'plugin' | 'bytes' | 'readings'> {
  readonly asset: RawAsset;
  readonly request: RenderRequest;
}

/** A document to be cut again. Plain data, too. */
export interface CutJob extends NamedChunker {
  readonly document: CanonicalDocument;
  readonly policy: ChunkPolicy;
}

/** The slices that a chunker chose. */
export interface CutDocument {
  readonly drafts: readonly ChunkDraft[];
  /** The chunker that chose them. */
  readonly chunkerId: string;
}

/** A document with the slices that its chunker chose. */
export interface Extraction extends CutDocument {
  readonly document: CanonicalDocument;
  readonly warnings: readonly ExtractWarning[];
  /** Whether the document had secrets, which were redacted. */
  readonly hasSecrets?: boolean | undefined;
  /** Pictures that have to be read before the document is whole; then it is extracted again, with the readings. */
  readonly pictures: readonly PictureRequest[];
}

/** A document made ready for the store, with what is said of it. */
export interface EncodedExtraction {
  readonly prepared: PreparedDocument;
  readonly facts: DocumentFacts;
  readonly warnings: readonly ExtractWarning[];
  /** Whether it has pictures that look like text, none of which was to be read. */
  readonly isUnread: boolean;
}

/**
 * Runs extractors and chunkers: here, or in processes with limits. Whatever goes wrong with one file is a `KebabError`
 * that names the plugin, its version, the stage and the file, and leaves the host able to take the next.
 */
export interface ExtractionHost {
  /** Whether many small texts are read sooner here than on the calling thread, though that would do. */
  readonly takesTexts?: boolean;
  extract(job: ExtractionJob, signal: AbortSignal): Promise<Extraction>;
  /**
   * Extracts a file and makes it ready for the store where it is extracted; left out where nothing can. A document with pictures to
   * be read, or cut by another chunker, comes as it is.
   */
  encode?(job: EncodingJob, signal: AbortSignal): Promise<Extraction | EncodedExtraction>;
  render(job: RenderJob, signal: AbortSignal): Promise<Picture>;
  cut(job: CutJob, signal: AbortSignal): Promise<CutDocument>;
  /** Frees processes; the host can be used again. */
  close(): Promise<void>;
}
