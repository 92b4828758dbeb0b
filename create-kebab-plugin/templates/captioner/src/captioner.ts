import { invalidInput, throwIfCancelled, type Captioner } from '@kebab/plugin';

/** The settings of a user. */
export interface Settings {
  readonly largeFrom: number;
}

/** What the captioner knows about a picture. */
interface Seen {
  readonly width: number;
  readonly height: number;
  readonly isLarge: boolean;
  readonly hasColours: boolean;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const HEAD_BYTES = 33;
/** PNG colour types that are grayscale. */
const GREY: ReadonlySet<number> = new Set([0, 4]);

/** A one-line sentence by language; kebab asks for the language of the document or of the user. */
const SENTENCES: Readonly<Record<string, (seen: Seen) => string>> = {
  en: ({ width, height, isLarge, hasColours }) =>
    `A ${isLarge ? 'large' : 'small'} picture ${hasColours ? 'in colour' : 'in shades of grey'}, ${width} by ${height} pixels.`,
  ko: ({ width, height, isLarge, hasColours }) =>
    `가로 ${width}, 세로 ${height} 픽셀의 ${isLarge ? '큰' : '작은'} ${hasColours ? '컬러' : '흑백'} 그림.`,
};

/**
 * Creates the captioner, which describes the header of a PNG. Replace `look` with your model, and pass the signal to it; a caption must be
 * one short line in the requested language.
 */
export function createCaptioner({ largeFrom }: Settings): Captioner {
  return {
    id: '{{id}}',
    version: '1',
    fingerprint: () => `${largeFrom}`,
    caption: async ({ png, lang }, { signal }) => {
      throwIfCancelled(signal, 'caption');
      const say = SENTENCES[lang] ?? SENTENCES['en'];
      const text = say?.(look(png, largeFrom)) ?? '';
      return { text, model: '{{id}}', modelVersion: '1' };
    },
  };
}

/** Reads the header of a PNG. Throws `invalid_input` for anything but a PNG. */
function look(png: Uint8Array, largeFrom: number): Seen {
  const head = Buffer.from(png.buffer, png.byteOffset, Math.min(png.byteLength, HEAD_BYTES));
  if (head.length < HEAD_BYTES || !head.subarray(0, SIGNATURE.length).equals(SIGNATURE))
    throw invalidInput('the picture is not a PNG', { field: 'png' });
  const [width, height] = [head.readUInt32BE(16), head.readUInt32BE(20)];
  return { width, height, isLarge: width * height >= largeFrom, hasColours: !GREY.has(head.readUInt8(25)) };
}
