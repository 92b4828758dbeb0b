import type { ChunkId, Metadata, SearchFilters } from '@kebab/core';
import type { IndexMaterial, IndexText, DocumentWrite, LexicalIndex } from '@kebab/core/store';
import { sampleWrite } from './sample-documents.ts';

/** A lexical index over a corpus. */
export interface OpenLexicalIndex {
  readonly index: LexicalIndex;
  /** Writes one more document, calls `during` before it is committed, and ends when both are done. Without it, isolation is not tested. */
  readonly writeUncommitted?: (document: DocumentWrite, during: () => Promise<void>) => Promise<void>;
  readonly close?: () => void | Promise<void>;
}

/** Creates the documents of a case, with their chunks analysed by the index under test. */
export type MakeDocuments = (analyseChunk: (material: IndexMaterial) => IndexText) => readonly DocumentWrite[];

/** A search in the notation of a case: `path#ordinal` of each hit, in order. */
export type Find = (
  query: string,
  options?: { readonly filters?: SearchFilters; readonly limit?: number },
) => Promise<readonly string[]>;

/** The inputs of a case. */
export interface LexicalFixture {
  readonly find: Find;
  readonly index: LexicalIndex;
  /** `source path#ordinal` of a chunk. */
  readonly placeOf: (id: ChunkId) => string;
  readonly writeUncommitted?: (document: SearchableDocument, during: () => Promise<void>) => Promise<void>;
}

/** One promise, tested on its own documents. */
export interface LexicalCase {
  readonly name: string;
  readonly documents: readonly SearchableDocument[];
  readonly check: (fixture: LexicalFixture) => void | Promise<void>;
}

/** A chunk of a {@link SearchableDocument}. */
export interface SearchableChunk {
  readonly text: string;
  readonly headingPath?: readonly string[];
  readonly symbol?: string;
}

/** The searchable parts of a document. Its text is that of its chunks, joined by blank lines. */
export interface SearchableDocument {
  readonly path: string;
  readonly chunks: readonly SearchableChunk[];
  readonly title?: string;
  readonly sourceId?: string;
  readonly lang?: string;
  readonly metadata?: Partial<Metadata>;
  readonly committedAt?: Date;
}

/** Describes a document by texts, one per chunk. */
export function searchable(
  path: string,
  chunks: string | readonly (string | SearchableChunk)[],
  rest: Omit<SearchableDocument, 'path' | 'chunks'> = {},
): SearchableDocument {
  const given = typeof chunks === 'string' ? [chunks] : chunks;
  return { ...rest, path, chunks: given.map((chunk) => (typeof chunk === 'string' ? { text: chunk } : chunk)) };
}

/** Creates the write for a document, with its chunks analysed by the index under test. */
export function searchableWrite(
  { path, chunks, title, ...rest }: SearchableDocument,
  analyseChunk: (material: IndexMaterial) => IndexText,
): DocumentWrite {
  let start = 0;
  const drafts = chunks.map((chunk) => {
    const draft = { headingPath: [], ...chunk, start, end: start + chunk.text.length };
    start = draft.end + 2;
    return draft;
  });
  const text = chunks.map((chunk) => chunk.text).join('\n\n');
  const write = sampleWrite(path, text, { ...rest, cut: () => drafts });
  const document = { ...write.document, title: title ?? write.document.title };
  const index = drafts.map((draft, ordinal) =>
    analyseChunk({
      text: draft.text,
      title: document.title,
      headingPath: draft.headingPath,
      workspacePath: path,
      symbol: draft.symbol ?? null,
      extra: ordinal === 0 ? document.metadata.tags : [],
      prefix: null,
    }),
  );
  return { ...write, document, index };
}
