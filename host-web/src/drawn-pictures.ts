import type { App, ChunkId, CitedPicture } from '@kebab/core/app';
import { LRU } from 'tiny-lru';
import { placeHref, uriOf, type PlaceAddress } from './address.ts';

/** Pictures that pages have drawn to know where their text is, until the browser asks for them. */
const drawn = new WeakMap<App, LRU<CitedPicture>>();
const MAX_DRAWN = 4;
const MAX_PIXELS = 1600;

/** Draws the picture of a place with its text; {@link takePicture} returns the same picture once. */
export async function drawPicture(app: App, place: PlaceAddress, signal: AbortSignal): Promise<CitedPicture> {
  const picture = await snap(app, place, signal);
  const pictures = drawn.get(app) ?? new LRU<CitedPicture>(MAX_DRAWN);
  drawn.set(app, pictures.set(placeHref('/snap', place), picture));
  return picture;
}

/** The picture of a place: the one that was drawn for its page, or a new one. */
export async function takePicture(app: App, place: PlaceAddress, signal: AbortSignal): Promise<CitedPicture> {
  const pictures = drawn.get(app);
  const known = pictures?.get(placeHref('/snap', place));
  pictures?.delete(placeHref('/snap', place));
  return known ?? snap(app, place, signal);
}

function snap(app: App, place: PlaceAddress, signal: AbortSignal): Promise<CitedPicture> {
  const { chunk, query, zoom = 1 } = place;
  const cited =
    chunk === undefined
      ? ({ kind: 'uri', uri: uriOf(place) } as const)
      : ({ kind: 'chunk', chunkId: chunk as ChunkId } as const);
  return app.snap(cited, { maxPixels: MAX_PIXELS * zoom, withText: true, words: query, signal });
}
