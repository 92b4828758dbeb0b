import type { ChunkId, DocumentId, Media, Passage } from '@kebab/core';
import { decodeHeadingPath, decodeSectionLabel } from './heading-columns.ts';
import { decodeSpans } from './span-columns.ts';

/** A row of {@link SELECT_PASSAGES}, in the order of its columns: fifty of them are read for a search. */
export type StoredPassage = readonly [
  at: number,
  textStart: number,
  textEnd: number,
  segmentStart: number | null,
  segment: string | null,
  ordinal: number,
  headingPath: string,
  sectionLabel: string | null,
  sourceSpans: string,
  docId: string,
  sourceId: string,
  workspacePath: string,
  media: string,
  title: string,
];

/**
 * Selects the chunks of a JSON list of ids, each with what a passage has from its document: a row for each stored segment
 * that its text reaches into. `at` is the place of the id in the list. Not sorted: SQLite would copy all the texts for it.
 */
export const SELECT_PASSAGES = `SELECT j.key, c.text_start, c.text_end, t.start, t.text, c.ordinal, c.heading_path_json,
  c.section_label, c.source_spans_json, d.doc_id, d.source_id, d.workspace_path, d.media, d.title
  FROM json_each(?) j CROSS JOIN chunks c ON c.chunk_key = unhex(j.value) CROSS JOIN documents d ON d.seq = c.doc_seq
  LEFT JOIN document_texts t ON t.doc_seq = c.doc_seq AND t.start < c.text_end AND t.start >= coalesce(
    (SELECT max(start) FROM document_texts WHERE doc_seq = c.doc_seq AND start <= c.text_start), 0)
`;

/** Puts the passages of some ids together from their rows. */
export function toPassages(ids: readonly ChunkId[], unsorted: readonly StoredPassage[]): readonly Passage[] {
  const rows = unsorted.toSorted((a, b) => a[0] - b[0] || (a[3] ?? 0) - (b[3] ?? 0));
  const passages: Passage[] = [];
  for (let from = 0, to = 1; from < rows.length; from = to, to++) {
    const first = rows[from] as StoredPassage;
    let stretch = first[4] ?? '';
    for (; rows[to]?.[0] === first[0]; to++) stretch += rows[to]?.[4] ?? '';
    passages.push(toPassage(ids[first[0]] as ChunkId, first, stretch));
  }
  return passages;
}

function toPassage(chunkId: ChunkId, row: StoredPassage, stretch: string): Passage {
  const [, textStart, textEnd, segmentStart, , ordinal, headings, label, spans, docId, sourceId, path, media, title] =
    row;
  const start = segmentStart ?? textStart;
  const headingPath = decodeHeadingPath(headings, title);
  return {
    chunkId,
    docId: docId as DocumentId,
    sourceId,
    workspacePath: path,
    media: media as Media,
    ordinal,
    text: stretch.slice(textStart - start, textEnd - start),
    headingPath,
    sectionLabel: decodeSectionLabel(label, headingPath),
    symbol: media === 'code' ? symbolOf(spans) : null,
  };
}

function symbolOf(spansJson: string): string | null {
  const [span] = decodeSpans(spansJson);
  return span?.kind === 'code' ? span.symbol : null;
}
