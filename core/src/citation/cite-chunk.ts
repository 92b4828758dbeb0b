import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import { anchorLabel } from '../domain/anchor.ts';
import { blake3Short } from '../domain/blake3.ts';
import type { Block, TextRange } from '../domain/block.ts';
import type { Chunk } from '../domain/document.ts';
import type { DocumentId } from '../domain/ids.ts';
import { LineIndex, type SourceSpan } from '../domain/span.ts';
import { formatUri, type UriFragment } from '../domain/uri.ts';
import type { Citation } from '../wire/index.ts';
import { anchorRange, captionAt, ocrRange, readDesignated, type ReadTexts } from './read-designated.ts';

/** The store methods that citing needs. */
export type CitedStore = Pick<DocumentStore, 'readTexts' | 'getBlocks'>;

/** What of a chunk is cited, with its document. */
export interface CitedChunk {
  readonly document: DocumentRow;
  readonly chunk: Pick<Chunk, 'docId' | 'start' | 'end' | 'sectionLabel' | 'sourceSpans'>;
}

/**
 * Cites chunks: each with the kind of citation of its medium, and the hash of the text that its URI designates. Reads the store a few times
 * for all of them together.
 */
export async function citeChunks(store: CitedStore, cited: readonly CitedChunk[]): Promise<readonly Citation[]> {
  const [blocks, texts] = await Promise.all([blocksOfPlaces(store, cited), textsWithoutLines(store, cited)]);
  const places = cited.map(({ document, chunk }) =>
    placeOf(document, chunk, { blocks: blocks.get(chunk.docId) ?? [], text: texts.get(chunk.docId) ?? '' }),
  );
  return citationsOf(store, places);
}

/** Cites one chunk. */
export async function citeChunk(store: CitedStore, cited: CitedChunk): Promise<Citation> {
  const [citation] = await citeChunks(store, [cited]);
  return citation as Citation;
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

/** Cites whole lines: `code` for source code, `line` for everything else. */
export async function citeLines(store: CitedStore, document: DocumentRow, lines: CitedLines): Promise<Citation> {
  const [citation] = await citationsOf(store, [placeOfLines(document, lines)]);
  return citation as Citation;
}

/** A page to cite. */
interface CitedPage {
  readonly page: number;
  readonly section: string | null;
}

/** Cites one page. */
export async function citePage(store: CitedStore, document: DocumentRow, page: CitedPage): Promise<Citation> {
  const [citation] = await citationsOf(store, [placeOfPage(document, page)]);
  return citation as Citation;
}

/** The place that a citation designates, before its text is read. */
interface CitedPlace {
  readonly document: DocumentRow;
  /** The range of text that is hashed; null for a place without text. */
  readonly range: TextRange | null;
  /** Whether the range stands for all lines that it touches. */
  readonly isWholeLines: boolean;
  readonly write: (text: string) => Citation;
}

/** Reads the texts of all places and builds their citations. */
async function citationsOf(store: CitedStore, places: readonly CitedPlace[]): Promise<readonly Citation[]> {
  const read: ReadTexts = (slices) => store.readTexts(slices);
  const designated = places.flatMap(({ document, range, isWholeLines }) =>
    range === null ? [] : [{ docId: document.docId, range, isWholeLines, textLength: document.textLength }],
  );
  const texts = (await readDesignated(read, designated)).values();
  return places.map(({ range, write }) => write(range === null ? '' : (texts.next().value ?? '')));
}

/** The blocks of documents whose places are located by blocks. */
async function blocksOfPlaces(
  store: CitedStore,
  cited: readonly CitedChunk[],
): Promise<ReadonlyMap<DocumentId, readonly Block[]>> {
  const found = cited.filter(({ chunk }) => ['region', 'anchor'].includes(chunk.sourceSpans[0]?.kind ?? ''));
  const ids = [...new Set(found.map(({ chunk }) => chunk.docId))];
  return ids.length === 0 ? new Map() : store.getBlocks(ids);
}

/** The complete texts of documents whose spans do not give line numbers, for counting lines. */
async function textsWithoutLines(
  store: CitedStore,
  cited: readonly CitedChunk[],
): Promise<ReadonlyMap<DocumentId, string>> {
  const uncounted = cited.filter(({ chunk }) => kindOf(chunk) === 'lines' && linesInSpans(chunk) === null);
  const ids = [...new Set(uncounted.map(({ chunk }) => chunk.docId))];
  const texts = ids.length === 0 ? [] : await store.readTexts(ids.map((docId) => ({ docId })));
  return new Map(ids.map((id, at) => [id, texts[at] ?? '']));
}

function kindOf({ sourceSpans: [span] }: CitedChunk['chunk']): 'page' | 'region' | 'time' | 'anchor' | 'lines' {
  switch (span?.kind) {
    case 'page':
    case 'region':
    case 'time':
    case 'anchor':
      return span.kind;
    case 'line':
    case 'code':
    case 'byte':
    case undefined:
      return 'lines';
    default:
      return span satisfies never;
  }
}

function placeOf(
  document: DocumentRow,
  chunk: CitedChunk['chunk'],
  { blocks, text }: { readonly blocks: readonly Block[]; readonly text: string },
): CitedPlace {
  const [span] = chunk.sourceSpans;
  switch (span?.kind) {
    case 'page':
      return placeOfPage(document, { page: span.page, section: chunk.sectionLabel });
    case 'region':
      return placeOfRegion(document, { span, blocks, range: chunk });
    case 'time': {
      const { start_ms, end_ms } = span;
      const fragment = { kind: 'time', startMs: start_ms, endMs: end_ms, speaker: null } as const;
      return exactly(document, chunk, (said) => ({
        ...head(document, { kind: 'time', fragment, text: said }),
        start_ms,
        end_ms,
        speaker: null,
      }));
    }
    case 'anchor':
      return placeOfAnchor(document, { anchor: span.anchor, section: chunk.sectionLabel, blocks });
    case 'line':
    case 'code':
    case 'byte':
    case undefined: {
      const lines = linesInSpans(chunk) ?? new LineIndex(text).linesOf(chunk.start, chunk.end);
      return placeOfLines(document, { ...lines, section: chunk.sectionLabel, range: chunk });
    }
    default:
      return span satisfies never;
  }
}

function placeOfLines(document: DocumentRow, lines: CitedLines): CitedPlace {
  const { start, end, section = null, symbol = null, lang = null } = lines;
  const fragment = { kind: 'line', start, end } as const;
  const write = (text: string): Citation =>
    document.media === 'code'
      ? {
          ...head(document, { kind: 'code', fragment, text }),
          line_start: start,
          line_end: end,
          symbol,
          lang: lang ?? document.codeLang,
        }
      : { ...head(document, { kind: 'line', fragment, text }), start, end, section };
  return { document, range: lines.range, isWholeLines: true, write };
}

function placeOfPage(document: DocumentRow, { page, section }: CitedPage): CitedPlace {
  const range = document.pages.find((candidate) => candidate.page === page) ?? null;
  const fragment = { kind: 'page', page } as const;
  return exactly(document, range, (text) => ({ ...head(document, { kind: 'page', fragment, text }), page, section }));
}

function placeOfRegion(
  document: DocumentRow,
  given: {
    readonly span: SourceSpan & { readonly kind: 'region' };
    readonly blocks: readonly Block[];
    readonly range: TextRange;
  },
): CitedPlace {
  const caption = captionAt(given.blocks, given.range);
  if (caption !== null)
    return exactly(document, caption, (text) => ({
      ...head(document, { kind: 'caption', fragment: { kind: 'caption' }, text }),
      model: caption.model,
    }));
  const { x, y, w, h } = given.span;
  const fragment = { kind: 'region', x, y, w, h } as const;
  return exactly(document, ocrRange(given.blocks), (text) => ({
    ...head(document, { kind: 'region', fragment, text }),
    x,
    y,
    w,
    h,
  }));
}

/** An anchored place to cite. */
interface CitedAnchor {
  readonly anchor: string;
  readonly section: string | null;
  readonly blocks: readonly Block[];
}

/** Cites an anchored place. */
export async function citeAnchor(store: CitedStore, document: DocumentRow, place: CitedAnchor): Promise<Citation> {
  const [citation] = await citationsOf(store, [placeOfAnchor(document, place)]);
  return citation as Citation;
}

function placeOfAnchor(document: DocumentRow, { anchor, section, blocks }: CitedAnchor): CitedPlace {
  const fragment = { kind: 'anchor', anchor } as const;
  return exactly(document, anchorRange(blocks, anchor), (text) => ({
    ...head(document, { kind: 'anchor', fragment, text }),
    anchor,
    label: anchorLabel(anchor),
    section,
  }));
}

function exactly(document: DocumentRow, range: TextRange | null, write: CitedPlace['write']): CitedPlace {
  return { document, range, isWholeLines: false, write };
}

/** The lines of a chunk according to its spans; null when they do not give lines. */
function linesInSpans({
  sourceSpans,
}: CitedChunk['chunk']): Pick<CitedLines, 'start' | 'end' | 'symbol' | 'lang'> | null {
  const [first] = sourceSpans;
  const last = sourceSpans.at(-1);
  if (first?.kind === 'line' && last?.kind === 'line') return { start: first.start, end: last.end };
  if (first?.kind === 'code' && last?.kind === 'code')
    return { start: first.line_start, end: last.line_end, symbol: first.symbol, lang: first.lang };
  return null;
}

/** The members that every citation has. */
interface CitationHead<K extends Citation['kind']> {
  readonly schema_version: 'citation.v1';
  readonly kind: K;
  readonly path: string;
  readonly uri: string;
  readonly permalink: string;
  readonly content_hash: string;
  readonly source_id?: string;
}

function head<K extends Citation['kind']>(
  { workspacePath: path, sourceId }: DocumentRow,
  { kind, fragment, text }: { readonly kind: K; readonly fragment: UriFragment; readonly text: string },
): CitationHead<K> {
  const hash = blake3Short(text);
  return {
    schema_version: 'citation.v1',
    kind,
    path,
    uri: formatUri({ sourceId, path, fragment }),
    permalink: formatUri({ sourceId, path, fragment, pin: hash }),
    content_hash: hash,
    ...(sourceId === 'default' ? {} : { source_id: sourceId }),
  };
}
