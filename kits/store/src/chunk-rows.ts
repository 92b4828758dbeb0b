import { analyseChunk, safeCut, type Block, type CanonicalDocument, type ChunkId, type DocumentId } from '@kebab/core';
import {
  searchExtras,
  type AssetId,
  type BlockId,
  type Chunk,
  type ChunkWithDocument,
  type DocumentRow,
  type IndexText,
  type Media,
  type Passage,
} from '@kebab/core/store';
import { decodeBlocks } from './blocks-column.ts';
import {
  decodeHeadingPath,
  decodeMetadata,
  decodePages,
  decodeProvenance,
  decodeSectionLabel,
  decodeSpans,
  toMediaType,
} from './columns.ts';
import { DamagedColumn } from './columns.ts';
import { toDocumentRow, type StoredDocument } from './document-row.ts';
import type { Row } from './tables.ts';

/** A part of a text, with its offset. */
export interface TextSegment {
  readonly start: number;
  readonly text: string;
}

/** Splits a text into the segments in which it is stored, of some number of bytes in UTF-8, without splitting surrogate pairs. */
export function segmentsOf(text: string, bytes: number): readonly TextSegment[] {
  const segments: TextSegment[] = [];
  const length = Math.max(2, Math.floor((bytes * text.length) / Buffer.byteLength(text)));
  for (let start = 0; start < text.length;) {
    const end = safeCut(text, Math.min(text.length, start + length));
    segments.push({ start, text: text.slice(start, end) });
    start = end;
  }
  return segments;
}

/** What is stored of a chunk for the index of words alone. */
export type StoredIndexText = Pick<Row<'chunks'>, 'index_symbol' | 'index_prefix'>;

/** What a stored chunk is indexed by, analysed again. */
export function toIndexText(
  { text, headingPath, ordinal }: Pick<Chunk, 'text' | 'headingPath' | 'ordinal'>,
  { title, workspacePath, metadata }: Pick<CanonicalDocument, 'title' | 'workspacePath' | 'metadata'>,
  stored: StoredIndexText | undefined,
): IndexText {
  const extra = ordinal === 0 ? searchExtras(metadata) : [];
  const prefix = stored?.index_prefix ?? null;
  const made = analyseChunk({ text, title, headingPath, workspacePath, symbol: null, extra, prefix });
  return { ...made, symbol: stored?.index_symbol ?? '' }; // stored as it was analysed
}

/** A chunk of a requested list, with one of the segments that contain its text. */
export interface ChunkSegment {
  /** The index of the chunk in the list. */
  readonly place: number;
  readonly text_start: number;
  readonly text_end: number;
  readonly segment_start: number | null;
  readonly segment: string | null;
}

/** Groups rows by chunk, in the order of the requested list, and the rows of one chunk by the start of their segments. */
export function groupByPlace<T extends ChunkSegment>(rows: readonly T[]): readonly (readonly T[])[] {
  const groups = new Map<number, T[]>();
  for (const row of rows.toSorted((a, b) => a.place - b.place || (a.segment_start ?? 0) - (b.segment_start ?? 0))) {
    const group = groups.get(row.place);
    if (group === undefined) groups.set(row.place, [row]);
    else group.push(row);
  }
  return [...groups.values()];
}

/** The stretch of text that the segments of a chunk hold. */
export function stretchOf(segments: readonly ChunkSegment[]): TextSegment {
  const [first] = segments;
  return {
    start: first?.segment_start ?? first?.text_start ?? 0,
    text: segments.map(({ segment }) => segment ?? '').join(''),
  };
}

/** The text of a chunk, from its segments. */
export function sliceOf({ text_start, text_end }: ChunkSegment, segments: readonly ChunkSegment[]): string {
  const { start, text } = stretchOf(segments);
  return text.slice(text_start - start, text_end - start);
}

/** The columns of a chunk `c`, for {@link toChunk}. */
export const CHUNK_COLUMNS = [
  'c.chunk_id',
  'c.doc_seq',
  'c.text_start',
  'c.text_end',
  'c.ordinal',
  'c.first_block',
  'c.last_block',
  'c.token_estimate',
  'c.heading_path_json',
  'c.section_label',
  'c.source_spans_json',
] as const;

/** A stored chunk. */
export type StoredChunk = Pick<
  Row<'chunks'>,
  (typeof CHUNK_COLUMNS)[number] extends infer Name
    ? Name extends `c.${infer Column}`
      ? Column & keyof Row<'chunks'>
      : never
    : never
>;

/** The data that chunks take from their document. */
export interface ChunkParent {
  readonly row: DocumentRow;
  readonly policyHash: string;
  /** The ids of the blocks `[first, last]`. */
  readonly blockIds: (first: number, last: number) => readonly BlockId[];
}

/** The parents of chunks, from their documents with the stored blocks of each, by the number of the document. */
export function chunkParents(
  documents: readonly (StoredDocument & { readonly policy_hash: string })[],
  blocks: ReadonlyMap<number, string>,
): ReadonlyMap<number, ChunkParent> {
  return new Map(
    documents.map((stored) => {
      const row = toDocumentRow(stored);
      const blockIds = lazyBlockIds(row.docId, blocks.get(stored.seq));
      return [stored.seq, { row, policyHash: stored.policy_hash, blockIds }];
    }),
  );
}

/** The parent of a chunk. Throws for a chunk whose document is missing. */
export function parentOf(seq: number, parents: ReadonlyMap<number, ChunkParent>): ChunkParent {
  const parent = parents.get(seq);
  if (parent === undefined)
    throw new DamagedColumn('documents', 'seq', `chunks belong to a document that is missing: ${seq}`);
  return parent;
}

/** Decodes block ids on first use. The JSON is read with the document, so that they belong to the same version of it. */
function lazyBlockIds(docId: DocumentId, stored: string | undefined): ChunkParent['blockIds'] {
  let ids: readonly BlockId[] | undefined;
  return (first, last) => {
    ids ??= stored === undefined ? [] : decodeBlocks(docId, stored).map((block) => block.blockId);
    return ids.slice(first, last + 1);
  };
}

/**
 * Turns a stored row into a chunk. Its block ids are minted on first access, because that requires all blocks of the document and hits do
 * not need them.
 */
export function toChunk(row: StoredChunk, text: string, parent: ChunkParent): Chunk {
  let blockIds: readonly BlockId[] | undefined;
  const headingPath = decodeHeadingPath(row.heading_path_json, parent.row.title);
  return {
    chunkId: row.chunk_id as ChunkId,
    docId: parent.row.docId,
    ordinal: row.ordinal,
    start: row.text_start,
    end: row.text_end,
    text,
    get blockIds() {
      blockIds ??= row.first_block < 0 ? [] : parent.blockIds(row.first_block, row.last_block);
      return blockIds;
    },
    headingPath,
    sectionLabel: decodeSectionLabel(row.section_label, headingPath),
    sourceSpans: decodeSpans(row.source_spans_json),
    tokenEstimate: row.token_estimate,
    chunkerVersion: parent.row.chunkerVersion,
    policyHash: parent.policyHash,
  };
}

/** Chunks with their documents, from rows that are repeated for each segment of their text. */
export function toChunksWithDocuments(
  rows: readonly (StoredChunk & ChunkSegment)[],
  parents: ReadonlyMap<number, ChunkParent>,
): readonly ChunkWithDocument[] {
  return groupByPlace(rows).map((segments) => {
    const [row] = segments as [(typeof rows)[number]];
    const parent = parentOf(row.doc_seq, parents);
    const chunk = toChunk(row, sliceOf(row, segments), parent);
    return { chunk, document: parent.row, around: stretchOf(segments) };
  });
}

/** The columns of a whole document, without its text and its blocks. */
export const WHOLE_DOCUMENT_COLUMNS = [
  'seq',
  'asset_id',
  'source_id',
  'workspace_path',
  'media',
  'media_subtype',
  'title',
  'lang',
  'text_length',
  'pages_json',
  'metadata_json',
  'provenance_json',
  'created_at',
  'updated_at',
  'source_type',
  'trust_level',
  'repo',
  'code_lang',
  'parser_version',
  'chunker_version',
  'schema_version',
  'doc_version',
] as const;

/** A document equal to the one that was written, from its row, its text and its blocks. */
export function toCanonicalDocument(
  docId: DocumentId,
  row: Pick<Row<'documents'>, (typeof WHOLE_DOCUMENT_COLUMNS)[number]>,
  { text, blocks }: { readonly text: string; readonly blocks: readonly Block[] },
): CanonicalDocument {
  return {
    docId,
    sourceAssetId: row.asset_id as AssetId,
    sourceId: row.source_id,
    workspacePath: row.workspace_path,
    mediaType: toMediaType(row.media, row.media_subtype),
    title: row.title,
    lang: row.lang,
    text,
    pages: decodePages(row.pages_json),
    blocks,
    metadata: decodeMetadata(row.metadata_json, row),
    provenance: decodeProvenance(row.provenance_json, row),
    parserVersion: row.parser_version,
    schemaVersion: row.schema_version,
    docVersion: row.doc_version,
  };
}

/** The columns that a passage has besides the segments of its text: of its chunk `c` and its document `d`. */
export const PASSAGE_COLUMNS = [
  'c.ordinal',
  'c.heading_path_json',
  'c.section_label',
  'c.source_spans_json',
  'd.doc_id',
  'd.source_id',
  'd.workspace_path',
  'd.media',
  'd.title',
] as const;

/** A stored passage with one of the segments of its text. */
export type StoredPassage = ChunkSegment &
  Pick<Row<'chunks'>, 'ordinal' | 'heading_path_json' | 'section_label' | 'source_spans_json'> &
  Pick<Row<'documents'>, 'doc_id' | 'source_id' | 'workspace_path' | 'media' | 'title'>;

/** The passages of a list of ids, from rows that are repeated for each segment of their text. */
export function toPassages(ids: readonly ChunkId[], rows: readonly StoredPassage[]): readonly Passage[] {
  return groupByPlace(rows).map((segments) => toPassage(ids, segments));
}

/** Assembles a passage from its row, which is repeated for each segment that contains its text. */
function toPassage(ids: readonly ChunkId[], segments: readonly StoredPassage[]): Passage {
  const [row] = segments as [StoredPassage];
  const headingPath = decodeHeadingPath(row.heading_path_json, row.title);
  return {
    chunkId: ids[row.place] as ChunkId,
    docId: row.doc_id as DocumentId,
    sourceId: row.source_id,
    workspacePath: row.workspace_path,
    media: row.media as Media,
    ordinal: row.ordinal,
    text: sliceOf(row, segments),
    headingPath,
    sectionLabel: decodeSectionLabel(row.section_label, headingPath),
    symbol: row.media === 'code' ? symbolOf(row.source_spans_json) : null,
  };
}

function symbolOf(spansJson: string): string | null {
  const [span] = decodeSpans(spansJson);
  return span?.kind === 'code' ? span.symbol : null;
}
