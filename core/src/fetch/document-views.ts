import { readFile } from 'node:fs/promises';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import { decodeText } from '../domain/decode-text.ts';
import type { Media } from '../domain/media.ts';
import { locateFile } from '../documents/locate-file.ts';
import { sourceRoots, type SourceRoot } from '../documents/source-roots.ts';
import type { DocumentView } from './designate.ts';

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
