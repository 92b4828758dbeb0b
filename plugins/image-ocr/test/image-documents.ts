import type { CanonicalDocument, ExtractedDocument, Extractor, OcrText, PictureReading } from '@kebab/core';
import { assetFrom, documentFrom, silentCallContext } from '@kebab/testing';
import { createImageExtractor } from '../src/extract/image-extractor.ts';
import { DEFAULT_IMAGE_CONFIG, type ImageConfig } from '../src/image-config.ts';
import { samplePicture } from './sample-images.ts';

/** Extracts an image, with the readings of its pictures if given. */
export async function extractImage(
  bytes: Uint8Array,
  given: {
    readonly config?: Partial<ImageConfig>;
    readonly readings?: Readonly<Record<string, Partial<PictureReading>>>;
  } = {},
): Promise<ExtractedDocument> {
  const { config = {}, readings } = given;
  const extractor: Extractor = createImageExtractor({ ...DEFAULT_IMAGE_CONFIG, ...config });
  const whole = Object.entries(readings ?? {}).map(([id, one]) => [id, { ocr: null, caption: null, ...one }] as const);
  const input = { asset: assetFrom('a.png', bytes), bytes };
  return extractor.extract(
    readings === undefined ? input : { ...input, readings: new Map(whole) },
    silentCallContext(),
  );
}

/** Text as returned by an OCR engine: one line below the other, each ten pixels high and 50 wide. */
export function ocrOf(...lines: readonly string[]): OcrText {
  const regions = lines.map((text, i) => ({ bbox: [5, i * 10, 50, 10] as const, text, confidence: 0.9 }));
  return { joined: lines.join('\n'), regions, engine: 'fake', engineVersion: '1' };
}

/** The document of an image with this reading. */
export async function imageDocumentOf(
  readings: Readonly<Record<string, Partial<PictureReading>>>,
): Promise<CanonicalDocument> {
  const bytes = await samplePicture().png().toBuffer();
  const extracted = await extractImage(bytes, { readings });
  return documentFrom(extracted, assetFrom('a.png', bytes), 'image-v1');
}
