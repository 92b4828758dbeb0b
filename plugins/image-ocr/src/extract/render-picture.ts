import { invalidInput, type ExtractInput, type Picture, type RenderRequest } from '@kebab/core';
import {
  boxAround,
  type PixelBox,
  fittedSize,
  type PixelSize,
  inImagePixels,
  pictureAt,
  pictureId,
  pictureReading,
} from './picture-geometry.ts';
import { imageFailure, type ImagePart, type OpenImage } from './open-image.ts';

/** The PNG compression level; a higher one would take longer than decoding the image. */
const COMPRESSION = 3;
const OUTLINE = '#e02020';
const MARK = '#ffe14d';
/** The padding of a frame, in stroke widths. */
const PADDING = 2;

/** The input for rendering a picture. */
export interface PictureSource {
  readonly image: OpenImage;
  readonly input: ExtractInput;
  /** The longer edge of the pictures that OCR reads; readings are in their pixels. */
  readonly ocrPixels: number;
}

/** Renders one picture of an image. Errors: `invalid_input` for a picture that does not exist, or whose pixels are damaged. */
export async function renderPicture(source: PictureSource, request: RenderRequest): Promise<Picture> {
  const { parts } = source.image;
  const at = pictureAt(request.picture, parts.length);
  const part = at === null ? undefined : parts[at];
  if (at === null || part === undefined) throw unknownPicture(request.picture, parts.length);
  const size = fittedSize(part, request.maxPixels);
  const outline = outlineOf({ ...source, at, part }, request);
  try {
    let picture = part.open();
    if (size.width !== part.width || size.height !== part.height) picture = picture.resize({ ...size, fit: 'fill' });
    const scale = size.width / part.width;
    const marks = (request.marks ?? []).flatMap((mark) => ('x' in mark ? [mark] : []));
    const layers = [
      ...(marks.length === 0 ? [] : [{ input: marked(marks, size, scale), blend: 'multiply' as const }]),
      ...(outline === null ? [] : [{ input: frame(outline, size, scale) }]),
    ];
    if (layers.length > 0) picture = picture.composite(layers);
    const png = await picture.png({ compressionLevel: COMPRESSION }).toBuffer();
    return { png, ...size };
  } catch (error) {
    throw imageFailure(error, source.input.asset.workspacePath);
  }
}

function unknownPicture(value: string, count: number): Error {
  const allowed = count === 1 ? [pictureId(0, 1)] : [pictureId(0, count), pictureId(count - 1, count)];
  const message = `there is no picture ${JSON.stringify(value)}; there is ${allowed.join(' to ')}`;
  return invalidInput(message, { field: 'picture', value, allowed });
}

/** The box to outline, in pixels of the image; a range of text is looked up in the readings. */
function outlineOf(
  { input, image, ocrPixels, at, part }: PictureSource & { readonly at: number; readonly part: ImagePart },
  { outline }: RenderRequest,
): PixelBox | null {
  if (outline === undefined) return null;
  if ('x' in outline) return outline;
  const { ocr } = pictureReading(input, at, image.parts.length);
  if (ocr === null) return null;
  const { regions } = inImagePixels(ocr, fittedSize(part, ocrPixels).width / part.width, part);
  return boxAround(regions, 0, outline);
}

/** A drawing of the size of the picture that contains only the outline. */
function frame({ x, y, w, h }: PixelBox, { width, height }: PixelSize, scale: number): Buffer {
  const stroke = Math.max(2, Math.round(Math.max(width, height) / 400));
  const inside = (value: number, edge: number): number => Math.min(Math.max(value, stroke / 2), edge - stroke / 2);
  const away = PADDING * stroke;
  const [left, top] = [inside(x * scale - away, width), inside(y * scale - away, height)];
  const [right, bottom] = [inside((x + w) * scale + away, width), inside((y + h) * scale + away, height)];
  const at = `x="${left}" y="${top}" width="${right - left}" height="${bottom - top}"`;
  return drawing(`<rect ${at} fill="none" stroke="${OUTLINE}" stroke-width="${stroke}"/>`, { width, height });
}

/** The same with only marks on white, to be multiplied with the picture. */
function marked(boxes: readonly PixelBox[], size: PixelSize, scale: number): Buffer {
  const rects = boxes.map(
    ({ x, y, w, h }) =>
      `<rect x="${x * scale}" y="${y * scale}" width="${w * scale}" height="${h * scale}" fill="${MARK}"/>`,
  );
  return drawing(`<rect width="100%" height="100%" fill="#fff"/>${rects.join('')}`, size);
}

function drawing(shapes: string, { width, height }: PixelSize): Buffer {
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shapes}</svg>`);
}
