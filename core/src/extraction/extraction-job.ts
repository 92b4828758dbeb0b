import type { Picture, PictureReading, PictureRequest, RenderRequest } from '../contracts/extractor.ts';
import type { RawAsset, ChunkDraft, ChunkPolicy, CanonicalDocument } from '../domain/document.ts';
import type { ExtractWarning } from '../domain/metadata.ts';
import type { DocumentParts } from './document/assemble-document.ts';

/** The plugin that failures are attributed to. */
export interface NamedPlugin {
  readonly name: string;
  readonly version: string;
}

/** The chunker of a document, with the plugin that contributes it. */
export interface NamedChunker {
  readonly chunkerId: string;
  readonly chunkerPlugin: NamedPlugin;
}

/** A file to be extracted and chunked. Plain data, so that it can be sent to another process. */
export interface ExtractionJob extends NamedChunker {
  readonly extractorId: string;
  /** The plugin that contributes the extractor. */
  readonly plugin: NamedPlugin;
  /** The policy for the chunker: the job's, unless the extractor names another. */
  readonly policy: ChunkPolicy;
  readonly bytes: Uint8Array;
  readonly parts: Omit<DocumentParts, 'extracted' | 'agent'>;
  /** Whether secrets in the document are redacted. */
  readonly redacts?: boolean | undefined;
  /** Results of OCR and captioning for the pictures that a first extraction asked for. */
  readonly readings?: ReadonlyMap<string, PictureReading>;
}

/** A picture of a file to be rendered. Plain data. */
export interface RenderJob extends Pick<ExtractionJob, 'extractorId' | 'plugin' | 'bytes' | 'readings'> {
  readonly asset: RawAsset;
  readonly request: RenderRequest;
}

/** A stored document to be chunked again. Plain data. */
export interface ChunkJob extends NamedChunker {
  readonly document: CanonicalDocument;
  readonly policy: ChunkPolicy;
}

/** The chunks of a document as its chunker chose them. */
export interface ChunkedDocument {
  readonly drafts: readonly ChunkDraft[];
  /** The chunker that made them. */
  readonly chunkerId: string;
}

/** A document with the chunks that its chunker chose. */
export interface Extraction extends ChunkedDocument {
  readonly document: CanonicalDocument;
  readonly warnings: readonly ExtractWarning[];
  /** Whether secrets were found in the document and redacted. */
  readonly hasSecrets?: boolean | undefined;
  /** Pictures to be read before the document is complete; it is then extracted again, with the readings. */
  readonly pictures: readonly PictureRequest[];
}

/** A job, answered with an {@link Extraction}, a `Picture`, or a {@link ChunkedDocument}. */
export type ExtractionRequest =
  | { readonly kind: 'extract'; readonly job: ExtractionJob }
  | { readonly kind: 'render'; readonly job: RenderJob }
  | { readonly kind: 'chunk'; readonly job: ChunkJob };

/** A contribution that takes part in a job, and so may be the cause of a crash. */
export interface Party {
  readonly kind: 'extractor' | 'chunker';
  readonly id: string;
  readonly plugin: NamedPlugin;
}

/** The contributions that take part in a job, in the order in which they run, and the file. */
export function partiesOf({ kind, job }: ExtractionRequest): {
  readonly parties: readonly [Party, ...Party[]];
  readonly path: string;
} {
  switch (kind) {
    case 'extract':
      return { parties: [extractor(job), chunker(job)], path: job.parts.asset.workspacePath };
    case 'render':
      return { parties: [extractor(job)], path: job.asset.workspacePath };
    case 'chunk':
      return { parties: [chunker(job)], path: job.document.workspacePath };
    default:
      return kind satisfies never;
  }
}

function extractor({ extractorId: id, plugin }: ExtractionJob | RenderJob): Party {
  return { kind: 'extractor', id, plugin };
}

function chunker({ chunkerId: id, chunkerPlugin: plugin }: NamedChunker): Party {
  return { kind: 'chunker', id, plugin };
}

/**
 * Runs extractors and chunkers, on the calling thread or in processes with limits. A failure on one file is a `KebabError` that names the
 * plugin, its version, the stage and the file; the host remains usable.
 */
export abstract class ExtractionHost {
  abstract run(request: ExtractionRequest, signal: AbortSignal): Promise<unknown>;

  async extract(job: ExtractionJob, signal: AbortSignal): Promise<Extraction> {
    return (await this.run({ kind: 'extract', job }, signal)) as Extraction;
  }

  async render(job: RenderJob, signal: AbortSignal): Promise<Picture> {
    return (await this.run({ kind: 'render', job }, signal)) as Picture;
  }

  async chunk(job: ChunkJob, signal: AbortSignal): Promise<ChunkedDocument> {
    return (await this.run({ kind: 'chunk', job }, signal)) as ChunkedDocument;
  }

  /** Ends the host's processes; the host can be used again. */
  async close(): Promise<void> {
    // by default nothing runs between calls
  }
}
