// Text of documents and names of files are somebody else's: a terminal must not take orders from them.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/gu;
const REPLACEMENT = '\u{fffd}';
const PICTURES = 0x2400;

/** A text as one line that is safe to show: control characters become visible pictures. */
export function printable(text: string): string {
  return text.replaceAll(CONTROL, picture);
}

/** Like {@link printable}, but lines and tabs stay. */
export function printableLines(text: string): string {
  return text.replaceAll(CONTROL, (char) => (char === '\n' || char === '\t' ? char : picture(char)));
}

function picture(char: string): string {
  const code = char.charCodeAt(0);
  if (code === 0x7f) return '\u{2421}';
  return code < 0x20 ? String.fromCharCode(PICTURES + code) : REPLACEMENT;
}
