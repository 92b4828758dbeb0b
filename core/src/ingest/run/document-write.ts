import type { IndexMaterial } from '../../analysis/index-text.ts';
import type { DocumentWrite, StageFingerprints } from '../../contracts/document-store.ts';
import type { FileStat } from '../../contracts/source-connector.ts';
import type { RawAsset, ChunkDraft, ChunkPolicy, CanonicalDocument } from '../../domain/document.ts';
import type { ExtractWarning } from '../../domain/metadata.ts';
import { pluginFailure } from '../../plugin/plugin-failure.ts';
import type { NamedChunker } from '../../extraction/extraction-job.ts';
import { assembleChunks, type ChunkingLabels } from '../../extraction/document/assemble-chunks.ts';
import { oversizeChunk } from '../../extraction/document/check-promises.ts';

/** Everything that is stored for a document. */
export interface DocumentToWrite extends NamedChunker {
  readonly document: CanonicalDocument;
  readonly drafts: readonly ChunkDraft[];
  readonly policy: ChunkPolicy;
  readonly labels: ChunkingLabels;
  readonly fingerprints: StageFingerprints;
  readonly asset: RawAsset;
  /** Size and time of its file. */
  readonly file: FileStat | null;
  readonly at: Date;
}

/** The facts that reports state about a written document. */
export interface DocumentFacts {
  readonly workspacePath: string;
  readonly docId: string;
  readonly assetId: string;
  readonly byteLen: number;
  readonly chars: number;
  readonly blocks: number;
  readonly chunks: number;
  readonly parserVersion: string;
  readonly chunkerVersion: string;
}

/** Assembles what the store writes for a document, and the index material of its chunks. Throws `plugin_failed` for an oversize chunk. */
export function documentWrite(made: DocumentToWrite): {
  readonly write: Omit<DocumentWrite, 'index'>;
  readonly material: readonly IndexMaterial[];
} {
  const { document, labels, policy, at } = made;
  const { chunks, material } = assembleChunks(document, made.drafts, labels);
  const oversize = oversizeChunk(chunks, policy.maxChunkTokens);
  if (oversize !== null) {
    const site = { plugin: made.chunkerPlugin, kind: 'chunker', stage: 'chunk', path: document.workspacePath };
    throw pluginFailure(new Error(oversize), site);
  }
  const event = { at, agent: made.chunkerId, kind: 'chunked', note: labels.chunkerVersion } as const;
  return {
    write: {
      asset: made.asset,
      document: { ...document, provenance: [...document.provenance, event] },
      chunks,
      fingerprints: made.fingerprints,
      chunkerVersion: labels.chunkerVersion,
      file: made.file,
      committedAt: at,
    },
    material,
  };
}

/** The facts that reports state about a document. */
export function factsOf({ asset, document, chunks, chunkerVersion }: Omit<DocumentWrite, 'index'>): DocumentFacts {
  return {
    workspacePath: document.workspacePath,
    docId: document.docId,
    assetId: asset.assetId,
    byteLen: asset.byteLen,
    chars: document.text.length,
    blocks: document.blocks.length,
    chunks: chunks.length,
    parserVersion: document.parserVersion,
    chunkerVersion,
  };
}

/** Whether a document none of whose pictures was read has pictures that look like text. */
export function looksUnread(document: CanonicalDocument, warnings: readonly ExtractWarning[]): boolean {
  if (document.mediaType.kind !== 'image') return warnings.some(({ kind }) => kind === 'scanned_candidate');
  return document.blocks.every((block) => block.kind === 'imageref' && block.ocr === null && block.caption === null);
}
