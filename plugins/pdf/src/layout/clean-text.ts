const LINE_ENDS = /[\t\n\v\f\r\u0085\u2028\u2029]/g;
const NOT_TEXT = /[\p{Cc}\p{Cs}]/gu;

/**
 * The text of one piece, on one line: line ends and tabs are spaces, control characters and lone surrogates are U+FFFD,
 * which keeps them from counting as usable. Everything else is as it was; the length may not change.
 */
export function cleanText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replaceAll(LINE_ENDS, ' ').replaceAll(NOT_TEXT, '\uFFFD');
}

/** What most pieces are made of. */
const PLAIN = /^[\u0020-\u007E\u00A0-\u02FF\uAC00-\uD7A3]*$/;

/** The text of several lines: newlines are line feeds, and each line is cleaned as one piece; no white space at the ends. */
export function cleanLines(text: string): string {
  return text
    .split(/\r\n|[\n\r]/)
    .map((line) => cleanText(line).trimEnd())
    .join('\n')
    .trim();
}
