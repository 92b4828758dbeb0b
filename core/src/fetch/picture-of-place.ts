import type { DocumentStore } from '../contracts/document-store.ts';
import type { RenderRequest } from '../contracts/extractor.ts';
import type { Block } from '../domain/block.ts';
import type { Chunk } from '../domain/chunk.ts';
import type { CanonicalDocument } from '../domain/document.ts';
import { pagesReadByOcr } from '../documents/ocr-pages.ts';
import type { UriFragment } from '../domain/uri.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { type CitedPlace, requirePage } from './cited-place.ts';

/** Which picture of a file shows a place, and what of it is cited. */
type PictureOfPlace = Pick<RenderRequest, 'picture' | 'outline'>;

/** What finding the picture of a place takes. */
interface PlaceInDocument {
  readonly place: CitedPlace;
  readonly document: CanonicalDocument;
  readonly store: Pick<DocumentStore, 'listChunks'>;
  /** Whether the file is the one that was indexed: else ranges of its text may lie elsewhere, and are not outlined. */
  readonly isFresh: boolean;
}

type Box = UriFragment & { readonly kind: 'region' };

/** What a document of pages shows when no page is named. */
const FIRST_PAGE = 1;

/**
 * Finds the picture that shows a place: a page, with the chunk outlined when one was named; or an image, with the region
 * outlined. Errors: `invalid_input` for a document that is text, and a place that the document does not have.
 */
export async function pictureOfPlace(given: PlaceInDocument): Promise<PictureOfPlace> {
  const { document, place } = given;
  if (document.mediaType.kind === 'image') return pictureOfImage(given);
  if (document.pages.length > 0) return pictureOfPage(given);
  const read = place.chunk === null ? `uri ${JSON.stringify(place.uri)}` : `chunk ${place.chunk.chunkId}`;
  throw invalidInput(`${document.workspacePath} is text: there is no picture of it`, {
    field: 'uri',
    value: place.uri,
    hint: `read it with \`kebab fetch ${read}\``,
  });
}

function pictureOfPage({ place, document, isFresh }: PlaceInDocument): PictureOfPlace {
  const { fragment, chunk } = place;
  if (fragment !== null && fragment.kind !== 'page') throw notIn(place, 'is read by page: use #p=N');
  const page = fragment?.page ?? FIRST_PAGE;
  requirePage(place.document, page);
  const picture = `page=${page}`;
  const span = chunk?.sourceSpans.find((one) => one.kind === 'page');
  // The offsets of a page that OCR read count in what OCR read, whose places are not kept.
  const { char_start: start = null, char_end: end = null } = span ?? {};
  if (start === null || end === null || !isFresh || pagesReadByOcr(document.provenance).has(page)) return { picture };
  return { picture, outline: { start, end } };
}

async function pictureOfImage(given: PlaceInDocument): Promise<PictureOfPlace> {
  const { place, document, isFresh } = given;
  const { fragment } = place;
  const parts = document.blocks.filter((block) => block.kind === 'imageref' && !isCaption(block));
  if (fragment === null || fragment.kind === 'caption') return { picture: pictureId(0, parts.length) };
  if (fragment.kind !== 'region') throw notIn(place, 'is an image: use #xywh=X,Y,W,H, #caption or no fragment');
  const at = await partOf(fragment, parts, given);
  if (isFresh) requireInside(fragment, parts[at], place);
  const { x, y, w, h } = fragment;
  return { picture: pictureId(at, parts.length), outline: { x, y, w, h } };
}

/** The extractor's name of a picture; `at` counts from 0. */
function pictureId(at: number, count: number): string {
  return count > 1 ? `page=${at + 1}` : 'image';
}

/** In which picture of a file with several a region lies: that of the chunk which is cited so, else the first. */
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

/** A frame outside the picture would not be seen. */
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
