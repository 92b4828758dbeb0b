import type { Chunker } from '../contracts/chunker.ts';
import type { ExtractedDocument, Extractor } from '../contracts/extractor.ts';
import type { RawAsset, CanonicalDocument } from '../domain/document.ts';
import { mintAssetId, mintBlockIds, mintDocumentId } from '../domain/minted-ids.ts';
import { mediaTypeOf } from '../domain/media.ts';
import type { Metadata } from '../domain/metadata.ts';
import { DOCUMENT_SCHEMA_VERSION } from '../domain/versions.ts';
import { silentCallContext } from './contract-suite.ts';

const EPOCH = new Date(0);

/** The asset that bytes would be at a path of the default source, discovered at the epoch. */
export function assetFrom(path: string, bytes: Uint8Array): RawAsset {
  const { assetId, checksum } = mintAssetId(bytes);
  return {
    assetId,
    sourceId: 'default',
    sourceUri: { kb: path },
    workspacePath: path,
    mediaType: mediaTypeOf(path),
    byteLen: bytes.length,
    checksum,
    discoveredAt: EPOCH,
    stored: { kind: 'reference', path, checksum },
  };
}

/**
 * The document that the host would make of an extraction: ids and ordinals assigned, what the extractor left out filled
 * with neutral values (the file stem, `und`, the epoch).
 */
export function documentFrom(extracted: ExtractedDocument, asset: RawAsset, parserVersion: string): CanonicalDocument {
  const label = extracted.parserVersion ?? parserVersion;
  const docId = mintDocumentId({ ...asset, parserVersion: label });
  const blockIds = mintBlockIds(
    docId,
    extracted.blocks.map((block, ordinal) => ({ ...block, ordinal })),
  );
  return {
    docId,
    sourceAssetId: asset.assetId,
    sourceId: asset.sourceId,
    workspacePath: asset.workspacePath,
    mediaType: asset.mediaType,
    title: extracted.title ?? stemOf(asset.workspacePath),
    lang: extracted.lang ?? 'und',
    text: extracted.text,
    pages: extracted.pages ?? [],
    blocks: extracted.blocks.map((block, ordinal) => ({ ...block, ordinal, blockId: blockIds[ordinal]! })),
    metadata: { ...neutralMetadata(asset), ...extracted.metadata },
    provenance: [],
    parserVersion: label,
    schemaVersion: DOCUMENT_SCHEMA_VERSION,
    docVersion: 1,
  };
}

/** Extracts one file given as text or bytes and makes its document: what most tests of chunkers start from. */
export async function extractDocument(
  extractor: Extractor,
  path: string,
  content: string | Uint8Array,
): Promise<CanonicalDocument> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const asset = assetFrom(path, bytes);
  const extracted = await extractor.extract({ asset, bytes }, silentCallContext());
  return documentFrom(extracted, asset, extractor.parserVersion(asset.mediaType));
}

/** The texts of the chunks that a chunker cuts out of a document under a policy, in order. */
export function chunkTexts(
  chunker: Chunker,
  document: CanonicalDocument,
  policy: Parameters<Chunker['chunk']>[1],
): readonly string[] {
  return chunker.chunk(document, policy).map(({ start, end }) => document.text.slice(start, end));
}

function neutralMetadata(asset: RawAsset): Metadata {
  return {
    aliases: [],
    tags: [],
    createdAt: EPOCH,
    updatedAt: EPOCH,
    sourceType: asset.mediaType.kind === 'code' ? 'code' : 'note',
    trustLevel: 'primary',
    userIdAlias: null,
    user: {},
    repo: null,
    gitBranch: null,
    gitCommit: null,
    codeLang: asset.mediaType.kind === 'code' ? asset.mediaType.lang : null,
  };
}

function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? name : name.slice(0, dot);
}
