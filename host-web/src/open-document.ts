import {
  headingAnchor,
  isKebabError,
  type App,
  type ChunkId,
  type CitationCheck,
  type DocumentId,
  type FetchResult,
  type InspectedBlock,
  type PlacedText,
} from '@kebab/core/app';
import { uriOf, type PlaceAddress } from './address.ts';
import type { DrawPicture } from './drawn-pictures.ts';
import { lineRanges, overlaps, type Range } from './pages/blocks.ts';
import { picturedPlace, type DocumentPage } from './pages/document.ts';
import { lighterFor } from './pages/marked.ts';
import type { ShownPicture } from './pages/picture.ts';

/** Enough to know which forms of the words stand in a document. */
const MAX_LIT_CHUNKS = 40;

/** Reads a document with everything that its page shows: the place, how it compares with the file, its picture and the loader of colours. */
export async function openDocument(
  { app, draw }: { readonly app: App; readonly draw: DrawPicture },
  asked: PlaceAddress,
  signal: AbortSignal,
): Promise<Omit<DocumentPage, 'formToken'>> {
  const { sourceId, path, chunk, query } = asked;
  const whole = await app.fetch({ kind: 'uri', uri: uriOf({ sourceId, path }) }, { signal });
  if (whole.kind !== 'doc') throw new TypeError(`${path} is not a document`);
  const { text } = whole;
  const inspection = await app.inspectDoc(whole.doc_id as DocumentId, { signal });
  const place = placeOfHeading(asked, inspection);
  const cited = await citedRange(app, { place, text, inspection }, signal);
  const lit = chunk === undefined || cited === null ? inspection.chunk_ids.slice(0, MAX_LIT_CHUNKS) : [chunk];
  const passages =
    query === undefined || lit.length === 0 ? [] : await app.showPassages({ query, chunkIds: lit }, { signal });
  const hasCode =
    inspection.summary.media === 'code' || inspection.blocks.some(({ payload }) => typeof payload['lang'] === 'string');
  const [colours, check] = await Promise.all([
    hasCode ? import('./pages/colours.ts') : null, // all grammars are loaded
    checkOf(app, { place, inspection }, signal),
  ]);
  return {
    place,
    inspection,
    text,
    cited,
    isPlaceMissing: cited === null && (place.at !== undefined || chunk !== undefined),
    light: lighterFor(passages.map(({ lines }) => lines)),
    colour: colours?.colour ?? null,
    check,
    picture: () => pictureFor(draw, { place, inspection, cited }, signal),
  };
}

/** Turns an error with one of the codes into null. */
export function nullFor(...codes: readonly Parameters<typeof isKebabError>[1][]): (error: unknown) => null {
  return (error) => {
    if (codes.some((code) => isKebabError(error, code))) return null;
    throw error;
  };
}

/** The place of the heading that is named, as links do; any other place as it is. */
function placeOfHeading(place: PlaceAddress, { blocks }: DocumentPage['inspection']): PlaceAddress {
  const { at = '' } = place;
  if (at === '' || /^L\d|=/.test(at)) return place;
  const name = headingAnchor(at.slice(at.lastIndexOf('#') + 1));
  const isNamed = ({ kind, payload }: InspectedBlock) =>
    kind === 'heading' && headingAnchor(String(payload['text'])) === name;
  const span = blocks.find(isNamed)?.source_span;
  if (span?.kind === 'anchor') return { ...place, at: span.anchor };
  return span?.kind === 'line' ? { ...place, at: `L${span.start}-L${span.end}` } : place;
}

/** The range of the text that a place names: of its passage, if that still exists, else of its fragment. Null when the document has neither. */
async function citedRange(
  app: App,
  { place, text, inspection }: Pick<DocumentPage, 'place' | 'text' | 'inspection'>,
  signal: AbortSignal,
): Promise<Range | null> {
  const { at, chunk } = place;
  if (chunk !== undefined && inspection.chunk_ids.includes(chunk)) {
    const { text_start: start, text_end: end } = await app.inspectChunk(chunk as ChunkId, { signal });
    return { start, end };
  }
  if (at === undefined) return null;
  const fetched = app.fetch({ kind: 'uri', uri: uriOf(place) }, { signal });
  const result = await fetched.catch(nullFor('invalid_input', 'span_not_supported'));
  return result === null ? null : rangeOf(result, text, inspection);
}

function rangeOf(result: FetchResult, whole: string, inspection: DocumentPage['inspection']): Range | null {
  switch (result.kind) {
    case 'span': {
      const lines = lineRanges(whole).slice(result.line_start - 1, result.effective_end);
      return lines[0] === undefined ? null : { start: lines[0].start, end: lines.at(-1)?.end ?? whole.length };
    }
    case 'page': {
      const { page: number } = result;
      return inspection.pages.find((one) => one.page === number) ?? null;
    }
    case 'anchor': {
      const start = result.text === '' ? -1 : whole.indexOf(result.text);
      return start === -1 ? null : { start, end: start + result.text.length };
    }
    case 'doc':
    case 'chunk':
      return null;
    default:
      return result satisfies never;
  }
}

/** Compares the cited text with the current one where they can differ: the file has changed, or the citation has a hash. Null when they do not. */
async function checkOf(
  app: App,
  { place, inspection }: Pick<DocumentPage, 'place' | 'inspection'>,
  signal: AbortSignal,
): Promise<CitationCheck | null> {
  const { pin } = place;
  if (place.at === undefined || (pin === undefined && inspection.summary.freshness !== 'changed')) return null;
  const uri = pin === undefined ? uriOf(place) : `${uriOf(place)}~${pin}`;
  const check = await app.verifyCitation(uri, { withTexts: true, signal }).catch(nullFor('invalid_input', 'io_error'));
  return check?.status === 'exact' ? null : check;
}

/** The picture of the shown page or image, with its text; null when it cannot be drawn. */
async function pictureFor(
  draw: DrawPicture,
  page: Pick<DocumentPage, 'place' | 'inspection' | 'cited'>,
  signal: AbortSignal,
): Promise<ShownPicture | null> {
  const place = picturedPlace(page);
  if (place === null) return null;
  try {
    const { width, height, texts = textsInImage(page, width) } = await draw(place, signal);
    return { width, height, texts };
  } catch (error) {
    if (isKebabError(error, 'cancelled')) throw error;
    return null; // the page says so
  }
}

/** The lines that OCR read in an image, in pixels of its picture. */
function textsInImage(
  { inspection: { blocks }, cited }: Pick<DocumentPage, 'inspection' | 'cited'>,
  width: number,
): readonly PlacedText[] {
  const parts = blocks.filter(({ kind, payload }) => kind === 'imageref' && payload['ocr'] !== null);
  const part = parts.find(({ text_start: start, text_end: end }) => overlaps({ start, end }, cited)) ?? parts[0];
  if (part?.source_span.kind !== 'region') return [];
  const { regions } = part.payload['ocr'] as {
    readonly regions: readonly { readonly text: string; readonly bbox: readonly [number, number, number, number] }[];
  };
  const scale = width / Math.max(1, part.source_span.w);
  return regions.map(({ text, bbox }, line) => {
    const [x, y, w, h] = bbox.map((one) => one * scale) as [number, number, number, number];
    return { text, line, turn: 0, x, y, w, h };
  });
}
