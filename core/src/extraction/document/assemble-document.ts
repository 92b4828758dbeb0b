import type { ExtractedDocument } from '../../contracts/extractor.ts';
import type { RawAsset } from '../../domain/asset.ts';
import type { Block, BlockDraft } from '../../domain/block.ts';
import type { CanonicalDocument } from '../../domain/document.ts';
import { mintBlockIds, mintDocumentId, type DocumentId } from '../../domain/ids.ts';
import type { ProvenanceEvent } from '../../domain/metadata.ts';
import { DOCUMENT_SCHEMA_VERSION } from '../../domain/versions.ts';
import type { SourceDefaults } from '../stage-fingerprints.ts';
import { deriveMetadata, type GitState } from './derive-metadata.ts';
import { deriveTitle } from './derive-title.ts';
import { UNDETERMINED } from './detect-language.ts';
import { numberedBlock } from './numbered-block.ts';
import { languageOf } from './document-language.ts';

/** Everything a document is made of. */
export interface DocumentParts {
  readonly asset: RawAsset;
  readonly extracted: ExtractedDocument;
  /** The label of the extractor's output for this medium. */
  readonly parserVersion: string;
  /** Who extracted it: `md@0.1.0`. */
  readonly agent: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly defaults: SourceDefaults;
  readonly git: GitState | null;
  /** The title when the document gives none, instead of a derived one. */
  readonly title: string | null;
  /** The file a title may be taken from. */
  readonly fileName: string;
  /** Where the document came from, when that is not where it lies now. */
  readonly origin: string | null;
  readonly docVersion: number;
  readonly at: Date;
}

/** Turns what an extractor gave into a document: ids for it and its blocks, title, language and metadata completed. */
export function assembleDocument(parts: DocumentParts): CanonicalDocument {
  const { asset, extracted } = parts;
  const { text, blocks } = extracted;
  const { sourceId, workspacePath, assetId, mediaType } = asset;
  const parserVersion = extracted.parserVersion ?? parts.parserVersion;
  const docId = mintDocumentId({ workspacePath, assetId, parserVersion, sourceId });
  const metadata = deriveMetadata({ ...parts, given: extracted.metadata ?? {}, media: mediaType });
  return {
    docId,
    sourceAssetId: assetId,
    sourceId,
    workspacePath,
    mediaType,
    title:
      (extracted.titleIsDerived === true ? parts.title : null) ??
      extracted.title ??
      parts.title ??
      deriveTitle({ media: mediaType, text, blocks, fileName: parts.fileName }),
    lang: mediaType.kind === 'code' ? UNDETERMINED : (extracted.lang ?? languageOf(text, blocks)),
    text,
    pages: extracted.pages ?? [],
    blocks: withIds(docId, blocks),
    metadata,
    provenance: provenanceOf(parts, parserVersion),
    parserVersion,
    schemaVersion: DOCUMENT_SCHEMA_VERSION,
    docVersion: parts.docVersion,
  };
}

function withIds(docId: DocumentId, drafts: readonly BlockDraft[]): readonly Block[] {
  const blocks = drafts.map(numberedBlock);
  const ids = mintBlockIds(docId, blocks);
  // Completed in place, one object a block: a folder of notes has hundreds of thousands.
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i];
    if (block !== undefined) block.blockId = ids[i] ?? block.blockId;
  }
  return blocks;
}

function provenanceOf(
  { asset, extracted, agent, origin, at }: DocumentParts,
  parserVersion: string,
): readonly ProvenanceEvent[] {
  const warnings = (extracted.warnings ?? []).map(({ kind, note }): ProvenanceEvent => ({
    at,
    agent,
    kind: 'warning',
    note: `${kind}: ${note}`,
  }));
  return [
    { at: asset.discoveredAt, agent: 'ingest', kind: 'discovered', note: origin },
    { at, agent, kind: 'parsed', note: parserVersion },
    ...warnings,
  ];
}
