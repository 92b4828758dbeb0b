// Text of documents, names of files and values of project files come from others: a terminal must not take orders from
// them, nor show them in another order than they have. Controls, line and paragraph separators, bidirectional controls, and
// halves of surrogate pairs. All are one UTF-16 unit long, and so is what stands for them: offsets stay.
const UNPRINTABLE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/gu;
const REPLACEMENT = '\u{fffd}';
const PICTURES = 0x2400;

/** A text as one line that is safe to show: control characters become visible pictures. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, picture);
}

/** Like {@link printable}, but lines and tabs stay. */
export function printableLines(text: string): string {
  return text.replaceAll(UNPRINTABLE, (char) => (char === '\n' || char === '\t' ? char : picture(char)));
}

/** JSON that is safe to show and means the same: what JSON itself leaves raw of such characters is escaped. */
export function printableJson(json: string): string {
  return json.replaceAll(UNPRINTABLE, (char) => (char < ' ' ? char : escaped(char)));
}

function picture(char: string): string {
  const code = char.charCodeAt(0);
  if (code === 0x7f) return '\u{2421}';
  return code < 0x20 ? String.fromCharCode(PICTURES + code) : REPLACEMENT;
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
