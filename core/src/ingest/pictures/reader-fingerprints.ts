import type { ResolvedConfig } from '../../config/resolved-config.ts';

const OFF = 'none';

/**
 * Names the OCR engine and everything configured that changes what it reads; null when OCR is off. Made from the
 * configuration alone: extractors carry it in their fingerprints, so that another engine makes them read again.
 */
export function ocrFingerprint({ ocr }: Pick<ResolvedConfig, 'ocr'>): string | null {
  const { engine, model, languages, maxPixels } = ocr;
  return engine === OFF ? null : [engine, model, languages.join('+'), `${maxPixels}px`].join('/');
}

/** The same for the captioner. */
export function captionFingerprint({ caption, ocr }: Pick<ResolvedConfig, 'caption' | 'ocr'>): string | null {
  const { provider, model, maxPixels } = caption;
  return provider === OFF ? null : [provider, model, ocr.languages.join('+'), `${maxPixels}px`].join('/');
}
