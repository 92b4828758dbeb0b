import type { AnalysedQuery, QueryPhrase } from '../analysis/analyse-query.ts';
import type { IndexMaterial, IndexText } from '../analysis/index-text.ts';
import type { ChunkId, DocumentId } from '../domain/ids.ts';
import type { SearchFilters } from '../domain/query.ts';
import type { AbortOptions, Contribution } from './contribution.ts';
import type { DocumentStore } from './document-store.ts';

/** A chunk and its BM25 score, positive, higher is better. */
export interface LexicalHit {
  readonly chunkId: ChunkId;
  readonly score: number;
  /** Its document, where the index knows it. */
  readonly docId?: DocumentId | undefined;
}

/** Token frequencies: `chunks` is the size of the corpus, `df[i]` the number of chunks that contain `tokens[i]`. */
export interface TermStats {
  readonly chunks: number;
  readonly df: readonly number[];
}

/** A token of the index, which may be a stem or a character bigram, and the number of chunks that contain it. */
export interface IndexToken {
  readonly token: string;
  readonly chunks: number;
}

/** What an index on a server is brought up to date from, after a commit. */
export interface IndexUpdate {
  readonly documents: Pick<
    DocumentStore,
    | 'corpusRevision'
    | 'documentCount'
    | 'getDocuments'
    | 'listDocuments'
    | 'listChunks'
    | 'getCanonicalDocument'
    | 'indexTexts'
  >;
  /** The documents that were written or removed since a corpus revision; without them, all documents are compared. */
  readonly changes?: { readonly since: number; readonly docIds: ReadonlySet<DocumentId> } | undefined;
}

/** Which tokens of an index to list. */
export interface VocabularyOptions extends AbortOptions {
  /** Only those that begin with this and are longer; all by default. */
  readonly beginning?: string | undefined;
}

/** A chunk with the names of its document, its section and its unit of code. */
export interface NamedChunk {
  readonly chunkId: ChunkId;
  readonly docId: DocumentId;
  /** 0-based, within its document. */
  readonly ordinal: number;
  readonly workspacePath: string;
  readonly title: string;
  /** Of the document; empty except on its first chunk. */
  readonly aliases: readonly string[];
  readonly headingPath: readonly string[];
  /** The unit of source code; null for everything else. */
  readonly symbol: string | null;
}

/**
 * Full-text index over chunks. Index and query analysis are one function, identified by {@link indexVersion}. Filters are applied before
 * top-k; the result for a longer limit starts with the result for a shorter one; ties are ordered by document path, ordinal, source; no
 * query text makes it throw. Analysis needs no storage and is synchronous; whatever reads the index returns a promise.
 */
export interface LexicalIndex extends Contribution {
  /** Identifies the analysis and the layout of the index: `v1.0`. */
  indexVersion(): string;
  /** Analyses a chunk for writing; pure. */
  analyseChunk(material: IndexMaterial): IndexText;
  /** Analyses a query; pure. */
  analyseQuery(text: string): AnalysedQuery;
  /**
   * The best `limit` chunks, best first; fewer only when fewer match. Quoted phrases must appear in a chunk verbatim, operators must be
   * satisfied, and excluded terms must be absent; a query of exclusions only finds nothing. Throws `cancelled` when the signal has fired.
   */
  search(
    query: AnalysedQuery,
    filters: SearchFilters,
    limit: number,
    options?: AbortOptions,
  ): Promise<readonly LexicalHit[]>;
  /**
   * The chunks that match the filters, contain the quoted phrases of a query, contain none of its exclusions, and satisfy its operators,
   * regardless of its words; null when it has none of these. Other retrievers restrict their results to this set.
   */
  admitted(query: AnalysedQuery, filters: SearchFilters, options?: AbortOptions): Promise<ReadonlySet<ChunkId> | null>;
  /**
   * Document frequencies, by chunk, of the tokens of an analysed query. Several tokens separated by spaces must be consecutive; a token
   * followed by `*` matches every token with that prefix. With filters, only the chunks that they admit are counted.
   */
  termStats(tokens: readonly string[], filters?: SearchFilters): Promise<TermStats>;
  /**
   * The chunks that have one of these phrases in their title, headings, file name or symbol, or as the first chunk of a document in an
   * alias; at most `limit`, those with the shortest names first. Of more than it can order in the time of a search, those of files, documents
   * and symbols that are called so. Absent when an index does not keep names apart from text.
   */
  named?(
    phrases: readonly QueryPhrase[],
    filters: SearchFilters,
    limit: number,
    options?: AbortOptions,
  ): Promise<readonly NamedChunk[]>;
  /**
   * Brings an index on a server up to the committed documents; idempotent, and safe to end at any moment. Absent when an index is written in
   * the transactions of its document store. Until it has succeeded, {@link LexicalIndex.isCurrent} is false.
   */
  update?(update: IndexUpdate, options?: AbortOptions): Promise<void>;
  /** Removes an index on a server, if it is there; absent when an index is removed with its document store. */
  drop?(options?: AbortOptions): Promise<void>;
  /** Whether all committed chunks can be found; absent when they always can. */
  isCurrent?(options?: AbortOptions): Promise<boolean>;
  /**
   * Every token of the index once, or every longer one with a beginning, for spelling suggestions, whoever may read its chunks; absent when
   * an index cannot list them. There may be millions: they may be read lazily during the iteration, which happens once.
   */
  vocabulary?(options?: VocabularyOptions): Promise<Iterable<IndexToken>>;
}
