import type { ExtractedDocument, PictureReading } from '@kebab/core';
import { assetFrom, silentCallContext } from '@kebab/testing';
import { DEFAULT_PDF_CONFIG, type PdfConfig } from '../src/pdf-config.ts';
import { createPdfExtractor } from '../src/pdf-extractor.ts';

/** Extracts a file, with part of the configuration given. */
export function extract(
  bytes: Uint8Array,
  config: Partial<PdfConfig> = {},
  readings?: ReadonlyMap<string, PictureReading>,
): Promise<ExtractedDocument> {
  const extractor = createPdfExtractor({ ...DEFAULT_PDF_CONFIG, ...config });
  const input = { asset: assetFrom('a.pdf', bytes), bytes, ...(readings === undefined ? {} : { readings }) };
  return extractor.extract(input, silentCallContext());
}

/** The text of each page. */
export function pageTexts({ text, pages = [] }: ExtractedDocument): readonly string[] {
  return pages.map(({ start, end }) => text.slice(start, end));
}
