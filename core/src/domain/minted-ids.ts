import { blake3Hex, blake3Id, blake3Ids } from './blake3.ts';
import type { BlockKind } from './block.ts';
import { canonicalJson, type JsonValue } from './json.ts';
import type { AssetId, BlockId, ChunkId, DocumentId, EmbeddingId, IndexId } from './ids.ts';
import { type SourceSpan, spanJson } from './span.ts';

/** 32 lower-case hex digits: the first half of the blake3 hash of the canonical JSON of `input`. */
export function mintId(input: JsonValue): string {
  return blake3Id(canonicalJson(input));
}

/** Mints the id of an asset from its raw bytes. Writes the canonical JSON directly. */
export function mintAssetId(bytes: Uint8Array): { readonly assetId: AssetId; readonly checksum: string } {
  const checksum = blake3Hex(bytes);
  return { assetId: blake3Id(`{"asset_blake3":"${checksum}","kind":"asset"}`) as AssetId, checksum };
}

/** What the id of a document is derived from. `sourceId` is included only if it is not `default`. */
export interface DocumentIdInput {
  readonly workspacePath: string;
  readonly assetId: AssetId;
  readonly parserVersion: string;
  readonly sourceId: string;
}

/** Mints the id of a document. Writes the canonical JSON directly. */
export function mintDocumentId(input: DocumentIdInput): DocumentId {
  const source = input.sourceId === 'default' ? '' : `"source_id":${canonicalJson(input.sourceId)},`;
  return blake3Id(
    `{"asset_id":"${input.assetId}","kind":"doc","parser_version":${canonicalJson(input.parserVersion)},` +
      `${source}"workspace_path":${canonicalJson(input.workspacePath)}}`,
  ) as DocumentId;
}

/** What the id of a block is derived from; `ordinal` is its 0-based position in the document. */
export interface BlockIdInput {
  readonly kind: BlockKind;
  readonly headingPath: readonly string[];
  readonly ordinal: number;
  readonly sourceSpan: SourceSpan;
}

/**
 * Mints the ids of a document's blocks, in order. Writes the canonical JSON directly and each heading only once, because a folder of notes
 * has hundreds of thousands of blocks.
 */
export function mintBlockIds(docId: DocumentId, blocks: readonly BlockIdInput[]): readonly BlockId[] {
  const rendered = new Map<string, string>();
  const render = (heading: string): string => {
    const known = rendered.get(heading) ?? canonicalJson(heading);
    rendered.set(heading, known);
    return known;
  };
  let path: readonly string[] | undefined;
  let pathJson = '';
  const inputs = blocks.map((block) => {
    if (block.headingPath !== path) {
      path = block.headingPath;
      pathJson = `[${path.map(render).join(',')}]`;
    }
    return (
      `{"block_kind":"${block.kind}","doc_id":"${docId}","heading_path":${pathJson},"kind":"block",` +
      `"ordinal":${block.ordinal},"source_span":${spanJson(block.sourceSpan)}}`
    );
  });
  return blake3Ids(inputs) as readonly BlockId[];
}

/** What the id of a chunk is derived from. */
export interface ChunkIdInput {
  readonly docId: DocumentId;
  readonly chunkerVersion: string;
  readonly blockIds: readonly BlockId[];
  /** The policy hash, or `<policy hash>#<n>` for several chunks with the same blocks; n counts from 0. */
  readonly policyHash: string;
}

/** Mints the ids of one document's chunks, in order. Writes the part of the JSON that they share only once. */
export function mintChunkIds(
  { docId, chunkerVersion }: Pick<ChunkIdInput, 'docId' | 'chunkerVersion'>,
  chunks: readonly Pick<ChunkIdInput, 'blockIds' | 'policyHash'>[],
): readonly ChunkId[] {
  const common = `"chunker_version":${canonicalJson(chunkerVersion)},"doc_id":"${docId}","kind":"chunk","policy_hash":`;
  let slot: string | undefined;
  let ending = '';
  const inputs = chunks.map(({ blockIds, policyHash }) => {
    if (policyHash !== slot) {
      slot = policyHash;
      ending = `${common}${canonicalJson(policyHash)}}`;
    }
    const list = blockIds.length === 0 ? '[]' : `["${blockIds.join('","')}"]`;
    return `{"block_ids":${list},${ending}`;
  });
  return blake3Ids(inputs) as readonly ChunkId[];
}

/** What the id of a vector is derived from. */
export interface EmbeddingIdInput {
  readonly chunkId: ChunkId;
  readonly modelId: string;
  readonly modelVersion: string;
  readonly dimensions: number;
}

/** Mints the id of a vector. Writes the canonical JSON directly, because a vector search mints hundreds of ids. */
export function mintEmbeddingId({ chunkId, modelId, modelVersion, dimensions }: EmbeddingIdInput): EmbeddingId {
  return blake3Id(
    `{"chunk_id":${canonicalJson(chunkId)},"dimensions":${canonicalJson(dimensions)},"kind":"embedding",` +
      `"model_id":${canonicalJson(modelId)},"model_version":${canonicalJson(modelVersion)}}`,
  ) as EmbeddingId;
}

/** What the id of a vector collection is derived from. */
export interface IndexIdInput {
  readonly collection: string;
  readonly embeddingModel: string;
  readonly dimensions: number;
  readonly indexVersion: string;
  readonly indexKind: string;
  readonly indexParamsHash: string;
}

/** Mints the id of a vector collection. */
export function mintIndexId(input: IndexIdInput): IndexId {
  return mintId({
    kind: 'index',
    collection: input.collection,
    embedding_model: input.embeddingModel,
    dimensions: input.dimensions,
    index_version: input.indexVersion,
    index_kind: input.indexKind,
    index_params_hash: input.indexParamsHash,
  }) as IndexId;
}

/** The id of a run, from its start time and five random bytes. The ids of later runs sort after those of earlier ones. */
export function mintRunId(at: Date, random: Buffer): string {
  return `run_${at.getTime().toString(16).padStart(12, '0')}${random.toString('hex')}`;
}
