import type { DocumentStore } from '../contracts/document-store.ts';
import { wordsOf } from '../analysis/snippet.ts';
import type { AnalysedQuery } from '../analysis/analyse-query.ts';
import type { PicturePlace, RenderRequest } from '../contracts/extractor.ts';
import type { Block } from '../domain/block.ts';
import type { Chunk, CanonicalDocument } from '../domain/document.ts';
import { pagesReadByOcr } from '../documents/document-facts.ts';
import type { UriFragment } from '../domain/uri.ts';
import { drawnWidth } from '../domain/text-size.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { type CitedPlace, requirePage } from './cited-place.ts';

/** The picture of a file that shows a place, and the cited part of it. */
interface PictureOfPlace extends Pick<RenderRequest, 'picture' | 'outline' | 'marks'> {
  /** Whether OCR read the page: positions in its text are known only from the OCR result. */
  readonly isReadByOcr: boolean;
}

/** The inputs for finding the picture of a place. */
interface PlaceInDocument {
  readonly place: CitedPlace;
  readonly document: CanonicalDocument;
  readonly store: Pick<DocumentStore, 'listChunks'>;
  /** Whether the file is unchanged since it was indexed; otherwise ranges of its text may be elsewhere, and are not outlined. */
  readonly isFresh: boolean;
  /** The words to mark; null for none. */
  readonly words: AnalysedQuery | null;
}

type Box = UriFragment & { readonly kind: 'region' };

/** The page shown for a paged document when none is named. */
const FIRST_PAGE = 1;

/**
 * Finds the picture that shows a place: a page, with the chunk outlined if one was named; or an image, with the region outlined. Errors:
 * `invalid_input` for a text document, and for a place that the document does not have.
 */
export async function pictureOfPlace(request: PlaceInDocument): Promise<PictureOfPlace> {
  const { document, place } = request;
  if (document.mediaType.kind === 'image') return pictureOfImage(request);
  if (document.pages.length > 0) return pictureOfPage(request);
  const read = place.chunk === null ? `uri ${JSON.stringify(place.uri)}` : `chunk ${place.chunk.chunkId}`;
  throw invalidInput(`${document.workspacePath} is text: there is no picture of it`, {
    field: 'uri',
    value: place.uri,
    hint: `read it with \`kebab fetch ${read}\``,
  });
}

function pictureOfPage({ place, document, isFresh, words }: PlaceInDocument): PictureOfPlace {
  const { fragment, chunk } = place;
  if (fragment !== null && fragment.kind !== 'page') throw notIn(place, 'is read by page: use #p=N');
  const page = fragment?.page ?? FIRST_PAGE;
  requirePage(place.document, page);
  const picture = `page=${page}`;
  const span = chunk?.sourceSpans.find((one) => one.kind === 'page');
  const isReadByOcr = pagesReadByOcr(document.provenance).has(page);
  const { char_start: start = null, char_end: end = null } = span ?? {};
  if (!isFresh) return { picture, isReadByOcr };
  const outline = start === null || end === null ? {} : { outline: { start, end } };
  const range = document.pages.find((one) => one.page === page);
  const text = document.text.slice(range?.start, range?.end);
  return { picture, isReadByOcr, ...outline, ...(words === null ? {} : { marks: wordsOf(text, words) }) };
}

async function pictureOfImage(request: PlaceInDocument): Promise<PictureOfPlace> {
  const { place, document, isFresh, words } = request;
  const { fragment } = place;
  const parts = document.blocks.filter((block) => block.kind === 'imageref' && !isCaption(block));
  const marksOf = (at: number): Pick<PictureOfPlace, 'marks'> =>
    isFresh && words !== null ? { marks: marksIn(parts[at], words) } : {};
  if (fragment === null || fragment.kind === 'caption')
    return { picture: pictureId(0, parts.length), isReadByOcr: false, ...marksOf(0) };
  if (fragment.kind !== 'region') throw notIn(place, 'is an image: use #xywh=X,Y,W,H, #caption or no fragment');
  const at = await partOf(fragment, parts, request);
  if (isFresh) requireInside(fragment, parts[at], place);
  const { x, y, w, h } = fragment;
  return { picture: pictureId(at, parts.length), isReadByOcr: false, outline: { x, y, w, h }, ...marksOf(at) };
}

/** The boxes of words in an image: a part of each OCR line, in proportion to the width of the letters. */
function marksIn(part: Block | undefined, words: AnalysedQuery): readonly PicturePlace[] {
  if (part?.kind !== 'imageref' || part.ocr === null) return [];
  return part.ocr.regions.flatMap(({ text, bbox: [x, y, w, h] }) =>
    wordsOf(text, words).map(({ start, end }) => {
      const step = w / Math.max(1, drawnWidth(text));
      const before = drawnWidth(text.slice(0, start));
      return { x: x + before * step, y, w: (drawnWidth(text.slice(0, end)) - before) * step, h };
    }),
  );
}

/** The extractor's id of a picture; `at` counts from 0. */
function pictureId(at: number, count: number): string {
  return count > 1 ? `page=${at + 1}` : 'image';
}

/** The picture of a multi-picture file that contains a region: that of the chunk with this citation, else the first. */
async function partOf(region: Box, parts: readonly Block[], { place, store }: PlaceInDocument): Promise<number> {
  if (parts.length < 2) return 0;
  const cited = place.chunk ?? (await store.listChunks(place.document.docId)).find((chunk) => isAt(chunk, region));
  return Math.max(
    0,
    parts.findIndex(({ blockId }) => cited?.blockIds.includes(blockId)),
  );
}

function isAt({ sourceSpans: [span] }: Pick<Chunk, 'sourceSpans'>, { x, y, w, h }: Box): boolean {
  return span?.kind === 'region' && span.x === x && span.y === y && span.w === w && span.h === h;
}

/** A frame outside the picture would not be visible. */
function requireInside({ x, y, w, h }: Box, part: Block | undefined, place: CitedPlace): void {
  if (part?.sourceSpan.kind !== 'region') return;
  const { w: width, h: height } = part.sourceSpan;
  if (w > 0 && h > 0 && x < width && y < height) return;
  throw notIn(place, `is ${width} × ${height} pixels: the region lies outside`);
}

function isCaption(block: Block): boolean {
  return block.kind === 'imageref' && block.caption !== null && block.ocr === null;
}

function notIn({ document, uri }: CitedPlace, why: string): Error {
  return invalidInput(`${document.workspacePath} ${why}`, { field: 'uri', value: uri });
}
