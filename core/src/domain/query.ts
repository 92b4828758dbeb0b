import type { ChunkId, DocumentId } from './ids.ts';
import type { Ago } from './period.ts';
import type { Media, SourceType, TrustLevel } from './kinds.ts';
import type { ReadRule } from './read-rule.ts';

/** The ways to retrieve hits. */
export const MODES = ['lexical', 'vector', 'hybrid'] as const;
/** One of {@link MODES}. */
export type Mode = (typeof MODES)[number];

/** The orders of hits: best first, newest first, by path. */
export const SORTS = ['score', 'date', 'path'] as const;
/** One of {@link SORTS}. */
export type Sort = (typeof SORTS)[number];

/** Conditions that a hit must meet besides matching: all members must hold, and any value of one member is enough. Applied before top-k. */
export interface SearchFilters {
  /** Tags without `#`; a tag includes the tags nested below it, as `work` includes `work/backend`. */
  readonly tag?: readonly string[];
  readonly lang?: readonly string[];
  /**
   * Globs on the workspace path, or on the source and the path (`work:notes/*.md`): `*` does not cross `/`, `**` does; the path of a folder
   * covers everything below it, and brackets also match themselves.
   */
  readonly pathGlob?: readonly string[];
  readonly trustMin?: TrustLevel;
  readonly media?: readonly Media[];
  /** Only documents whose current version was ingested at or after this moment. */
  readonly ingestedAfter?: Date;
  /** Only documents dated at or after this moment; see `documentDate`. */
  readonly since?: Date;
  /** Only documents dated before this moment. */
  readonly until?: Date;
  readonly docId?: readonly DocumentId[];
  readonly repo?: readonly string[];
  readonly codeLang?: readonly string[];
  readonly source?: readonly string[];
  readonly sourceType?: readonly SourceType[];
  /** Words that the title must contain, consecutively, as a quoted phrase must appear in a passage. */
  readonly title?: readonly string[];
  /** Further filters, which must hold as well. */
  readonly within?: SearchFilters;
  /** What the caller may read: the first rule that fits a document decides, and a document that none fits is left out. */
  readonly readable?: readonly ReadRule[];
}

type TimeFilter = 'since' | 'until' | 'ingestedAfter';

/** Filters as a caller writes them: times may be relative, and are resolved when the search begins. */
export type AskedFilters = Omit<SearchFilters, TimeFilter | 'readable'> & { readonly [K in TimeFilter]?: Date | Ago };

/** The text to fetch. Lines are 1-based and inclusive. */
export type FetchQuery =
  | { readonly kind: 'chunk'; readonly chunkId: ChunkId }
  | { readonly kind: 'doc'; readonly docId: DocumentId }
  | { readonly kind: 'span'; readonly docId: DocumentId; readonly lineStart: number; readonly lineEnd: number }
  | UriQuery;

/** The place that a citation URI or a path refers to. */
interface UriQuery {
  readonly kind: 'uri';
  readonly uri: string;
  readonly source?: string | undefined;
  /** Lines of the document, 1-based, inclusive, when `uri` is a bare path. */
  readonly lines?: { readonly start: number; readonly end: number } | undefined;
}

/** The place of a chunk, or the place that a citation URI refers to. */
export type CitedQuery = Extract<FetchQuery, { readonly kind: 'chunk' | 'uri' }>;

/** Options of a fetch: `context` (chunks before and after) applies to a chunk, `maxTokens` and `cursor` to everything else. */
export interface FetchOptions {
  readonly context?: number | undefined;
  readonly maxTokens?: number | undefined;
  /** The `next_cursor` of the page before, of the same place. */
  readonly cursor?: string | undefined;
}
