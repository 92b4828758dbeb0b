import type { ChunkId, DocumentId, Media, Passage } from '@kebab/core';
import type { Row } from '../database/tables.ts';
import { decodeHeadingPath, decodeSectionLabel } from './heading-columns.ts';
import { decodeSpans } from './span-columns.ts';

/** A row of {@link SELECT_PASSAGES}. */
export type StoredPassage = Pick<
  Row<'chunks'>,
  'doc_seq' | 'ordinal' | 'text_start' | 'text_end' | 'heading_path_json' | 'section_label' | 'source_spans_json'
> &
  Pick<Row<'documents'>, 'doc_id' | 'source_id' | 'workspace_path' | 'media' | 'title'>;

/** Selects the chunk of an id with what a passage has from its document. */
export const SELECT_PASSAGES = `SELECT c.doc_seq, c.ordinal, c.text_start, c.text_end, c.heading_path_json, c.section_label,
  c.source_spans_json, d.doc_id, d.source_id, d.workspace_path, d.media, d.title
  FROM chunks c JOIN documents d ON d.seq = c.doc_seq WHERE c.chunk_key = unhex(?)`;

/** Turns a stored row and its text into a passage. */
export function toPassage(chunkId: ChunkId, row: StoredPassage, text: string): Passage {
  const headingPath = decodeHeadingPath(row.heading_path_json, row.title);
  return {
    chunkId,
    docId: row.doc_id as DocumentId,
    sourceId: row.source_id,
    workspacePath: row.workspace_path,
    media: row.media as Media,
    ordinal: row.ordinal,
    text,
    headingPath,
    sectionLabel: decodeSectionLabel(row.section_label, headingPath),
    symbol: row.media === 'code' ? symbolOf(row.source_spans_json) : null,
  };
}

function symbolOf(spansJson: string): string | null {
  const [span] = decodeSpans(spansJson);
  return span?.kind === 'code' ? span.symbol : null;
}
