import { documentHref, fragmentOf, placeOfUri } from '../address.ts';
import { html, type Part } from '../html.ts';
import type { Lighter } from './marked.ts';

/** What the markup of a text is read in. */
export interface InlineContext {
  /** The URI of each document that the text links to, by how it writes it. */
  readonly links: ReadonlyMap<string, string>;
  readonly light: Lighter;
}

/** Spans of Markdown; their lengths are bounded, so that a hostile line costs no more than its length. */
const SPANS = new RegExp(
  [
    String.raw`(?<code>(?<ticks>\x60{1,3})(?!\x60)(?<inside>[^\n]{1,400}?)(?<!\x60)\k<ticks>(?!\x60))`,
    String.raw`(?<math>\$\$[^$]{1,400}\$\$|\$(?=[^\s$])[^$\n]{1,400}(?<!\s)\$(?!\d))`,
    String.raw`(?<image>!\[(?<alt>[^\]\n]{0,300})\]\([^()\n]{0,600}\))`,
    String.raw`(?<link>\[(?<label>[^\[\]\n]{1,300})\]\((?<target>[^()\s]{1,600})(?:\s[^()\n]{0,200})?\))`,
    String.raw`(?<wiki>!?\[\[(?<name>[^\[\]\n]{1,300})\]\])`,
    String.raw`(?<strong>\*\*(?<bold>[^*\n]{1,400})\*\*)`,
    String.raw`(?<em>\*(?<slanted>[^*\s][^*\n]{0,400})\*)`,
    String.raw`(?<escape>\\(?<char>[!-/:-@\[-\x60{-~]))`,
  ].join('|'),
  'gu',
);

/** A text whose code, emphasis, links and names of pictures are shown as such; whatever else it holds, HTML too, stays text. */
export function inline(text: string, context: InlineContext): Part {
  const { light } = context;
  const parts: Part[] = [];
  let from = 0;
  for (const { 0: whole, index, groups = {} } of text.matchAll(SPANS)) {
    parts.push(light(text.slice(from, index)));
    from = index + whole.length;
    const { inside, math, alt, label, target, name, bold, slanted, char } = groups;
    if (math !== undefined) parts.push(html`<code>${light(math)}</code>`);
    else if (inside !== undefined) parts.push(html`<code>${light(inside)}</code>`);
    else if (alt !== undefined) parts.push(html`<span class="image">${light(alt)}</span>`);
    else if (label !== undefined) parts.push(linkTo(target ?? '', inline(label, context), context));
    else if (name !== undefined) {
      const [written = '', shown = written] = name.split(/\\?\|/);
      parts.push(linkTo(written, light(shown), context));
    } else if (bold !== undefined) parts.push(html`<strong>${inline(bold, context)}</strong>`);
    else if (slanted !== undefined) parts.push(html`<em>${inline(slanted, context)}</em>`);
    else parts.push(char);
  }
  return [...parts, light(text.slice(from))];
}

/** Stands for the bar in code, which separates no cells. */
const BAR = '\uE000';

/** The line above or below a block of code, with its language; in an extract the code follows it. */
const FENCE = /(?:^|\s)\x60{3}[\w+#-]*(?=\s|$)/g;

/** The text of a piece of Markdown; a dot separates the cells of a table. */
export function withoutMarkup(markdown: string): string {
  const text = withoutSpans(markdown.replaceAll(/^(?:#{1,6}|[-*+]) /gm, '')).replaceAll(FENCE, '');
  if (!/^[ \t]{0,3}\||\|[ \t]?\||\|[ \t]?:?-{3}/m.test(text)) return text.replaceAll(BAR, '|');
  return text
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/\|(?: ?:?-{2,}:? ?\|)+\n?/g, '|')
    .replaceAll(/ ?\|(?: ?\|)* ?/g, ' · ')
    .replaceAll(/^ · | · $/gm, '')
    .replaceAll(BAR, '|');
}

const WITH_MARKUP = /\.(?:mdx?|markdown|x?html?|docx|pptx|epub|ipynb|eml)$/i;

/** The text of an extract of a document: without signs of Markdown or reStructuredText where kebab's text of it has them. */
export function plainText(text: string, path: string): string {
  if (/\.re?st$/i.test(path)) return text.replaceAll(/(?<!\S)([=~^"'*+#`-])\1{3,}(?!\S)\s*/g, '');
  return WITH_MARKUP.test(path) ? withoutMarkup(text) : text;
}

function withoutSpans(markdown: string): string {
  return markdown.replaceAll(SPANS, (...matched) => {
    const { code, inside, math, alt, label, name, bold, slanted, char } = matched.at(-1) as Readonly<
      Record<string, string>
    >;
    const outer = label ?? bold ?? slanted;
    if (outer !== undefined) return withoutSpans(outer);
    const verbatim =
      code?.startsWith('```') === true ? code.replaceAll(FENCE, '').trim() : (inside ?? math ?? char ?? '');
    return alt ?? name?.split('|').at(-1) ?? verbatim.replaceAll('|', BAR);
  });
}

/** A link to the web, or to a document of the index; any other address is left out, and its label stays. */
function linkTo(target: string, label: Part, { links }: InlineContext): Part {
  if (/^(?:https?:\/\/|mailto:)/i.test(target) && URL.canParse(target))
    return html`<a class="outside" href="${new URL(target).href}" rel="noreferrer noopener" target="_blank"
      >${label}</a
    >`;
  const written = target
    .replace(/[?#].*$/s, '')
    .trim()
    .normalize('NFC');
  const uri = links.get(written) ?? links.get(decoded(written));
  if (uri === undefined) return label;
  const at = decoded(fragmentOf(target) ?? '') || undefined;
  return html`<a href="${documentHref({ ...placeOfUri(uri), at })}">${label}</a>`;
}

function decoded(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written; // a percent sign that is not an escape
  }
}
