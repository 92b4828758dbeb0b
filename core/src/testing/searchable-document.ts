import type { IndexMaterial, IndexText } from '../analysis/index-text.ts';
import type { DocumentWrite } from '../contracts/document-store.ts';
import type { Metadata } from '../domain/metadata.ts';
import { sampleWrite } from './sample-write.ts';

/** A chunk of a {@link SearchableDocument}. */
export interface SearchableChunk {
  readonly text: string;
  readonly headingPath?: readonly string[];
  readonly symbol?: string;
}

/** A document as far as searching is concerned. Its text is that of its chunks, joined by blank lines. */
export interface SearchableDocument {
  readonly path: string;
  readonly chunks: readonly SearchableChunk[];
  readonly title?: string;
  readonly sourceId?: string;
  readonly lang?: string;
  readonly metadata?: Partial<Metadata>;
  readonly committedAt?: Date;
}

/** Describes a document of texts, one a chunk. */
export function searchable(
  path: string,
  chunks: string | readonly (string | SearchableChunk)[],
  rest: Omit<SearchableDocument, 'path' | 'chunks'> = {},
): SearchableDocument {
  const given = typeof chunks === 'string' ? [chunks] : chunks;
  return { ...rest, path, chunks: given.map((chunk) => (typeof chunk === 'string' ? { text: chunk } : chunk)) };
}

/** Makes what is committed for a document, its chunks analysed by the index under test. */
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
