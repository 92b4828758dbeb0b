import type { App, Caller, ChunkId, CitedPicture } from '@kebab/core/app';
import { LRU } from 'tiny-lru';
import { placeHref, uriOf, type PlaceAddress } from './address.ts';

/** Draws the picture of a place, with its text. */
export type DrawPicture = (place: PlaceAddress, signal: AbortSignal) => Promise<CitedPicture>;

const MAX_DRAWN = 16;
const MAX_PIXELS = 1600;

/** Pictures that the pages of a server have drawn to know where their text is, until the browser asks for them. */
export class DrawnPictures {
  readonly #drawn = new LRU<CitedPicture>(MAX_DRAWN);

  /** What draws the picture for a page of a caller, and what takes that picture for the browser, or a new one, if it was taken before. */
  of(app: App, caller: Caller | null): { readonly draw: DrawPicture; readonly take: DrawPicture } {
    const keyOf = (place: PlaceAddress): string => `${JSON.stringify(caller)} ${placeHref('/snap', place)}`;
    return {
      draw: async (place, signal) => {
        const picture = await snap(app, place, signal);
        this.#drawn.set(keyOf(place), picture);
        return picture;
      },
      take: async (place, signal) => {
        const picture = this.#drawn.get(keyOf(place));
        this.#drawn.delete(keyOf(place));
        return picture ?? snap(app, place, signal);
      },
    };
  }
}

function snap(app: App, place: PlaceAddress, signal: AbortSignal): Promise<CitedPicture> {
  const { chunk, query, zoom = 1 } = place;
  const cited =
    chunk === undefined
      ? ({ kind: 'uri', uri: uriOf(place) } as const)
      : ({ kind: 'chunk', chunkId: chunk as ChunkId } as const);
  return app.snap(cited, { maxPixels: MAX_PIXELS * zoom, withText: true, words: query, signal });
}
