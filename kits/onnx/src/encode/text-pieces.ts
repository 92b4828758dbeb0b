/** Tokenizing takes a few milliseconds for this many characters. */
const PIECE_CHARS = 8192;

/**
 * Cuts a text into pieces that can be tokenized one by one: at white space where there is any, never inside a character.
 * Joined they are the text.
 */
export function* textPieces(text: string, pieceChars: number = PIECE_CHARS): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = start + pieceChars >= text.length ? text.length : cutBefore(text, start, start + pieceChars);
    yield text.slice(start, end);
    start = end;
  }
}

function cutBefore(text: string, start: number, limit: number): number {
  for (let at = limit; at > start + (limit - start) / 2; at--) if (/\s/.test(text[at] as string)) return at;
  const splitsPair = /[\uDC00-\uDFFF]/.test(text[limit] as string) && limit > start + 1;
  return splitsPair ? limit - 1 : limit;
}
