import type sharp from 'sharp';

/** The image library, loaded with the first image. */
export type Sharp = typeof sharp;

let loading: Promise<Sharp> | undefined;

/** Loads the image library once, without its cache and with one thread, so that memory is bounded. */
export function loadSharp(): Promise<Sharp> {
  loading ??= import('sharp').then(({ default: library }) => {
    library.cache(false);
    library.concurrency(1);
    return library;
  });
  return loading;
}
