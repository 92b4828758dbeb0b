import { invalidInput, throwIfCancelled, type Captioner } from '@kebab/plugin';

/** What a user can set. */
export interface Settings {
  readonly largeFrom: number;
}

/** What can be said of a picture. */
interface Seen {
  readonly width: number;
  readonly height: number;
  readonly isLarge: boolean;
  readonly hasColours: boolean;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const HEAD_BYTES = 33;
/** Colour types of a PNG that know nothing but grey. */
const GREY: ReadonlySet<number> = new Set([0, 4]);

/** One sentence by language, on one line; kebab asks in the language of the document or of the user. */
const SENTENCES: Readonly<Record<string, (seen: Seen) => string>> = {
  en: ({ width, height, isLarge, hasColours }) =>
    `A ${isLarge ? 'large' : 'small'} picture ${hasColours ? 'in colour' : 'in shades of grey'}, ${width} by ${height} pixels.`,
  ko: ({ width, height, isLarge, hasColours }) =>
    `가로 ${width}, 세로 ${height} 픽셀의 ${isLarge ? '큰' : '작은'} ${hasColours ? '컬러' : '흑백'} 그림.`,
};

/**
 * Makes the captioner: it says what the head of a PNG says. Put your model in place of `look`, and give it the signal; what
 * it says must be one short line in the asked language.
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

/** What the head of a PNG says. Throws `invalid_input` for bytes that are no PNG. */
function look(png: Uint8Array, largeFrom: number): Seen {
  const head = Buffer.from(png.buffer, png.byteOffset, Math.min(png.byteLength, HEAD_BYTES));
  if (head.length < HEAD_BYTES || !head.subarray(0, SIGNATURE.length).equals(SIGNATURE))
    throw invalidInput('the picture is not a PNG', { field: 'png' });
  const [width, height] = [head.readUInt32BE(16), head.readUInt32BE(20)];
  return { width, height, isLarge: width * height >= largeFrom, hasColours: !GREY.has(head.readUInt8(25)) };
}
