import type { InspectedBlock } from '@kebab/core/app';
import { html, type Html, type Part } from '../html.ts';
import type { Texts } from '../texts.ts';
import type { Colouring, Token } from './colours.ts';
import { inline, type InlineContext } from './inline.ts';
import type { Lighter } from './marked.ts';
import { wideTable } from './tables.ts';

/** A half-open range of the text of a document. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** How the blocks of a document are shown. */
export interface BlockContext extends InlineContext {
  readonly path: string;
  readonly text: string;
  /** The cited range. */
  readonly cited: Range | null;
  /** Null where nothing has colours. */
  readonly colour: Colouring | null;
  readonly texts: Texts;
  /** How deep each heading stands below others, from 1, by the number of its block. */
  readonly levels: ReadonlyMap<number, number>;
}

/** How deep each heading stands, whatever levels a document leaves out. */
export function headingLevels(blocks: readonly InspectedBlock[]): ReadonlyMap<number, number> {
  const open: number[] = [];
  const levels = new Map<number, number>();
  for (const { kind, ordinal, payload } of blocks) {
    if (kind !== 'heading') continue;
    const level = Number(payload['level']);
    while ((open.at(-1) ?? 0) >= level) open.pop();
    levels.set(ordinal, open.push(level));
  }
  return levels;
}

/** Longer blocks, as of a file that is one line, are cut. */
const MAX_BLOCK_CHARS = 20_000;
const MAX_ROWS = 200;

/** A block from kebab's own reading of the file, lit when it is cited; never the file's own markup. */
export function blockMarkup(block: InspectedBlock, context: BlockContext, isFirstCited: boolean): Html {
  const isCited = overlaps({ start: block.text_start, end: block.text_end }, context.cited);
  const isRows = block.kind === 'table'; // of a table only the cited rows are lit
  return html`<div class="block${isCited && !isRows && ' lit'}" id="${isFirstCited ? 'cited' : `b${block.ordinal}`}">
    ${content(block, context)}
  </div> `;
}

/** Whether a range and the cited one have something in common. */
export function overlaps(range: Range, cited: Range | null): boolean {
  return cited !== null && range.start < cited.end && range.end > cited.start;
}

/** The range of each line of a text from an offset on, with its line break; a last line is not empty. */
export function lineRanges(text: string, from = 0): readonly Range[] {
  const ends = [...text.slice(from).matchAll(/\n/g)].map(({ index }) => from + index + 1);
  if ((ends.at(-1) ?? from) < text.length) ends.push(text.length);
  return ends.map((end, at) => ({ start: ends[at - 1] ?? from, end }));
}

function content(block: InspectedBlock, context: BlockContext): Part {
  const { payload, kind } = block;
  const show = (text: unknown): Part => inline(cut(text), context);
  const slice = context.text.slice(block.text_start, block.text_end);
  switch (kind) {
    case 'heading':
      return heading(context.levels.get(block.ordinal) ?? 1, show(payload['text']));
    case 'paragraph':
      return paragraph(slice, context);
    case 'quote':
      return html`<blockquote>${show(payload['text'])}</blockquote>`;
    case 'list':
      return list(payload, context);
    case 'code':
      return code(payload, context);
    case 'table':
      return table(block, context);
    case 'imageref':
      return image(payload, context);
    case 'audioref':
      return html`<p>${show(slice)}</p>`;
    default:
      return kind satisfies never;
  }
}

function code({ code: text, lang }: InspectedBlock['payload'], { colour, light }: BlockContext): Html {
  const shown = cut(text);
  const lines = typeof lang === 'string' ? colour?.(shown, [lang.toLowerCase()]) : undefined;
  const coloured = lines?.map((tokens, at) => [at > 0 && '\n', codeMarkup(tokens, light)]);
  return html`<pre tabindex="0"><code>${coloured ?? light(shown)}</code></pre>`;
}

/** A line of source code in its colours, with the words of the query lit. */
export function codeMarkup(tokens: readonly Token[], light: Lighter): Part {
  return tokens.map(({ text, colour }) =>
    colour === null ? light(text) : html`<i class="${colour}">${light(text)}</i>`,
  );
}

/** A paragraph; of plain text, a table drawn with characters keeps its columns, and lines with markers are a list. */
function paragraph(slice: string, context: BlockContext): Html {
  const lines = cut(slice).trimEnd().split('\n');
  const [first = '', last = ''] = [lines[0], lines.at(-1)];
  if (lines.length > 1 && [first, last].every((line) => /^\s*(?:[+|].*[+|]|={2,}(?: +={2,})+)\s*$/.test(line)))
    return html`<pre tabindex="0">${context.light(lines.join('\n'))}</pre>`;
  const isList = lines.every((line) => MARKER.test(line));
  if (isList) return list({ ordered: /^\s*\d/.test(slice), items: lines.map((text) => ({ text })) }, context);
  const isMarkdown = /\.(?:md|mdx|markdown)$/i.test(context.path); // where a line ends a row only behind two spaces or a backslash
  if (isMarkdown && /^ {0,3}(?:([-*_])[ \t]*)(?:\1[ \t]*){2,}$/.test(slice.trimEnd())) return html`<hr />`;
  const text = isMarkdown ? cut(slice).replaceAll(/(?<! {2}|\\)\n/g, ' ') : cut(slice);
  return html`<p>${inline(text, context)}</p>`;
}

function cut(value: unknown): string {
  const text = typeof value === 'string' ? value : '';
  return text.length <= MAX_BLOCK_CHARS ? text : `${text.slice(0, MAX_BLOCK_CHARS)} …`;
}

/** The page has its own first heading, so those of the document begin below it. */
function heading(level: number, text: Part): Html {
  if (level <= 1) return html`<h2>${text}</h2>`;
  if (level === 2) return html`<h3>${text}</h3>`;
  return level === 3 ? html`<h4>${text}</h4>` : html`<h5>${text}</h5>`;
}

const MARKER = /^\s*(?:[-*+]|\d{1,9}[.)])\s+/;
/** The number of an item stays in a list of others, which shows none. */
const BULLET = /^\s*[-*+]\s+/;

function list({ ordered, items }: InspectedBlock['payload'], context: BlockContext): Html {
  const shown = (items as readonly { readonly text: string }[]).slice(0, MAX_ROWS * 5).map(({ text }) => {
    const [first = '', ...rest] = cut(text).split('\n');
    const nested = rest.map((line) => (MARKER.test(line) ? `• ${line.replace(MARKER, '')}` : line.trim()));
    const number = /^\s*(\d{1,9})[.)]/.exec(first)?.[1];
    const value = ordered === true && number !== undefined && html` value="${number}"`;
    return html`<li${value}>${inline([first.replace(ordered === true ? MARKER : BULLET, ''), ...nested].join('\n'), context)}</li>`;
  });
  return ordered === true
    ? html`<ol>
        ${shown}
      </ol>`
    : html`<ul>
        ${shown}
      </ul>`;
}

/** The rows around the cited ones, or the first ones. */
function table(block: InspectedBlock, context: BlockContext): Html {
  const { headers, rows } = block.payload as unknown as {
    readonly headers: readonly string[];
    readonly rows: readonly (readonly string[])[];
  };
  // The first two lines are the head.
  const ranges = lineRanges(context.text.slice(0, block.text_end), block.text_start).slice(2);
  const isLit = rows.map((_, at) => overlaps(ranges[at] ?? { start: 0, end: 0 }, context.cited));
  const isWhole = isLit.every(Boolean); // when all of it is cited, no row stands out
  const from = isWhole ? 0 : Math.max(0, isLit.indexOf(true) - 20);
  const shown = rows.slice(from, from + MAX_ROWS);
  const cell = (text: string): Part => inline(cut(text), context);
  const before = from > 0 ? [['…']] : [];
  const after = from + MAX_ROWS < rows.length ? [['…']] : [];
  const lit = new Set(shown.flatMap((_, at) => (isLit[from + at] === true ? [at + before.length] : [])));
  return wideTable(headers.map(cell), [...before, ...shown.map((cells) => cells.map(cell)), ...after], lit);
}

function image(payload: InspectedBlock['payload'], context: BlockContext): Html {
  const { alt, src, ocr, caption } = payload as {
    readonly alt: string;
    readonly src: string;
    readonly ocr: { readonly joined: string } | null;
    readonly caption: { readonly text: string } | null;
  };
  return html`<p class="image">${context.texts.image}: ${context.light(cut(alt === '' ? src : alt))}</p>
    ${caption !== null && html`<p>${context.light(cut(caption.text))}</p>`}
    ${ocr !== null && html`<pre class="plain">${context.light(cut(ocr.joined))}</pre>`}`;
}
