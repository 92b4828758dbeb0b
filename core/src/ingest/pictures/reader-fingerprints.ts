import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { PictureUse } from '../../contracts/extractor.ts';

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

/** Stands between the parser fingerprint of a document and what could not be read in its pictures. */
const MARK = ' !';

/** A fingerprint with its mark taken off, and what the mark says. */
interface MarkedFingerprint {
  readonly fingerprint: string;
  readonly unread: readonly PictureUse[];
}

/**
 * Marks the parser fingerprint of a document whose pictures wait to be read because the engine was missing. It then differs
 * from the fingerprint that the document would get now, so that every later run looks at the document again.
 */
export function markUnread(fingerprint: string, unread: readonly PictureUse[]): string {
  return unread.length === 0 ? fingerprint : `${fingerprint}${MARK}${[...unread].toSorted().join('+')}`;
}

/** Takes the mark off again. */
export function unmark(marked: string): MarkedFingerprint {
  const at = marked.indexOf(MARK);
  if (at === -1) return { fingerprint: marked, unread: [] };
  const named = marked.slice(at + MARK.length).split('+');
  return { fingerprint: marked.slice(0, at), unread: named.filter((use) => use === 'ocr' || use === 'caption') };
}
