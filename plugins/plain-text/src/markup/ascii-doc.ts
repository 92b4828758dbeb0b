import { closingLine, isBlank, type Mark, type Marked } from './marks.ts';

const HEADING = /^(={1,6}|#{1,6})[ \t]+(\S.*?)(?:[ \t]+\1)?[ \t]*$/;
/** Delimiters of blocks whose lines are not markup. */
const VERBATIM = /^(?:-{4,}|\.{4,}|\+{4,}|\/{4,}|`{3,}.*)$/;
const STUB = /^(?::!?[\w-]+!?:.*|include::\S*\[.*\]|toc::\[.*\]|(?:ifdef|ifndef|ifeval|endif)::.*|\/\/(?!\/).*)$/;
const SOURCE = /^\[(?:source|listing)(?:%\w+)?,\s*"?([\w+#-]+)/;
/** The underlines of titles in the older form, by level. */
const UNDERLINES = '=-~^+';

/** Lines that AsciiDoc has besides titles: attributes, attributes of blocks, anchors, inclusions and terms. */
const OTHER_SIGNS = /^(?::!?[\w-]+!?:(?: .*)?|\[\[?[a-z][\w%,="'. -]*\]?\]|include::\S+\[.*\]|[^\s.].*::)[ \t]*$/m;

/** Whether a plain text is AsciiDoc: it has several titles, underlined in their exact length if at all, and other signs, but no directive of reStructuredText. */
export function isAsciiDoc(text: string, lines: readonly string[]): boolean {
  const isTitle = (line: string, at: number): boolean =>
    /^={1,5} \S/.test(line) ||
    (underlinedLevel(lines, at) !== null && line.trimEnd().length === lines[at + 1]?.trimEnd().length);
  return OTHER_SIGNS.test(text) && !/^\.\. /m.test(text) && lines.filter(isTitle).length > 1;
}

/** The headings, verbatim blocks and attributes of AsciiDoc. */
export function markAsciiDoc(lines: readonly string[]): Marked {
  const marks: Mark[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] ?? '').trimEnd();
    const underlined = underlinedLevel(lines, at);
    if (underlined !== null) {
      marks.push({ kind: 'heading', first: at, last: at + 1, level: underlined, text: plain(line) });
      at++;
      continue;
    }
    if (VERBATIM.test(line)) {
      const fence = line.startsWith('`') ? '```' : line;
      const last = closingLine(lines, at, (other) => other.trimEnd() === fence);
      const lang = line.startsWith('`')
        ? line.replace(/^`+/, '').trim()
        : (SOURCE.exec(lines[at - 1] ?? '')?.[1] ?? '');
      marks.push({ kind: 'code', first: at, last, lang: lang === '' ? null : lang });
      at = last;
      continue;
    }
    const [, signs = '', text] = HEADING.exec(line) ?? [];
    if (text !== undefined)
      marks.push({ kind: 'heading', first: at, last: at, level: signs.length, text: plain(text) });
    else if (STUB.test(line)) marks.push({ kind: 'stub', first: at, last: at });
  }
  return { marks };
}

/** The level of a title whose next line underlines it in about its length; null when there is none. */
function underlinedLevel(lines: readonly string[], at: number): number | null {
  const [title, under] = [(lines[at] ?? '').trimEnd(), (lines[at + 1] ?? '').trimEnd()];
  const level = UNDERLINES.indexOf(under.charAt(0)) + 1;
  const isTitle = /^[\p{L}\p{N}]/u.test(title) && isBlank(lines[at - 1]);
  const isLine = under.length >= 2 && under === under.charAt(0).repeat(under.length);
  return isTitle && level > 0 && isLine && Math.abs(under.length - title.length) <= 1 ? level : null;
}

function plain(text: string): string {
  return text
    .replaceAll(/\[\[[^\]]*\]\]/g, '')
    .replaceAll(/(?:https?:|link:|xref:)\S*?\[([^\]]*)\]/g, '$1')
    .replaceAll(/(?<![\p{L}\p{N}])([`*_#+]{1,2})(\S(?:.*?\S)?)\1(?![\p{L}\p{N}])/gu, '$2')
    .trim();
}
