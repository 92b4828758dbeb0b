import { hashInto } from 'blake3-jit';

const encoder = new TextEncoder();
const digest = Buffer.alloc(32);
/** An id is the first half of a hash. */
const ID_BYTES = 16;
let scratch = new Uint8Array(4096);

/** The full blake3 hash of bytes, or of a text's UTF-8 bytes, as 64 lower-case hex digits. */
export function blake3Hex(data: Uint8Array | string): string {
  return hexDigest(typeof data === 'string' ? utf8(data) : data, 32);
}

/** The first 32 hex digits of the blake3 hash of a text's UTF-8 bytes, which is the form of every id. */
export function blake3Id(text: string): string {
  return hexDigest(utf8(text), ID_BYTES);
}

/**
 * The {@link blake3Id} of each text, in order. Encodes all texts in one call and all digests in another, because for a short text each
 * such call takes as long as the hash.
 */
export function blake3Ids(texts: readonly string[]): readonly string[] {
  const all = texts.join('');
  const bytes = utf8(all);
  const isAscii = bytes.length === all.length;
  const digests = Buffer.allocUnsafe(texts.length * ID_BYTES);
  let start = 0;
  let at = 0;
  for (const text of texts) {
    const end = start + (isAscii ? text.length : Buffer.byteLength(text));
    hashInto(bytes.subarray(start, end), digest, ID_BYTES);
    for (let i = 0; i < ID_BYTES; i++) digests[at++] = digest[i] as number;
    start = end;
  }
  const digits = digests.toString('hex');
  const ids: string[] = [];
  for (let from = 0; from < digits.length; from += 2 * ID_BYTES) ids.push(digits.slice(from, from + 2 * ID_BYTES));
  return ids;
}

/** "blake3-16hex": the first 16 hex digits of the blake3 hash of a text's UTF-8 bytes. */
export function blake3Short(text: string): string {
  return hexDigest(utf8(text), 8);
}

/** Encodes into a reused buffer, because an ingest mints hundreds of thousands of ids. The result is valid until the next call. */
function utf8(text: string): Uint8Array {
  if (text.length * 3 > scratch.length) {
    if (text.length > 65_536) return encoder.encode(text);
    scratch = new Uint8Array(text.length * 3);
  }
  return scratch.subarray(0, encoder.encodeInto(text, scratch).written);
}

/** Reuses one buffer for all digests, which halves the cost of a short hash. */
function hexDigest(bytes: Uint8Array, length: number): string {
  hashInto(bytes, digest);
  return digest.toString('hex', 0, length);
}
