import { blake3Hex, blake3Id, blake3Ids } from './blake3.ts';
import type { BlockKind } from './block.ts';
import { canonicalJson, type JsonValue } from './json.ts';
import type { AssetId, BlockId, ChunkId, DocumentId, EmbeddingId, IndexId } from './ids.ts';
import { type SourceSpan, spanJson } from './span.ts';

/** 32 lower-case hex digits: the first half of the blake3 hash of the canonical JSON of `input`. */
export function mintId(input: JsonValue): string {
  return blake3Id(canonicalJson(input));
}

/** Mints the id of an asset from its raw bytes, the canonical JSON written directly. */
export function mintAssetId(bytes: Uint8Array): { readonly assetId: AssetId; readonly checksum: string } {
  const checksum = blake3Hex(bytes);
  return { assetId: blake3Id(`{"asset_blake3":"${checksum}","kind":"asset"}`) as AssetId, checksum };
}

/** What names a document. `sourceId` takes part only when it is not `default`. */
export interface DocumentIdInput {
  readonly workspacePath: string;
  readonly assetId: AssetId;
  readonly parserVersion: string;
  readonly sourceId: string;
}

/** Mints the id of a document, the canonical JSON written directly. */
export function mintDocumentId(input: DocumentIdInput): DocumentId {
  const source = input.sourceId === 'default' ? '' : `"source_id":${canonicalJson(input.sourceId)},`;
  return blake3Id(
    `{"asset_id":"${input.assetId}","kind":"doc","parser_version":${canonicalJson(input.parserVersion)},` +
      `${source}"workspace_path":${canonicalJson(input.workspacePath)}}`,
  ) as DocumentId;
}

/** What names a block; `ordinal` is its 0-based position in the document. */
export interface BlockIdInput {
  readonly kind: BlockKind;
  readonly headingPath: readonly string[];
  readonly ordinal: number;
  readonly sourceSpan: SourceSpan;
}

/**
 * Mints the ids of a document's blocks, in order. It writes the canonical JSON of each directly, with each heading rendered
 * once: a folder of notes has hundreds of thousands of blocks.
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

/** What names a chunk. */
export interface ChunkIdInput {
  readonly docId: DocumentId;
  readonly chunkerVersion: string;
  readonly blockIds: readonly BlockId[];
  /** Bare, or `<policy hash>#<n>` for the n-th of several chunks with the same list of blocks. */
  readonly policyHash: string;
}

/** Mints the ids of one document's chunks, in order; what they have in common is written once. */
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

/** What names a vector. */
export interface EmbeddingIdInput {
  readonly chunkId: ChunkId;
  readonly modelId: string;
  readonly modelVersion: string;
  readonly dimensions: number;
}

/** Mints the id of a vector, the canonical JSON written directly: a search by meaning mints hundreds. */
export function mintEmbeddingId({ chunkId, modelId, modelVersion, dimensions }: EmbeddingIdInput): EmbeddingId {
  return blake3Id(
    `{"chunk_id":${canonicalJson(chunkId)},"dimensions":${canonicalJson(dimensions)},"kind":"embedding",` +
      `"model_id":${canonicalJson(modelId)},"model_version":${canonicalJson(modelVersion)}}`,
  ) as EmbeddingId;
}

/** What names a collection of vectors. */
export interface IndexIdInput {
  readonly collection: string;
  readonly embeddingModel: string;
  readonly dimensions: number;
  readonly indexVersion: string;
  readonly indexKind: string;
  readonly indexParamsHash: string;
}

/** Mints the id of a collection of vectors. */
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

/** The id of a run, from when it began and five random bytes: ids of later runs sort behind those of earlier ones. */
export function mintRunId(at: Date, random: Buffer): string {
  return `run_${at.getTime().toString(16).padStart(12, '0')}${random.toString('hex')}`;
}
