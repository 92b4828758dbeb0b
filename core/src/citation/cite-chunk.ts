import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import { blake3Short } from '../domain/blake3.ts';
import type { TextRange } from '../domain/block.ts';
import type { Chunk } from '../domain/chunk.ts';
import { LineIndex } from '../domain/line-index.ts';
import type { SourceSpan } from '../domain/span.ts';
import { formatUri, type UriFragment } from '../domain/uri.ts';
import type { Citation } from '../wire/index.ts';
import { captionAt, ocrText, pageText } from './designated-text.ts';
import { wholeLines } from './whole-lines.ts';

/** What citing needs of a store. */
export type CitedStore = Pick<DocumentStore, 'readText' | 'getBlocks'>;

/** The citation of a chunk: of the kind that its medium asks for, with the hash of the text that its URI designates. */
export function citeChunk(store: CitedStore, document: DocumentRow, chunk: Omit<Chunk, 'text'>): Citation {
  const span = chunk.sourceSpans[0];
  switch (span?.kind) {
    case 'page':
      return citePage(store, document, { page: span.page, section: chunk.sectionLabel });
    case 'region':
      return citeRegion(store, document, { span, range: chunk });
    case 'time': {
      const { start_ms, end_ms } = span;
      const fragment = { kind: 'time', startMs: start_ms, endMs: end_ms, speaker: null } as const;
      const text = store.readText(chunk.docId, chunk.start, chunk.end);
      return { ...head(document, { kind: 'time', fragment, text }), start_ms, end_ms, speaker: null };
    }
    case 'line':
    case 'code':
    case 'byte':
    case undefined:
      return citeLines(store, document, { ...linesOf(store, document, chunk), range: chunk });
    default:
      return span satisfies never;
  }
}

/** Whole lines to cite. */
export interface CitedLines {
  /** First and last line, 1-based, inclusive. */
  readonly start: number;
  readonly end: number;
  /** A range of the text that begins on the first and ends on the last of these lines. */
  readonly range: TextRange;
  readonly section?: string | null;
  readonly symbol?: string | null;
  readonly lang?: string | null;
}

/** The citation of whole lines: `code` for source code, `line` for everything else. */
export function citeLines(store: CitedStore, document: DocumentRow, lines: CitedLines): Citation {
  const { start, end } = lines;
  const read = (from: number, to: number): string => store.readText(document.docId, from, to);
  const fragment = { kind: 'line', start, end } as const;
  const text = wholeLines(read, lines.range, document.textLength);
  const { section = null, symbol = null, lang = null } = lines;
  if (document.media !== 'code') return { ...head(document, { kind: 'line', fragment, text }), start, end, section };
  const place = { line_start: start, line_end: end, symbol, lang: lang ?? document.codeLang };
  return { ...head(document, { kind: 'code', fragment, text }), ...place };
}

/** The citation of one page. */
export function citePage(
  store: CitedStore,
  document: DocumentRow,
  { page, section }: { readonly page: number; readonly section: string | null },
): Citation {
  const text = pageText(store, document, page) ?? '';
  return { ...head(document, { kind: 'page', fragment: { kind: 'page', page }, text }), page, section };
}

function citeRegion(
  store: CitedStore,
  document: DocumentRow,
  { span, range }: { readonly span: SourceSpan & { readonly kind: 'region' }; readonly range: TextRange },
): Citation {
  const blocks = store.getBlocks(document.docId);
  const read = (start: number, end: number): string => store.readText(document.docId, start, end);
  const caption = captionAt(blocks, range);
  if (caption !== null) {
    const text = read(caption.start, caption.end);
    return { ...head(document, { kind: 'caption', fragment: { kind: 'caption' }, text }), model: caption.model };
  }
  const { x, y, w, h } = span;
  const text = ocrText(blocks, read);
  return { ...head(document, { kind: 'region', fragment: { kind: 'region', x, y, w, h }, text }), x, y, w, h };
}

/** The lines of a chunk as its spans tell them; counted in the text for spans that do not. */
function linesOf(
  store: CitedStore,
  document: DocumentRow,
  chunk: Omit<Chunk, 'text'>,
): Pick<CitedLines, 'start' | 'end' | 'section' | 'symbol' | 'lang'> {
  const section = chunk.sectionLabel;
  const [first] = chunk.sourceSpans;
  const last = chunk.sourceSpans.at(-1);
  if (first?.kind === 'line' && last?.kind === 'line') return { start: first.start, end: last.end, section };
  if (first?.kind === 'code' && last?.kind === 'code')
    return { start: first.line_start, end: last.line_end, section, symbol: first.symbol, lang: first.lang };
  return { ...new LineIndex(store.readText(document.docId)).linesOf(chunk.start, chunk.end), section };
}

/** What every citation begins with. */
interface CitationHead<K extends Citation['kind']> {
  readonly schema_version: 'citation.v1';
  readonly kind: K;
  readonly path: string;
  readonly uri: string;
  readonly content_hash: string;
  readonly source_id?: string;
}

function head<K extends Citation['kind']>(
  { workspacePath: path, sourceId }: DocumentRow,
  { kind, fragment, text }: { readonly kind: K; readonly fragment: UriFragment; readonly text: string },
): CitationHead<K> {
  return {
    schema_version: 'citation.v1',
    kind,
    path,
    uri: formatUri({ path, fragment }),
    content_hash: blake3Short(text),
    ...(sourceId === 'default' ? {} : { source_id: sourceId }),
  };
}
