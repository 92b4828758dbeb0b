import type { ChunkId, DocumentId } from '@kebab/core';
import type { Media, Passage } from '@kebab/core/store';
import { tuplesOf } from '../database/statements.ts';
import { decodeHeadingPath, decodeSectionLabel, decodeSpans } from './columns.ts';

/**
 * A chunk with one of the segments that its text reaches into, and what a passage has from its document. Read by place: a
 * search reads some seventy of these, in 0.59 ms of CPU, as objects in 0.68.
 */
type StoredPassage = readonly [
  /** The place of its id in the list. */
  place: number,
  segmentStart: number | null,
  segment: string | null,
  textStart: number,
  textEnd: number,
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

/** The passages of a JSON list of ids. Not sorted: SQLite would copy all the texts for it. */
export const PASSAGES = tuplesOf<StoredPassage>(`SELECT j.key, t.start, t.text, c.text_start, c.text_end, c.ordinal,
  c.heading_path_json, c.section_label, c.source_spans_json, d.doc_id, d.source_id, d.workspace_path, d.media, d.title
  FROM json_each(@ids) j CROSS JOIN chunks c ON c.chunk_key = unhex(j.value) CROSS JOIN documents d ON d.seq = c.doc_seq
  LEFT JOIN document_texts t ON t.doc_seq = c.doc_seq AND t.start < c.text_end AND t.start >= coalesce(
    (SELECT max(start) FROM document_texts WHERE doc_seq = c.doc_seq AND start <= c.text_start), 0)`);

/** Puts the passages of some ids together from their rows. */
export function toPassages(ids: readonly ChunkId[], unsorted: readonly StoredPassage[]): readonly Passage[] {
  const sorted = unsorted.toSorted(([a, startA], [b, startB]) => a - b || (startA ?? 0) - (startB ?? 0));
  const passages: Passage[] = [];
  for (let from = 0, to = 1; from < sorted.length; from = to, to++) {
    const first = sorted[from] as StoredPassage;
    const [place, , segment] = first;
    let stretch = segment ?? '';
    for (; sorted[to]?.[0] === place; to++) stretch += sorted[to]?.[2] ?? '';
    passages.push(toPassage(ids[place] as ChunkId, first, stretch));
  }
  return passages;
}

function toPassage(chunkId: ChunkId, row: StoredPassage, stretch: string): Passage {
  const [, segmentStart, , textStart, textEnd, ordinal, headings, label, spans, docId, sourceId, path, media, title] =
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
