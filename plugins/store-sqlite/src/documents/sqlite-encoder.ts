import { analyseChunk } from '@kebab/core';
import type { ChunkId } from '@kebab/core';
import type { DocumentEncoder, IndexText } from '@kebab/core/store';
import { type PreparedChunk, prepareDocument, type PreparedRows } from './prepare-document.ts';

/** Encodes documents for a writer, without a database. */
export const sqliteEncoder: DocumentEncoder = {
  analyseChunk,
  prepare: (write) => ({ docId: write.document.docId, prepared: packRows(prepareDocument(write)) }),
};

/**
 * The rows of a document as columns, for messages between processes and threads. Rows as objects repeat the names of their columns, and the
 * index text of a chunk usually begins with the chunk itself. As columns they are half as large and are sent in two thirds of the time.
 */
export interface PackedRows extends Pick<PreparedRows, 'asset' | 'document' | 'text' | 'tags' | 'blocks'> {
  /** The concatenated ids of all chunks. */
  readonly ids: string;
  /** The columns in {@link NUMBERS}, chunk by chunk. */
  readonly numbers: Int32Array;
  /** Null if equal to that of the previous chunk. */
  readonly headingPaths: readonly (string | null)[];
  readonly sectionLabels: PreparedChunk['section_label'][];
  readonly spans: readonly string[];
  readonly index: {
    /** The part of the index text after the chunk's own text; the whole index text if {@link PackedRows.index.isWhole} is 1. */
    readonly texts: readonly string[];
    readonly isWhole: Uint8Array;
    readonly headings: readonly string[];
    readonly symbols: readonly string[];
    readonly cjk: readonly string[];
    readonly prefixes: readonly (string | undefined)[];
  };
}

const ID_LENGTH = 32;
const NUMBERS = ['ordinal', 'text_start', 'text_end', 'first_block', 'last_block', 'token_estimate'] as const;

/** Packs rows into columns. */
export function packRows({ asset, document, text, tags, blocks, chunks, index }: PreparedRows): PackedRows {
  const numbers = new Int32Array(chunks.length * NUMBERS.length);
  const isWhole = new Uint8Array(chunks.length);
  let ids = '';
  let at = 0;
  const texts = chunks.map((chunk, i) => {
    ids += chunk.chunk_id;
    for (const name of NUMBERS) numbers[at++] = chunk[name];
    const slice = text.slice(chunk.text_start, chunk.text_end);
    const indexed = index[i]?.text ?? '';
    if (indexed.startsWith(slice)) return indexed.slice(slice.length);
    isWhole[i] = 1;
    return indexed;
  });
  return {
    asset,
    document,
    text,
    tags,
    blocks,
    ids,
    numbers,
    headingPaths: chunks.map(({ heading_path_json: path }, i) =>
      i > 0 && chunks[i - 1]?.heading_path_json === path ? null : path,
    ),
    sectionLabels: chunks.map((chunk) => chunk.section_label),
    spans: chunks.map((chunk) => chunk.source_spans_json),
    index: {
      texts,
      isWhole,
      headings: index.map(({ heading }) => heading),
      symbols: index.map(({ symbol }) => symbol),
      cjk: index.map(({ cjk }) => cjk),
      prefixes: index.map(({ prefix }) => prefix),
    },
  };
}

/** Unpacks columns into rows. */
export function unpackRows(packed: PackedRows): PreparedRows {
  const { asset, document, text, tags, blocks, ids, numbers, headingPaths, sectionLabels, spans, index } = packed;
  const chunks: PreparedChunk[] = [];
  const indexed: IndexText[] = [];
  let path = '';
  for (let i = 0; i < spans.length; i++) {
    const at = i * NUMBERS.length;
    const [ordinal = 0, start = 0, end = 0, first = 0, last = 0, tokens = 0] = numbers.subarray(
      at,
      at + NUMBERS.length,
    );
    path = headingPaths[i] ?? path;
    chunks.push({
      chunk_id: ids.slice(i * ID_LENGTH, (i + 1) * ID_LENGTH) as ChunkId,
      ordinal,
      text_start: start,
      text_end: end,
      first_block: first,
      last_block: last,
      token_estimate: tokens,
      heading_path_json: path,
      section_label: sectionLabels[i] ?? null,
      source_spans_json: spans[i] ?? '',
    });
    const rest = index.texts[i] ?? '';
    indexed.push({
      text: index.isWhole[i] === 1 ? rest : text.slice(start, end) + rest,
      heading: index.headings[i] ?? '',
      symbol: index.symbols[i] ?? '',
      cjk: index.cjk[i] ?? '',
      ...(index.prefixes[i] === undefined ? {} : { prefix: index.prefixes[i] }),
    });
  }
  return { asset, document, text, tags, blocks, chunks, index: indexed };
}
