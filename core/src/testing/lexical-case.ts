import type { IndexMaterial, IndexText } from '../analysis/index-text.ts';
import type { DocumentWrite } from '../contracts/document-store.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import type { ChunkId } from '../domain/ids.ts';
import type { SearchFilters } from '../domain/query.ts';
import type { SearchableDocument } from './searchable-document.ts';

/** A lexical index over a corpus. */
export interface OpenLexicalIndex {
  readonly index: LexicalIndex;
  /**
   * Writes one more document, calls `during` before it is committed, and ends when both are done. Without it, "only
   * committed" is not checked.
   */
  readonly writeUncommitted?: (document: DocumentWrite, during: () => Promise<void>) => Promise<void>;
  readonly close?: () => void | Promise<void>;
}

/** Makes the documents of a case, their chunks analysed by the index under test. */
export type MakeDocuments = (analyseChunk: (material: IndexMaterial) => IndexText) => readonly DocumentWrite[];

/** A search in the words of a case: `path#ordinal` of each hit, in order. */
export type Find = (
  query: string,
  options?: { readonly filters?: SearchFilters; readonly limit?: number },
) => Promise<readonly string[]>;

/** What a case looks at. */
export interface LexicalFixture {
  readonly find: Find;
  readonly index: LexicalIndex;
  /** `source path#ordinal` of a chunk. */
  readonly placeOf: (id: ChunkId) => string;
  readonly writeUncommitted?: (document: SearchableDocument, during: () => Promise<void>) => Promise<void>;
}

/** One promise, over documents of its own. */
export interface LexicalCase {
  readonly name: string;
  readonly documents: readonly SearchableDocument[];
  readonly check: (fixture: LexicalFixture) => void | Promise<void>;
}
