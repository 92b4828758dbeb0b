/** Markup that only the template `html` makes, so that nothing in it comes unescaped from a document. */
export class Html {
  readonly #markup: string;

  constructor(strings: readonly string[], parts: readonly Part[]) {
    const lines = strings.map((text) => text.replaceAll(/\n\s*/g, ' '));
    this.#markup = lines.map((text, at) => text + (at < parts.length ? markupOf(parts[at]) : '')).join('');
  }

  toString(): string {
    return this.#markup;
  }
}

/** What can be put into a template: text, which is escaped; markup, which is not; nothing; or a list of these. */
export type Part = Html | string | number | null | undefined | false | readonly Part[];

/**
 * A template for markup. Values are escaped for text and for quoted attributes; attributes are always quoted in the template. A line break of
 * the template with its indentation is one space.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings, parts);
}

function markupOf(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.toString();
  return typeof part === 'object' ? part.map(markupOf).join('') : escaped(String(part));
}

/** Markup, control characters, characters that reverse the direction of others, and halves of surrogate pairs. */
// eslint-disable-next-line no-control-regex
const SPECIAL = /[&<>"'`]|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

function escaped(text: string): string {
  return text.replaceAll(
    SPECIAL,
    (one) => ENTITIES[one] ?? `⟨U+${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}
