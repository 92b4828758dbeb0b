import type { Block, ChunkId } from '@kebab/core';
import {
  allTags,
  type BlockId,
  type Chunk,
  type DocumentWrite,
  type IndexText,
  type RawAsset,
} from '@kebab/core/store';
import type { NewRow } from './tables.ts';
import { encodeBlocks } from './blocks-column.ts';
import {
  encodeHeadingPath,
  encodeMetadata,
  encodePages,
  encodeProvenance,
  encodeSectionLabel,
  encodeSpans,
  mediaSubtype,
  mediaTypeName,
} from './columns.ts';

/** The rows of one document, except for the numbers that the database assigns. */
export interface PreparedRows {
  readonly asset: NewRow<'assets'>;
  readonly document: Omit<NewRow<'documents'>, 'seq' | 'first_chunk'> & { readonly source_id: string };
  readonly text: string;
  readonly tags: readonly string[];
  /** Null if the document has no blocks. */
  readonly blocks: string | null;
  readonly chunks: readonly PreparedChunk[];
  readonly index: readonly IndexText[];
}

/** A row of `chunks`, with its id as hex digits. */
export type PreparedChunk = Omit<
  NewRow<'chunks'>,
  'seq' | 'doc_seq' | 'chunk_key' | 'index_symbol' | 'index_prefix'
> & { readonly chunk_id: ChunkId };

/**
 * Encodes a document as rows, so that its blocks need not stay in memory until its transaction. Throws a TypeError if its parts are
 * inconsistent.
 */
export function prepareDocument(write: DocumentWrite): PreparedRows {
  const { document, chunks, index } = write;
  if (index.length !== chunks.length)
    throw new TypeError(`${chunks.length} chunks came with ${index.length} index texts`);
  return {
    asset: assetRow(write.asset),
    document: documentRow(write),
    text: document.text,
    tags: allTags(document.metadata),
    blocks: document.blocks.length === 0 ? null : encodeBlocks(document.blocks),
    chunks: chunkRows(write),
    index,
  };
}

function assetRow(asset: RawAsset): PreparedRows['asset'] {
  return {
    asset_id: asset.assetId,
    source_uri: 'file' in asset.sourceUri ? asset.sourceUri.file : asset.sourceUri.kb,
    workspace_path: asset.workspacePath,
    media_type: mediaTypeName(asset.mediaType),
    byte_len: asset.byteLen,
    checksum: asset.checksum,
    storage_kind: asset.stored.kind,
    storage_path: asset.stored.kind === 'copied' ? asset.stored.path : '', // a reference is stored in source_uri
    discovered_at: asset.discoveredAt.toISOString(),
  };
}

function documentRow(write: DocumentWrite): PreparedRows['document'] {
  const { document, chunks, fingerprints, file } = write;
  const { metadata, mediaType } = document;
  const committed = write.committedAt.toISOString();
  return {
    doc_id: document.docId,
    source_id: document.sourceId,
    workspace_path: document.workspacePath,
    media: mediaType.kind,
    media_subtype: mediaSubtype(mediaType),
    lang: document.lang,
    source_type: metadata.sourceType,
    trust_level: metadata.trustLevel,
    repo: metadata.repo,
    code_lang: metadata.codeLang,
    committed_at: committed,
    indexed_at: committed,
    created_at: metadata.createdAt.toISOString(),
    updated_at: metadata.updatedAt.toISOString(),
    asset_id: document.sourceAssetId,
    title: document.title,
    text_length: document.text.length,
    chunk_count: chunks.length,
    doc_version: document.docVersion,
    schema_version: document.schemaVersion,
    file_size: file?.size ?? null,
    file_mtime_ns: file?.mtimeNs ?? null,
    parser_version: document.parserVersion,
    chunker_version: write.chunkerVersion,
    policy_hash: chunks[0]?.policyHash ?? '',
    parser_fingerprint: fingerprints.parser,
    chunker_fingerprint: fingerprints.chunker,
    embedding_fingerprint: fingerprints.embedding,
    fallback_chunker: fingerprints.fallbackChunker,
    unread_json: JSON.stringify(fingerprints.unread),
    has_secrets: fingerprints.hasSecrets ? 1 : 0,
    pages_json: encodePages(document.pages),
    metadata_json: encodeMetadata(metadata),
    provenance_json: encodeProvenance(document.provenance, {
      parser_version: document.parserVersion,
      chunker_version: write.chunkerVersion,
    }),
  };
}

function chunkRows({ document, chunks, chunkerVersion }: DocumentWrite): readonly PreparedChunk[] {
  const { blocks, text } = document;
  const expected = { textLength: text.length, chunkerVersion, policyHash: chunks[0]?.policyHash };
  let path: readonly string[] | undefined;
  let pathJson = '';
  let from = 0;
  return chunks.map((chunk) => {
    checkChunk(chunk, expected);
    const first = firstBlock(blocks, chunk.blockIds, from);
    if (first >= 0) from = first;
    if (chunk.headingPath !== path) {
      path = chunk.headingPath;
      pathJson = encodeHeadingPath(path, document.title);
    }
    return {
      chunk_id: chunk.chunkId,
      ordinal: chunk.ordinal,
      text_start: chunk.start,
      text_end: chunk.end,
      first_block: first,
      last_block: first < 0 ? -1 : first + chunk.blockIds.length - 1,
      token_estimate: chunk.tokenEstimate,
      heading_path_json: pathJson,
      section_label: encodeSectionLabel(chunk.sectionLabel, chunk.headingPath),
      source_spans_json: encodeSpans(chunk.sourceSpans),
    };
  });
}

function checkChunk(
  chunk: Chunk,
  expected: { readonly textLength: number; readonly chunkerVersion: string; readonly policyHash: string | undefined },
): void {
  if (chunk.text.length !== chunk.end - chunk.start || chunk.end > expected.textLength)
    throw new TypeError(`chunk ${chunk.chunkId} is not the slice [${chunk.start}, ${chunk.end}) of its document`);
  if (chunk.chunkerVersion !== expected.chunkerVersion || chunk.policyHash !== expected.policyHash)
    throw new TypeError(`chunk ${chunk.chunkId} was cut by another chunker or policy than the rest of its document`);
}

/** The ordinal of a chunk's first block; -1 for none. Searches from the first block of the previous chunk, as chunks are in order. */
function firstBlock(blocks: readonly Block[], ids: readonly BlockId[], from: number): number {
  const [wanted] = ids;
  if (wanted === undefined) return -1;
  let first = from;
  while (first < blocks.length && blocks[first]?.blockId !== wanted) first++;
  if (first === blocks.length) first = blocks.findIndex((block) => block.blockId === wanted);
  if (first < 0 || blocks[first + ids.length - 1]?.blockId !== ids.at(-1))
    throw new TypeError(`the blocks of a chunk are not consecutive blocks of its document (first: ${wanted})`);
  return first;
}
