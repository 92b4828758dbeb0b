import { invalidInput, throwIfCancelled, type OcrEngine, type OcrRegion } from '@kebab/core';

/** What a user can set. */
export interface Settings {
  readonly keyword: string;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Makes the engine: it reads what programs write into a PNG beside its pixels, as screenshots and scans often have it. Put
 * your recogniser in place of `textEntries`; what it finds goes through the same `regions`.
 */
export function createEngine({ keyword }: Settings): OcrEngine {
  return {
    id: '{{id}}',
    version: '1',
    fingerprint: () => keyword,
    recognize: async ({ png, width, height }, { signal }) => {
      throwIfCancelled(signal, 'ocr');
      const lines = textEntries(png, keyword).flatMap((text) => text.split('\n'));
      const words = lines.map((line) => line.trim()).filter((line) => line !== '');
      const regions = words.map((text, at): OcrRegion => {
        const band = Math.floor(height / words.length);
        return { text, bbox: [0, at * band, width, Math.max(1, band)], confidence: 1 };
      });
      return { regions, joined: words.join('\n'), engine: '{{id}}', engineVersion: '1' };
    },
  };
}

/** The texts that a PNG holds under a keyword. Throws `invalid_input` for bytes that are no PNG. */
function textEntries(png: Uint8Array, keyword: string): readonly string[] {
  const bytes = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  if (!bytes.subarray(0, 8).equals(SIGNATURE)) throw invalidInput('the image is not a PNG', { field: 'png' });
  const found: string[] = [];
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    const body = bytes.subarray(at + 8, at + 8 + length);
    const end = body.indexOf(0);
    if (kind === 'tEXt' && end !== -1 && body.toString('latin1', 0, end) === keyword)
      found.push(body.toString('utf8', end + 1));
    at += 12 + length;
  }
  return found;
}
