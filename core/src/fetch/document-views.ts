import { readFile } from 'node:fs/promises';
import { captionText, ocrText } from '../citation/designated-text.ts';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import { locateFile } from '../documents/locate-file.ts';
import { type SourceRoot, sourceRoots } from '../documents/source-roots.ts';
import type { Block } from '../domain/block.ts';
import { decodeText } from '../domain/decode-text.ts';
import type { PageRange } from '../domain/document.ts';
import { LineIndex } from '../domain/line-index.ts';
import type { Media } from '../domain/media.ts';
import type { UriFragment } from '../domain/uri.ts';

/** Media whose text is the decoded file. */
const FILE_IS_TEXT: ReadonlySet<Media> = new Set<Media>(['markdown', 'text', 'code']);

/** Gives documents as they are stored, and as their files are now. */
export class DocumentViews {
  readonly #store: DocumentStore;
  readonly #sources: ReadonlyMap<string, SourceRoot>;

  constructor(store: DocumentStore, config: Pick<ResolvedConfig, 'workspace'>) {
    this.#store = store;
    this.#sources = sourceRoots(config);
  }

  /** The document as it was indexed. */
  stored(document: DocumentRow): DocumentView {
    return this.#view(document, this.#store.readText(document.docId));
  }

  /**
   * The document as its file is now, for media whose text is the file; null when the file is not there or cannot be
   * read. Other media, and documents without a file, are as they are stored.
   */
  async current(document: DocumentRow): Promise<DocumentView | null> {
    const source = this.#sources.get(document.sourceId);
    const isFile = document.file !== null && FILE_IS_TEXT.has(document.media);
    if (!isFile || (source !== undefined && source.connector !== 'fs')) return this.stored(document);
    if (source === undefined) return null;
    try {
      const file = locateFile(source.root, document.workspacePath);
      return file === null ? null : this.#view(document, decodeText(await readFile(file.path)).text);
    } catch {
      return null;
    }
  }

  #view(document: DocumentRow, text: string): DocumentView {
    return { text, pages: document.pages, blocks: () => this.#store.getBlocks(document.docId) };
  }
}

/** A document in the state in which a citation is looked up. */
export interface DocumentView {
  readonly text: string;
  readonly pages: readonly PageRange[];
  /** Asked only for images. */
  readonly blocks: () => readonly Block[];
}

/** The text that a fragment designates: the whole document without one, null when the document has no such place. */
export function designate(view: DocumentView, fragment: UriFragment | null): string | null {
  if (fragment === null) return view.text.endsWith('\n') ? view.text.slice(0, -1) : view.text;
  switch (fragment.kind) {
    case 'line': {
      const lines = new LineIndex(view.text);
      return fragment.end > lines.count ? null : linesOf(view.text, lines, fragment);
    }
    case 'page': {
      const page = view.pages.find((candidate) => candidate.page === fragment.page);
      return page === undefined ? null : view.text.slice(page.start, page.end);
    }
    case 'region': {
      const blocks = view.blocks();
      return blocks.some(({ kind }) => kind === 'imageref') ? ocrText(blocks, slicer(view)) : null;
    }
    case 'caption':
      return captionText(view.blocks(), slicer(view));
    case 'time':
      return null;
    default:
      return fragment satisfies never;
  }
}

function linesOf(
  text: string,
  lines: LineIndex,
  { start, end }: { readonly start: number; readonly end: number },
): string {
  const next = lines.startOf(end + 1);
  return text.slice(lines.startOf(start), text[next - 1] === '\n' ? next - 1 : next);
}

function slicer(view: DocumentView): (start: number, end: number) => string {
  return (start, end) => view.text.slice(start, end);
}
