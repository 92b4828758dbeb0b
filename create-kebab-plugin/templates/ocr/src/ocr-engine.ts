import { invalidInput, throwIfCancelled, type OcrEngine, type OcrRegion } from '@kebab/plugin';
import { darkPixels } from './dark-pixels.ts';

/** The settings of a user. */
export interface Settings {
  readonly threshold: number;
}

const BITS = 8;

/**
 * Creates the engine. It reads punched tape: a picture of eight rows of squares in which each column is a byte, dark for 1, with the
 * highest bit on top. kebab passes only pixels, upright and as a PNG. Replace `readTape` with your recogniser and return its results as
 * `regions` too.
 */
export function createEngine({ threshold }: Settings): OcrEngine {
  return {
    id: '{{id}}',
    version: '1',
    fingerprint: () => `threshold=${threshold}`,
    recognize: async ({ png, width, height }, { signal }) => {
      throwIfCancelled(signal, 'ocr');
      const lines = readTape(png, threshold)
        .split('\n')
        .map((line) => line.trim());
      const words = lines.filter((line) => line !== '');
      const regions = words.map((text, at): OcrRegion => {
        const band = Math.floor(height / words.length);
        return { text, bbox: [0, at * band, width, Math.max(1, band)], confidence: 1 };
      });
      return { regions, joined: words.join('\n'), engine: '{{id}}', engineVersion: '1' };
    },
  };
}

/** The text of a tape; empty for a picture that is not a tape. Throws `invalid_input` for anything but a PNG. */
function readTape(png: Uint8Array, threshold: number): string {
  const picture = darkPixels(png, threshold);
  if (picture === null) throw invalidInput('the image is not a PNG with eight bits a channel', { field: 'png' });
  const square = picture.height / BITS;
  const bytes = Array.from({ length: Math.floor(picture.width / square) }, (_, column) => {
    let byte = 0;
    for (let bit = 0; bit < BITS; bit++)
      byte = byte * 2 + (picture.isDark(Math.floor((column + 0.5) * square), Math.floor((bit + 0.5) * square)) ? 1 : 0);
    return byte;
  });
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
    return /^[\P{Cc}\n]*$/u.test(text) ? text : '';
  } catch {
    return '';
  }
}
