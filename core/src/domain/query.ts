import type { ChunkId, DocumentId } from './ids.ts';
import type { Ago } from './period.ts';
import type { Media, SourceType, TrustLevel } from './media.ts';

/** How hits are found. */
export const MODES = ['lexical', 'vector', 'hybrid'] as const;
/** One of {@link MODES}. */
export type Mode = (typeof MODES)[number];

/** What a hit must be, beside matching: all members must hold, any value of one member will do. Applied before top-k. */
export interface SearchFilters {
  /** Tags without `#`; a tag stands for those below it too, as `work` for `work/backend`. */
  readonly tag?: readonly string[];
  readonly lang?: readonly string[];
  /** Globs on the workspace path: `*` does not cross `/`, `**` does; the plain name of a folder stands for all below it. */
  readonly pathGlob?: readonly string[];
  readonly trustMin?: TrustLevel;
  readonly media?: readonly Media[];
  /** Only documents whose present version was written at or after this moment. */
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
  /** Words that the title must hold, in a row, as a quoted phrase must stand in a passage. */
  readonly title?: readonly string[];
  /** More filters, which must hold as well. */
  readonly within?: SearchFilters;
}

type TimeFilter = 'since' | 'until' | 'ingestedAfter';

/** Filters as a caller writes them: times may be how long ago, which is settled when the search begins. */
export type AskedFilters = Omit<SearchFilters, TimeFilter> & { readonly [K in TimeFilter]?: Date | Ago };

/** What to fetch. Lines are 1-based and inclusive. */
export type FetchQuery =
  | { readonly kind: 'chunk'; readonly chunkId: ChunkId }
  | { readonly kind: 'doc'; readonly docId: DocumentId }
  | { readonly kind: 'span'; readonly docId: DocumentId; readonly lineStart: number; readonly lineEnd: number }
  | UriQuery;

/** The place that a citation URI or a path names. */
interface UriQuery {
  readonly kind: 'uri';
  readonly uri: string;
  readonly source?: string | undefined;
  /** Lines of the document, 1-based, inclusive, where `uri` is its path alone. */
  readonly lines?: { readonly start: number; readonly end: number } | undefined;
}

/** What to look at: the place of a chunk, or the one that a citation URI names. */
export type CitedQuery = Extract<FetchQuery, { readonly kind: 'chunk' | 'uri' }>;

/** How to fetch: `context` (chunks before and after) goes with a chunk, `maxTokens` with everything else. */
export interface FetchOptions {
  readonly context?: number | undefined;
  readonly maxTokens?: number | undefined;
}
