import type { AssetStorage, Block, BlockId, Chunk, DocumentWrite, IndexText, RawAsset } from '@kebab/core';
import { encodeBlocks } from './blocks-column.ts';
import { encodeHeadingPath, encodeSectionLabel } from './heading-columns.ts';
import { mediaSubtype, mediaTypeName } from './media-columns.ts';
import { encodeMetadata, encodePages, encodeProvenance } from './metadata-columns.ts';
import { encodeSpans } from './span-columns.ts';

type Value = string | number | bigint | null;

/** Rows to be written for one document, as values in the order of their columns; `seq` is not known yet. */
export interface PreparedRows {
  readonly sourceId: string;
  readonly workspacePath: string;
  readonly asset: readonly Value[];
  readonly document: readonly Value[];
  readonly text: string;
  readonly tags: readonly string[];
  /** Null when the document has no blocks. */
  readonly blocks: string | null;
  readonly chunks: readonly ChunkRowValues[];
  readonly index: readonly IndexText[];
}

/** A row of `chunks` in the order of its columns, without `seq` and `doc_seq`, and its key as hex digits. */
export type ChunkRowValues = readonly [
  chunkKey: string,
  ordinal: number,
  textStart: number,
  textEnd: number,
  firstBlock: number,
  lastBlock: number,
  tokenEstimate: number,
  headingPathJson: string,
  sectionLabel: string | null,
  sourceSpansJson: string,
];

/** The columns of {@link PreparedRows.asset}. */
export const ASSET_COLUMNS = [
  ...['asset_id', 'source_uri', 'workspace_path', 'media_type', 'byte_len', 'checksum'],
  ...['storage_kind', 'storage_path', 'discovered_at'],
];

/** The columns of {@link PreparedRows.document}; `first_chunk` is given behind them. */
export const DOCUMENT_COLUMNS = [
  ...['doc_id', 'source_id', 'workspace_path', 'media', 'media_subtype', 'lang', 'source_type', 'trust_level'],
  ...['repo', 'code_lang', 'committed_at', 'indexed_at', 'created_at', 'updated_at', 'asset_id', 'title'],
  ...['text_length', 'chunk_count', 'doc_version', 'schema_version', 'file_size', 'file_mtime_ns'],
  ...['parser_version', 'chunker_version', 'policy_hash', 'parser_fingerprint', 'chunker_fingerprint'],
  ...['embedding_fingerprint', 'pages_json', 'metadata_json', 'provenance_json'],
];

/** The columns of {@link ChunkRowValues}. */
export const CHUNK_COLUMNS = [
  ...['chunk_key', 'ordinal', 'text_start', 'text_end', 'first_block', 'last_block', 'token_estimate'],
  ...['heading_path_json', 'section_label', 'source_spans_json'],
];

/**
 * Encodes a document for writing, so that its blocks need not be kept until its transaction. Throws a TypeError when its
 * parts do not belong together.
 */
export function prepareDocument(write: DocumentWrite): PreparedRows {
  const { document, chunks, index } = write;
  if (index.length !== chunks.length)
    throw new TypeError(`${chunks.length} chunks came with ${index.length} index texts`);
  return {
    sourceId: document.sourceId,
    workspacePath: document.workspacePath,
    asset: assetRow(write.asset),
    document: documentRow(write),
    text: document.text,
    tags: document.metadata.tags,
    blocks: document.blocks.length === 0 ? null : encodeBlocks(document.blocks),
    chunks: chunkRows(write),
    index,
  };
}

function assetRow(asset: RawAsset): readonly Value[] {
  return [
    asset.assetId,
    'file' in asset.sourceUri ? asset.sourceUri.file : asset.sourceUri.kb,
    asset.workspacePath,
    mediaTypeName(asset.mediaType),
    asset.byteLen,
    asset.checksum,
    asset.stored.kind satisfies AssetStorage['kind'],
    asset.stored.path,
    asset.discoveredAt.toISOString(),
  ];
}

function documentRow(write: DocumentWrite): readonly Value[] {
  const { document, chunks, fingerprints, file } = write;
  const { metadata, mediaType } = document;
  const committed = write.committedAt.toISOString();
  return [
    ...[document.docId, document.sourceId, document.workspacePath, mediaType.kind, mediaSubtype(mediaType)],
    ...[document.lang, metadata.sourceType, metadata.trustLevel, metadata.repo, metadata.codeLang],
    ...[committed, committed, metadata.createdAt.toISOString(), metadata.updatedAt.toISOString()],
    ...[document.sourceAssetId, document.title, document.text.length, chunks.length],
    ...[document.docVersion, document.schemaVersion, file?.size ?? null, file?.mtimeNs ?? null],
    ...[document.parserVersion, write.chunkerVersion, chunks[0]?.policyHash ?? ''],
    ...[fingerprints.parser, fingerprints.chunker, fingerprints.embedding],
    ...[encodePages(document.pages), encodeMetadata(metadata), encodeProvenance(document.provenance)],
  ];
}

function chunkRows({ document, chunks, chunkerVersion }: DocumentWrite): readonly ChunkRowValues[] {
  const { blocks, text } = document;
  const expected = { textLength: text.length, chunkerVersion, policyHash: chunks[0]?.policyHash };
  let path: readonly string[] | undefined;
  let pathJson = '';
  let from = 0;
  return chunks.map((chunk): ChunkRowValues => {
    checkChunk(chunk, expected);
    const first = firstBlock(blocks, chunk.blockIds, from);
    if (first >= 0) from = first;
    if (chunk.headingPath !== path) {
      path = chunk.headingPath;
      pathJson = encodeHeadingPath(path, document.title);
    }
    return [
      chunk.chunkId,
      chunk.ordinal,
      chunk.start,
      chunk.end,
      first,
      first < 0 ? -1 : first + chunk.blockIds.length - 1,
      chunk.tokenEstimate,
      pathJson,
      encodeSectionLabel(chunk.sectionLabel, chunk.headingPath),
      encodeSpans(chunk.sourceSpans),
    ];
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

/** The ordinal of the first block of a chunk, whose blocks are a run; -1 for none. Chunks in order make this one walk. */
function firstBlock(blocks: readonly Block[], ids: readonly BlockId[], from: number): number {
  const [wanted] = ids;
  if (wanted === undefined) return -1;
  let first = from;
  while (first < blocks.length && blocks[first]?.blockId !== wanted) first++;
  if (first === blocks.length) first = blocks.findIndex((block) => block.blockId === wanted);
  if (first < 0 || blocks[first + ids.length - 1]?.blockId !== ids.at(-1))
    throw new TypeError(`the blocks of a chunk are no run of its document's blocks (first: ${wanted})`);
  return first;
}
