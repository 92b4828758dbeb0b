import {
  throwIfCancelled,
  type Extractor,
  type BlockDraft,
  type ExtractInput,
  type ExtractedDocument,
  type JsonValue,
  type SourceSpan,
} from '@kebab/core';
import type { ImageConfig } from '../image-config.ts';
import { openImage, type ImagePart, type OpenImage } from './open-image.ts';
import { renderPicture } from './render-picture.ts';
import { fittedSize, inImagePixels, pictureReading, pictureRequests } from './picture-geometry.ts';

const VERSION = '2';

/**
 * Creates the extractor `image`: PNG, JPEG, WebP, GIF, TIFF and BMP, recognised by their bytes. Their text comes from the OCR engine and
 * the captioner of the host; without these an image is found by its name.
 */
export function createImageExtractor(config: ImageConfig): Extractor {
  const { ocr, caption, ocrPixels } = config;
  return {
    id: 'image',
    version: VERSION,
    match: { media: ['image'] },
    isolation: 'worker',
    spans: ['region'],
    fingerprint: () =>
      `image@${VERSION}+${JSON.stringify({ ocr, caption, ocrPixels: ocr === null ? null : ocrPixels })}`,
    supports: (media) => media.kind === 'image',
    parserVersion: () => 'image-v1',
    chunkerId: () => 'image-text-v1',
    extract: async (input, { signal }) => {
      throwIfCancelled(signal, 'extract');
      return imageDocument(await openImage(input), input, config);
    },
    render: async (input, request, { signal }) => {
      throwIfCancelled(signal, 'render');
      return renderPicture({ image: await openImage(input), input, ocrPixels }, request);
    },
  };
}

const NO_HEADINGS: readonly string[] = Object.freeze([]);
const GAP = '\n\n';

/**
 * The document of an image: a block with the text of each of its pictures, empty if none was recognised, and one with the caption if there
 * is one. On the first call, without readings, it requests OCR and captions.
 */
function imageDocument(image: OpenImage, input: ExtractInput, config: ImageConfig): ExtractedDocument {
  const { parts } = image;
  const draft = new DocumentDraft(input);
  for (const [at, part] of parts.entries()) draft.addText(part, at, parts.length, config.ocrPixels);
  draft.addCaption(parts[0], parts.length);
  const asked = input.readings === undefined ? pictureRequests(parts.length, config) : [];
  return {
    text: draft.text,
    blocks: draft.blocks,
    metadata: { user: { image: factsOf(image) } },
    ...(asked.length === 0 ? {} : { pictures: asked }),
  };
}

class DocumentDraft {
  readonly blocks: BlockDraft[] = [];
  readonly #input: ExtractInput;
  #text = '';

  constructor(input: ExtractInput) {
    this.#input = input;
  }

  get text(): string {
    return this.#text;
  }

  addText(part: ImagePart, at: number, count: number, ocrPixels: number): void {
    const { ocr } = pictureReading(this.#input, at, count);
    const scale = fittedSize(part, ocrPixels).width / part.width;
    const read = ocr === null ? null : inImagePixels(ocr, scale, part);
    this.#add(part, read?.joined ?? '', { ocr: read, caption: null });
  }

  addCaption(part: ImagePart, count: number): void {
    const { caption } = pictureReading(this.#input, 0, count);
    const text = caption?.text.trim() ?? '';
    if (caption !== null && text !== '') this.#add(part, text, { ocr: null, caption: { ...caption, text } });
  }

  #add(
    { width, height }: ImagePart,
    text: string,
    read: Pick<Extract<BlockDraft, { kind: 'imageref' }>, 'ocr' | 'caption'>,
  ): void {
    if (text !== '' && this.#text !== '') this.#text += GAP;
    const start = this.#text.length;
    this.#text += text;
    const { assetId, workspacePath } = this.#input.asset;
    const sourceSpan: SourceSpan = { kind: 'region', x: 0, y: 0, w: width, h: height };
    const place = { start, end: this.#text.length, headingPath: NO_HEADINGS, sourceSpan };
    this.blocks.push({ kind: 'imageref', assetId, src: workspacePath, alt: '', ...read, ...place });
  }
}

function factsOf({ parts: [first, ...others], exif }: OpenImage): JsonValue {
  const { width, height } = first;
  const { date = null, position = null, camera = null } = exif ?? {};
  return {
    width,
    height,
    ...(others.length === 0 ? {} : { pages: others.length + 1 }),
    ...(date === null ? {} : { date }),
    ...(position === null ? {} : { position: { ...position } }),
    ...(camera === null ? {} : { camera }),
  };
}
