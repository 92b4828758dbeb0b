/** The largest message that is read, in bytes. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

const NEWLINE = 0x0a;

/**
 * The lines of a stream of UTF-8 bytes; lines of white space only are left out. A line longer than `maxBytes` comes as
 * null: its bytes are dropped as they arrive, so that memory stays bounded.
 */
export async function* splitLines(
  input: AsyncIterable<Uint8Array>,
  maxBytes: number = MAX_MESSAGE_BYTES,
): AsyncGenerator<string | null, void, undefined> {
  let parts: Uint8Array[] = [];
  let length = 0;
  for await (const piece of input) {
    let from = 0;
    for (let to = piece.indexOf(NEWLINE); to !== -1; to = piece.indexOf(NEWLINE, from)) {
      const line = take(piece.subarray(from, to));
      if (line !== '') yield line;
      from = to + 1;
    }
    keep(piece.subarray(from));
  }
  const last = take(new Uint8Array());
  if (last !== '') yield last;

  function keep(bytes: Uint8Array): void {
    length += bytes.length;
    if (length > maxBytes) parts = [];
    else if (bytes.length > 0) parts.push(bytes);
  }

  function take(bytes: Uint8Array): string | null {
    keep(bytes);
    const line = length > maxBytes ? null : Buffer.concat(parts).toString('utf8').trim();
    parts = [];
    length = 0;
    return line;
  }
}
