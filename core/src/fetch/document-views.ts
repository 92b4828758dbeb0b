import { anchorRange, captionRange, ocrRange } from '../citation/read-designated.ts';
import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import { locateFile } from '../documents/locate-file.ts';
import type { SourceRoot } from '../documents/source-roots.ts';
import type { Block } from '../domain/block.ts';
import { blake3Hex } from '../domain/blake3.ts';
import { decodeText } from '../domain/decode-text.ts';
import type { PageRange } from '../domain/document.ts';
import { LineIndex, type SourceSpan } from '../domain/span.ts';
import type { Media } from '../domain/kinds.ts';
import type { UriFragment } from '../domain/uri.ts';
import { isKebabError } from '../errors/kebab-error.ts';
import { readRegularFile } from '../files/read-regular-file.ts';

/** Media whose text is the decoded file. */
const FILE_IS_TEXT: ReadonlySet<Media> = new Set<Media>(['markdown', 'text', 'code']);

/** Views of documents as they are stored, and as their files are now. */
export class DocumentViews {
  readonly #store: DocumentStore;
  readonly #sources: ReadonlyMap<string, SourceRoot>;
  readonly #needsBlocks: boolean;
  readonly #isText: (media: Media) => boolean;

  /** Creates views for looking up a fragment of this kind. */
  constructor(
    store: DocumentStore,
    sources: ReadonlyMap<string, SourceRoot>,
    fragment: UriFragment['kind'] | undefined,
  ) {
    this.#store = store;
    this.#sources = sources;
    this.#needsBlocks = fragment === 'region' || fragment === 'caption' || fragment === 'anchor';
    this.#isText = (media) => fragment !== 'anchor' && FILE_IS_TEXT.has(media); // only the index knows the positions of anchors
  }

  /** Documents as they were indexed. */
  async stored(documents: readonly DocumentRow[]): Promise<readonly DocumentView[]> {
    const texts = await this.#store.readTexts(documents.map(({ docId }) => ({ docId })));
    return this.#views(documents, texts);
  }

  /**
   * The document in the current state of its file, for media whose text is the file; null when the file does not exist, or is not one that
   * kebab reads. Other media, and documents without a file, are returned as stored. Throws the file system error for an existing file that
   * cannot be read, since its content is unknown then.
   */
  async current(document: DocumentRow): Promise<DocumentView | null> {
    const source = this.#sources.get(document.sourceId);
    const isFile = document.file !== null && this.#isText(document.media);
    if (!isFile || (source !== undefined && source.connector !== 'fs')) {
      const [stored = null] = await this.stored([document]);
      return stored;
    }
    const text = source === undefined ? null : await readCurrent(source, document);
    const [view = null] = text === null ? [] : await this.#views([document], [text]);
    return view;
  }

  /**
   * Whether the file of a document whose text is not its file (a PDF, an image) is gone, or contains other bytes than when it was indexed.
   * False when this cannot be determined because the document is not from a local file. Throws like {@link current}.
   */
  async isOtherFile({ sourceId, workspacePath, media, file, checksum }: DocumentRow): Promise<boolean> {
    if (file === null || this.#isText(media)) return false;
    const source = this.#sources.get(sourceId);
    if (source !== undefined && source.connector !== 'fs') return false;
    const bytes = source === undefined ? null : readBytes(source, workspacePath);
    return bytes === null || blake3Hex(bytes) !== checksum;
  }

  async #views(documents: readonly DocumentRow[], texts: readonly string[]): Promise<readonly DocumentView[]> {
    const blocks = this.#needsBlocks ? await this.#store.getBlocks(documents.map(({ docId }) => docId)) : null;
    return documents.map(({ docId, pages }, at) => ({
      text: texts[at] ?? '',
      pages,
      blocks: blocks?.get(docId) ?? [],
    }));
  }
}

/** Secrets in the file are blanked as they were when it was indexed, so that only actual changes make a difference. */
async function readCurrent(source: SourceRoot, { workspacePath, fingerprints }: DocumentRow): Promise<string | null> {
  const bytes = readBytes(source, workspacePath);
  if (bytes === null) return null;
  const { text } = await decodeText(bytes);
  if (!fingerprints.hasSecrets) return text;
  const { redactText } = await import('../extraction/secrets/redact.ts');
  return redactText(text, workspacePath);
}

function readBytes(source: SourceRoot, workspacePath: string): Uint8Array | null {
  try {
    const file = locateFile(source, workspacePath);
    return file === null ? null : readRegularFile(file.path, { maxBytes: source.maxFileBytes });
  } catch (error) {
    if (isKebabError(error, 'io_error')) return null; // too large now, or not a regular file
    throw error;
  }
}

/** The state of a document in which a citation is looked up. */
export interface DocumentView {
  readonly text: string;
  readonly pages: readonly PageRange[];
  /** Empty when the fragment can be resolved without them. */
  readonly blocks: readonly Block[];
}

/** The text that a fragment designates: the whole document without one, null when the document has no such place. */
export function designate(view: DocumentView, fragment: UriFragment | null): string | null {
  if (fragment === null) return view.text.endsWith('\n') ? view.text.slice(0, -1) : view.text;
  switch (fragment.kind) {
    case 'line': {
      if (view.pages.length > 0) return null; // a document with pages has no lines
      const lines = new LineIndex(view.text);
      const count = Math.max(1, lines.count); // a document without text is cited by its first line
      return fragment.end > count ? null : linesOf(view.text, lines, fragment);
    }
    case 'page': {
      const page = view.pages.find((candidate) => candidate.page === fragment.page);
      return page === undefined ? null : view.text.slice(page.start, page.end);
    }
    case 'region': {
      if (!view.blocks.some(({ kind, sourceSpan }) => kind === 'imageref' && liesOn(fragment, sourceSpan))) return null;
      const range = ocrRange(view.blocks);
      return range === null ? '' : view.text.slice(range.start, range.end);
    }
    case 'caption': {
      const range = captionRange(view.blocks);
      return range === null ? null : view.text.slice(range.start, range.end);
    }
    case 'anchor': {
      const range = anchorRange(view.blocks, fragment.anchor);
      return range === null ? null : view.text.slice(range.start, range.end);
    }
    case 'time':
      return null;
    default:
      return fragment satisfies never;
  }
}

/** Whether a region overlaps a picture. */
function liesOn({ x, y, w, h }: UriFragment & { readonly kind: 'region' }, picture: SourceSpan): boolean {
  if (picture.kind !== 'region') return true;
  const isBeside = x >= picture.x + picture.w || y >= picture.y + picture.h || x + w <= picture.x || y + h <= picture.y;
  return w > 0 && h > 0 && !isBeside;
}

function linesOf(
  text: string,
  lines: LineIndex,
  { start, end }: { readonly start: number; readonly end: number },
): string {
  return text.slice(lines.startOf(start), endOfLine(text, lines, end));
}

/** The end of a line in its text, without its newline. */
export function endOfLine(text: string, lines: LineIndex, line: number): number {
  const next = lines.startOf(line + 1);
  return text[next - 1] === '\n' ? next - 1 : next;
}
