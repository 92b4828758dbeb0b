import { isKebabError, type ExtractInput, invalidInput, isAbort } from '@kebab/core';
import type { Sharp as Pipeline } from 'sharp';
import { loadSharp, type Sharp } from '../load-sharp.ts';
import { bitmapSize, decodeBmp } from './decode-bmp.ts';
import { readExif, type ExifFacts } from './read-exif.ts';

/** One picture of an image file, upright. */
export interface ImagePart {
  readonly width: number;
  readonly height: number;
  /** Decodes the picture: upright, on white or, if it is light and transparent, on black, greyscale or color with eight bits. */
  readonly open: () => Pipeline;
}

/** An image file: its picture, the first frame of an animation, or all pages of a multi-page file. */
export interface OpenImage {
  readonly parts: readonly [ImagePart, ...ImagePart[]];
  readonly exif: ExifFacts | null;
}

const MAX_PIXELS = 40e6;
const MAX_PAGES = 1000;

/**
 * Opens an image by its content, not by its name; pixels are decoded only when a part is opened. Errors: `invalid_input` for a file that is
 * not an image, is damaged, or claims more than 40 megapixels.
 */
export async function openImage({ asset, bytes }: Pick<ExtractInput, 'asset' | 'bytes'>): Promise<OpenImage> {
  const file = asset.workspacePath;
  const format = imageFormat(bytes);
  if (format === null) throw unreadableImage(`${file} is not an image of a format that is read`);
  try {
    return format === 'bmp' ? await openBitmap(bytes, file) : await openOther(bytes, file, format === 'tiff');
  } catch (error) {
    throw imageFailure(error, file);
  }
}

async function openBitmap(bytes: Uint8Array, file: string): Promise<OpenImage> {
  const sharp = await sharpIfThere();
  const size = bitmapSize(bytes);
  refuseHuge(size, file);
  const open = (): Pipeline => {
    const { width, height, rgb } = decodeBmp(bytes);
    return sharp.use(rgb, { raw: { width, height, channels: 3 } });
  };
  return { parts: [{ ...size, open }], exif: null };
}

async function openOther(bytes: Uint8Array, file: string, hasPages: boolean): Promise<OpenImage> {
  const sharp = await sharpIfThere();
  if (!sharp.isThere) return measure(bytes, file, sharp.use);
  const pageOf = (page: number): Pipeline => sharp.use(bytes, { page, failOn: 'error', limitInputPixels: MAX_PIXELS });
  const background = await backgroundOf(() => pageOf(0));
  const partOf = async (page: number): Promise<ImagePart & Pick<OpenImage, 'exif'>> => {
    const { autoOrient, exif } = await pageOf(page).metadata();
    refuseHuge(autoOrient, file);
    const open = (): Pipeline => pageOf(page).autoOrient().flatten({ background }).toColourspace('srgb');
    return { ...autoOrient, open, exif: exif === undefined ? null : readExif(exif) };
  };
  const first = await partOf(0);
  const { pages = 1 } = hasPages ? await pageOf(0).metadata() : {};
  const others: ImagePart[] = [];
  for (let page = 1; page < Math.min(pages, MAX_PAGES); page++) others.push(await partOf(page));
  return { parts: [first, ...others], exif: first.exif };
}

const WHITE = '#fff';
const BLACK = '#000';
/** Pictures are compared with their background at this size, in pixels of the longer edge. */
const PROBE_PIXELS = 512;
/** Pixels with less of their colour, from 0 to 255, are not seen. */
const OPAQUE = 128;
/** The lightest grey that is still easy to read on white. */
const LIGHT = 180;

/** The background for the transparent parts of a picture: white, or black if what is drawn on it is light. */
async function backgroundOf(open: () => Pipeline): Promise<typeof WHITE | typeof BLACK> {
  const { hasAlpha } = await open().metadata();
  if (!hasAlpha) return WHITE;
  const size = { width: PROBE_PIXELS, height: PROBE_PIXELS, fit: 'inside', withoutEnlargement: true } as const;
  const { data, info } = await open()
    .resize(size)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let [light, seen, transparent] = [0, 0, 0];
  const { channels } = info;
  for (let at = 0; at + channels <= data.length; at += channels) {
    if ((data[at + channels - 1] ?? 0) < OPAQUE) {
      transparent++;
      continue;
    }
    seen++;
    const [red = 0, green = red, blue = red] = [data[at], data[at + 1], data[at + 2]];
    if (0.299 * red + 0.587 * green + 0.114 * blue > LIGHT) light++;
  }
  return transparent > seen / 4 && light > seen / 2 ? BLACK : WHITE;
}

/** The image library, which may be an optional part that is not installed; then only using it fails. */
async function sharpIfThere(): Promise<{ readonly isThere: boolean; readonly use: Sharp }> {
  try {
    return { isThere: true, use: await loadSharp() };
  } catch (error) {
    if (!isKebabError(error, 'model_not_pulled')) throw error;
    const fail = (): never => {
      throw error;
    };
    return { isThere: false, use: fail as unknown as Sharp };
  }
}

/** EXIF orientations from this value on are rotated by a quarter, so that width and height are swapped. */
const FIRST_QUARTER_TURN = 5;

/** Reads only the size of an image, from its first bytes, for an image that is found by its name. */
async function measure(bytes: Uint8Array, file: string, use: Sharp): Promise<OpenImage> {
  const { imageSize } = await import('image-size');
  const { width, height, orientation = 1 } = imageSize(bytes);
  const size = orientation >= FIRST_QUARTER_TURN ? { width: height, height: width } : { width, height };
  refuseHuge(size, file);
  return { parts: [{ ...size, open: () => use(bytes) }], exif: null };
}

function refuseHuge({ width, height }: { readonly width: number; readonly height: number }, file: string): void {
  if (width * height > MAX_PIXELS)
    throw unreadableImage(`${file} has ${width} × ${height} pixels; images of up to 40 megapixels are read`);
}

/**
 * Converts a failure to read an image to `invalid_input`, with the reason in one line. Errors of kebab and aborts are returned unchanged.
 */
export function imageFailure(error: unknown, file: string): unknown {
  if (isKebabError(error) || isAbort(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  const [reason = ''] = /^[^\n]*?(?=[.:\s]*(?:\n|$))/.exec(message) ?? [];
  return unreadableImage(`${file} is damaged and cannot be read: ${reason}`);
}

/** The error for a file that is not a readable image. */
function unreadableImage(message: string): Error {
  return invalidInput(message, {
    hint: 'open the file in an image viewer and save it again, or leave it out with a line in .kebabignore',
  });
}

/** The supported formats, recognised by their first bytes. */
type ImageFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'tiff' | 'bmp';

/** Bytes in hexadecimal; a dot matches any digit. */
const SIGNATURES: readonly (readonly [format: ImageFormat, pattern: RegExp])[] = [
  ['png', /^89504e470d0a1a0a/],
  ['jpeg', /^ffd8ff/],
  ['gif', /^474946383[79]61/],
  ['webp', /^52494646.{8}57454250/],
  ['tiff', /^(?:49492[ab]00|4d4d002[ab])/],
  ['bmp', /^424d.{24}/],
];
const SIGNATURE_BYTES = 14;

/** The format of an image, regardless of its name; null for everything else, including SVG. */
export function imageFormat(bytes: Uint8Array): ImageFormat | null {
  const start = Buffer.from(bytes.subarray(0, SIGNATURE_BYTES)).toString('hex');
  return SIGNATURES.find(([, pattern]) => pattern.test(start))?.[0] ?? null;
}
