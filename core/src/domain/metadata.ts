import type { SourceType, TrustLevel } from './kinds.ts';
import type { JsonValue } from './json.ts';

/** The metadata of a document. `user` holds the front matter keys that kebab does not interpret. */
export interface Metadata {
  readonly aliases: readonly string[];
  readonly tags: readonly string[];
  /** Tags written in the text itself; filters and lists treat them like the others, and a search finds their words in place. */
  readonly inlineTags?: readonly string[] | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly sourceType: SourceType;
  readonly trustLevel: TrustLevel;
  readonly userIdAlias: string | null;
  readonly user: Readonly<Record<string, JsonValue>>;
  readonly repo: string | null;
  readonly gitBranch: string | null;
  /** The first 12 hex digits of the commit. */
  readonly gitCommit: string | null;
  readonly codeLang: string | null;
}

/** Every tag of a document, without duplicates: the declared ones, then those in its text. */
export function allTags({ tags, inlineTags = [] }: Pick<Metadata, 'tags' | 'inlineTags'>): readonly string[] {
  return inlineTags.length === 0 ? tags : [...new Set([...tags, ...inlineTags])];
}

/** The kinds of {@link ProvenanceEvent}. */
export const PROVENANCE_KINDS = [
  'discovered',
  'parsed',
  'normalized',
  'chunked',
  'ocr_applied',
  'caption_applied',
  'transcribed',
  'embedded',
  'indexed',
  'warning',
  'error',
] as const;

/** One step in the history of a document: who did what, when. */
export interface ProvenanceEvent {
  readonly at: Date;
  readonly agent: string;
  readonly kind: (typeof PROVENANCE_KINDS)[number];
  readonly note: string | null;
}

/** The kinds of {@link ExtractWarning}; `extract_failed`, `scanned_candidate` and `ocr_failed` mean that something was not read. */
export const WARNING_KINDS = [
  'malformed_frontmatter',
  'malformed_table',
  'encoding_fallback',
  'no_symbols',
  'extract_failed',
  'scanned_candidate',
  'ocr_failed',
  'caption_failed',
] as const;

/** Something that an extractor could not do; the document is kept. `note` names the key, page or line. */
export interface ExtractWarning {
  readonly kind: (typeof WARNING_KINDS)[number];
  readonly note: string;
}

/** How the notes begin that {@link unreadParts} reads. */
export const UNREAD_NOTES = [
  'extract_failed: ',
  'scanned_candidate: ',
  'ocr_failed: ',
  'encoding_fallback: some bytes ',
];

/** What was not read of a document, and why, from its history. */
export function unreadParts(history: readonly Pick<ProvenanceEvent, 'kind' | 'note'>[]): readonly string[] {
  const notes = history.flatMap(({ kind, note }) =>
    kind === 'warning' && note !== null && UNREAD_NOTES.some((beginning) => note.startsWith(beginning)) ? [note] : [],
  );
  return [...new Set(notes.map(toldPlainly))];
}

function toldPlainly(note: string): string {
  return note
    .replace(/^(?:extract_failed|encoding_fallback): /, '')
    .replace(/^scanned_candidate: /, 'no text on ')
    .replace(/^ocr_failed: /, 'OCR failed on ');
}
