/**
 * PostgreSQL stores neither U+0000 nor halves of surrogate pairs. In a stored text each of them is U+001A and its four hex digits, and so is
 * U+001A itself; all other texts are stored as they are. Every text goes through here on its way to the server and back, whatever its column.
 */
const ESCAPE = '\u001a';
/** By code points, so that a half of a pair matches only where the other half is missing. */
const TO_ESCAPE = new RegExp(`[\\0${ESCAPE}\\ud800-\\udfff]`, 'gu');
const ESCAPED = new RegExp(`${ESCAPE}([0-9a-f]{4})`, 'g');

/** A text as it is stored. */
export function encodeText(text: string): string {
  return text.replaceAll(TO_ESCAPE, (character) => ESCAPE + hexOf(character));
}

/** The text that {@link encodeText} has encoded. */
export function decodeText(stored: string): string {
  if (!stored.includes(ESCAPE)) return stored;
  return stored.replaceAll(ESCAPED, (_match, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

const IN_JSON = /\\(?:u(0000|001a|d[89a-f][0-9a-f]{2})|[^])/g;

/** JSON whose texts the server takes apart, so that each of them is encoded. JavaScript writes the characters in question as `\uXXXX`. */
export function encodeJson(value: unknown): string {
  const json = JSON.stringify(value);
  if (!/\\u(?:0000|001a|d[89a-f])/.test(json)) return json;
  return json.replaceAll(IN_JSON, (match, digits?: string) => (digits === undefined ? match : `\\u001a${digits}`));
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0');
}
