/** A query taken apart: words to rank by, phrases that must occur, words and phrases that must not. */
export interface AnalysedQuery {
  /** The query as typed. */
  readonly text: string;
  /** The query without exclusions and quote marks: what an embedder is given. */
  readonly embeddingText: string;
  /** Units of ranking, ORed. Distinct, in order of first appearance. */
  readonly terms: readonly QueryTerm[];
  /** Phrases that must occur, each as its sequence of index tokens and as typed. */
  readonly phrases: readonly QueryPhrase[];
  /** Words and phrases that must not occur. */
  readonly excluded: readonly QueryPhrase[];
  /** What else must be met, each of it; absent without operators. */
  readonly demands?: readonly QueryDemand[] | undefined;
  /** What the query asks for and this reading of it does not insist on; absent where it insists on everything. */
  readonly relaxed?: Relaxed | undefined;
  /** The reading to fall back on when no passage meets the demands of this one; absent where they are meant as they stand. */
  readonly weaker?: AnalysedQuery | undefined;
}

/** What a query asks for and does not insist on: nothing meets it all, or it is a single word in quotes beside many others. */
export interface Relaxed {
  /** Passages in which they stand rank higher; their words rank like all others. */
  readonly phrases: readonly QueryPhrase[];
  /** Passages in which they stand are let through. */
  readonly excluded: readonly QueryPhrase[];
}

/** What operators demand of a passage; `text` is how it was typed. */
export type QueryDemand =
  /** One of these must stand in it: phrases word for word, words as the index finds them. */
  | {
      readonly kind: 'any';
      readonly text: string;
      readonly phrases: readonly QueryPhrase[];
      readonly words: readonly QueryPhrase[];
    }
  /** All of these must stand in one field of it, as the index finds them, with at most `distance` tokens between them. */
  | {
      readonly kind: 'near';
      readonly text: string;
      readonly distance: number;
      readonly phrases: readonly QueryPhrase[];
    };

/** One unit of ranking; `times` is how many words of the query hold it, when it is more than one. */
export type QueryTerm = { readonly times?: number | undefined } &
  /** A word of letters and digits, folded; or an identifier with `_` or `.` in it, beside its parts. With `*` behind it, every word that begins so. */
  (
    | { readonly kind: 'word'; readonly token: string }
    /** One bigram (or the single character) of a run of Han, Hangul or kana; `run` numbers the run in the query. */
    | { readonly kind: 'cjk'; readonly token: string; readonly run: number }
    /** A whole run of Han, Hangul or kana as consecutive bigrams, so that exact runs rank higher. */
    | { readonly kind: 'cjk_run'; readonly tokens: readonly string[]; readonly run: number }
  );

/**
 * Words in a row, as typed and as tokens: a part for each stretch of words or of runs. In a part of runs, the last
 * character of a run stands alone between it and the next one, as it does in the index.
 */
export interface QueryPhrase {
  readonly text: string;
  readonly parts: readonly { readonly column: 'words' | 'cjk'; readonly tokens: readonly string[] }[];
}
