/** The formats that are read, as their first bytes tell them. */
export type ImageFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'tiff' | 'bmp';

/** Bytes in hexadecimal; a dot stands for any digit. */
const SIGNATURES: readonly (readonly [format: ImageFormat, pattern: RegExp])[] = [
  ['png', /^89504e470d0a1a0a/],
  ['jpeg', /^ffd8ff/],
  ['gif', /^474946383[79]61/],
  ['webp', /^52494646.{8}57454250/],
  ['tiff', /^(?:49492[ab]00|4d4d002[ab])/],
  ['bmp', /^424d.{24}/],
];
const SIGNATURE_BYTES = 14;

/** The format of an image, whatever its name says; null for everything else, pictures in SVG included. */
export function imageFormat(bytes: Uint8Array): ImageFormat | null {
  const start = Buffer.from(bytes.subarray(0, SIGNATURE_BYTES)).toString('hex');
  return SIGNATURES.find(([, pattern]) => pattern.test(start))?.[0] ?? null;
}
