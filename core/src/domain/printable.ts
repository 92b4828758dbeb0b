// Text of documents, file names and values of project files are untrusted: they must not control the terminal or change the display order.
// Matches control characters, line and paragraph separators, bidirectional controls, and lone surrogates. All are one UTF-16 unit long, and
// so are their replacements, so that offsets stay valid.
const UNPRINTABLE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/gu;
const REPLACEMENT = '\u{fffd}';
const PICTURES = 0x2400;

/** A text as one line that is safe to show: control characters are replaced by visible symbols. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, picture);
}

/** Like {@link printable}, but keeps line ends and tabs. */
export function printableLines(text: string): string {
  return text.replaceAll(UNPRINTABLE, (char) => (char === '\n' || char === '\t' ? char : picture(char)));
}

/** JSON that is safe to show and has the same value: unprintable characters that JSON allows unescaped are escaped. */
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

/** Quotes a text as one shell word, where a shell would read it otherwise. */
export function shellWord(text: string): string {
  return /^(?!~)[\p{L}\p{M}\p{N}_@%+=:,./~-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
