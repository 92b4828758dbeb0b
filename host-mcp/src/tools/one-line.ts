// Control characters, line and paragraph separators, bidirectional controls, and lone surrogates.
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/gu;

/** A text for one line of an answer: file names are untrusted and must not be able to fake a line. Structured content has them unchanged. */
export function oneLine(text: string): string {
  return text.replaceAll(UNPRINTABLE, '\u{fffd}');
}
