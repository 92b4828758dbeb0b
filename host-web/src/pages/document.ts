import type { CitationCheck, DocInspection } from '@kebab/core/app';
import { documentHref, placeHref, placeOfUri, uriOf, type PlaceAddress } from '../address.ts';
import { html, type Html, type Part } from '../html.ts';
import type { Texts } from '../texts.ts';
import {
  blockMarkup,
  codeMarkup,
  headingLevels,
  lineRanges,
  overlaps,
  type BlockContext,
  type Range,
} from './blocks.ts';
import type { Colouring } from './colours.ts';
import { framed, note, postButton, REST, toAbout } from './layout.ts';
import type { Lighter } from './marked.ts';
import { pictureFigure, type ShownPicture } from './picture.ts';
import { rowsMarkup, sheetOf } from './rows.ts';

/** A document, and the place in it that was cited. */
export interface DocumentPage {
  readonly place: PlaceAddress;
  readonly inspection: DocInspection;
  /** The whole text, to which all offsets refer. */
  readonly text: string;
  readonly cited: Range | null;
  /** Whether a place was named that the document does not have. */
  readonly isPlaceMissing: boolean;
  readonly light: Lighter;
  /** Null where nothing has colours. */
  readonly colour: Colouring | null;
  /** How the cited text differs from the current one, which is shown before everything else; null when it does not. */
  readonly check: CitationCheck | null;
  /** Draws the picture of the page or image; null when it cannot be drawn. */
  readonly picture: () => Promise<ShownPicture | null>;
  /** For the form that opens the file in an editor; null where there is none. */
  readonly formToken: string | null;
}

/** The page of a document to show, of those that it has: the named one, that of the cited place, or the first. */
export function pageToShow(
  { from }: PlaceAddress,
  { pages }: Pick<DocInspection, 'pages'>,
  cited: Range | null,
): DocInspection['pages'][number] | undefined {
  return pages.find((one) => one.page === from) ?? pages.find((one) => overlaps(one, cited)) ?? pages[0];
}

/** The place whose picture is shown beside the text; null for a document of which there is no picture. */
export function picturedPlace({
  place,
  inspection,
  cited,
}: Pick<DocumentPage, 'place' | 'inspection' | 'cited'>): PlaceAddress | null {
  const { media } = inspection.summary;
  if (media === 'image') return { ...place, from: undefined, view: undefined, pin: undefined };
  const page = pageToShow(place, inspection, cited);
  if (media !== 'pdf' || page === undefined) return null;
  const isPart = cited !== null && overlaps(page, cited) && (cited.start > page.start || cited.end < page.end);
  const isFirst = inspection.pages.find((one) => overlaps(one, cited)) === page; // the picture of a passage shows its first page
  const chunk = isPart && isFirst ? place.chunk : undefined;
  return { ...place, at: `p=${page.page}`, chunk, from: undefined, view: undefined, pin: undefined };
}

/** A page stays well below 100 KB for usual text. */
const MAX_CHARS = 40_000;
const MAX_LINES = 400;
/** Lines in colours take more markup. */
const MAX_COLOURED_LINES = 250;
const MAX_LINE_CHARS = 4000;
const MAX_OUTLINE = 200;

/** The page of a document: the part around the cited place, which is lit. What is above its picture is sent before that is drawn. */
export async function* documentPage(page: DocumentPage, texts: Texts): AsyncGenerator<string> {
  const { place, inspection } = page;
  const { summary } = inspection;
  // Where the lines of the text are lines of the file.
  const hasLines = inspection.blocks.every(({ source_span: { kind } }) => /^(?:line|code|byte)$/.test(kind));
  const canBeRaw = hasLines && inspection.blocks.length > 0;
  const isPlain = summary.media === 'text' && inspection.blocks.every(({ kind }) => kind === 'paragraph');
  const isRaw = canBeRaw && (place.view ?? (isPlain || summary.media === 'code' ? 'raw' : 'rendered')) === 'raw';
  const toggle = { ...place, from: undefined, view: isRaw ? 'rendered' : 'raw' } as const;
  const title = summary.title === '' ? summary.doc_path : summary.title;
  const [head, foot] = framed({
    title,
    texts,
    query: place.query,
    hasEditor: page.formToken !== null,
    jsonHref: placeHref('/doc.json', place),
    main: html`<article class="read" data-uri="${uriOf(place)}">
      <h1>${title}</h1>
      <p class="path">
        ${summary.source_id !== 'default' && `${summary.source_id}:`}${summary.doc_path}${place.at !== undefined && html` <span class="at">${texts.at(place.at)}</span>`}
      </p>
      <div class="tools">
        ${canBeRaw && summary.media !== 'code' && html`<a href="${documentHref(toggle)}">${isRaw ? texts.rendered : texts.raw}</a>`}
        <a href="${placeHref('/around', { sourceId: place.sourceId, path: place.path })}">${texts.around}</a>
        ${page.formToken !== null && postButton({ action: '/edit', name: 'uri', value: uriOf(place), label: texts.edit }, page.formToken)}
      </div>
      ${page.check !== null && comparison(page.check, place, texts)}
      ${summary.freshness === 'changed' && note(texts.changedLong, 'warn')}${summary.freshness === 'deleted' && note(texts.deletedLong, 'warn')}
      ${page.isPlaceMissing && note(texts.placeMissing, 'warn')}
      ${inspection.blocks.length === 0 && note(toAbout(texts.noText, texts, '#skipped'))}
      ${isRaw ? lines(page, texts) : summary.media === 'image' ? picture(page, texts) : inspection.pages.length > 0 ? onePage(page, texts) : renderedBlocks(page, texts)}
    </article>`,
  });
  yield head;
  const pictured = picturedPlace(page);
  if (pictured !== null && foot !== '') {
    const drawn = await page.picture();
    yield String(drawn === null ? note(texts.noPicture) : pictureFigure({ ...place, ...pictured }, drawn, texts));
  }
  yield foot;
}

/** What was cited, and beside it what stands there now. */
function comparison({ found_uri: moved, texts: compared }: CitationCheck, place: PlaceAddress, texts: Texts): Html {
  const { cited = null, current = null } = compared ?? {};
  const to = moved === null ? null : placeOfUri(moved, place.sourceId);
  return html`<section class="changed" id="cited" aria-label="${texts.citedChanged}">
    ${note(to === null ? texts.citedChanged : [`${texts.citedMoved} `, html`<a href="${documentHref(to)}">${to.path} ${to.at}</a>`], 'warn')}
    <div class="pair">
      ${cited !== null && side(texts.citedThen, cited, { other: current, tag: 'del' })}
      ${current === null ? note(texts.nothingThere) : side(texts.standsNow, current, { other: cited, tag: 'ins' })}
    </div>
  </section>`;
}

const MAX_SIDE_LINES = 60;

/** A text whose lines that the other one lacks are marked. */
function side(
  title: string,
  text: string,
  { other, tag }: { readonly other: string | null; readonly tag: 'del' | 'ins' },
): Html {
  const known = other === null ? null : new Set(other.split('\n'));
  const marked = text.split('\n', MAX_SIDE_LINES).map((whole) => {
    const line = whole.slice(0, MAX_LINE_CHARS);
    if (known === null || known.has(whole) || line.trim() === '') return [line, '\n'];
    return [tag === 'del' ? html`<del>${line}</del>` : html`<ins>${line}</ins>`, '\n'];
  });
  return html`<section>
    <h2>${title}</h2>
    <pre class="side">${marked}</pre>
  </section>`;
}

/** Lines with their numbers, from shortly before the cited ones or from `from`. */
function lines({ place, inspection, text, cited, check, light, colour }: DocumentPage, texts: Texts): Part {
  const all = lineRanges(text);
  const firstCited = all.findIndex((line) => overlaps(line, cited));
  const start = place.from ?? (firstCited < 20 ? 1 : firstCited - 9);
  const first = Math.min(Math.max(0, start - 1), Math.max(0, all.length - 1));
  const last = endOfWindow(all, first, colour === null ? MAX_LINES : MAX_COLOURED_LINES);
  const ranges = all.slice(first, last);
  const window = ranges.map(({ start: from, end }) =>
    text.slice(from, Math.min(end, from + MAX_LINE_CHARS)).replace(/\n$/, ''),
  );
  const { code_lang: lang, doc_path: path } = inspection.summary;
  const coloured = colour?.(window.join('\n'), [lang, path.split('.').at(-1)?.toLowerCase()]);
  const shown = ranges.map((range, at) => {
    const number = first + at + 1;
    const rest = range.end - range.start - 1 - MAX_LINE_CHARS;
    return html`<span class="line${overlaps(range, cited) && ' lit'}" id="L${number}"
      ><a class="n" href="#L${number}" ${check === null && first + at === firstCited && html` id="cited"`}>${number}</a
      ><span
        >${codeMarkup(coloured?.[at] ?? [{ text: window[at] ?? '', colour: null }], light)}${rest > 0 && html`<i>${texts.cutLine(rest)}</i>`}</span
      ></span
    >`;
  });
  return [
    more(first > 0, { ...place, from: Math.max(1, first + 1 - (last - first)) }, `↑ ${texts.earlier}`),
    html`<div class="columns">
      ${unitOutline(inspection, place, { first, last, texts })}
      <pre class="lines">${shown}</pre>
    </div>`,
    more(last < all.length, { ...place, from: last + 1 }, `↓ ${texts.later}`),
  ];
}

/** The units of source code, each with a link to its first line. */
function unitOutline(
  { blocks }: DocInspection,
  place: PlaceAddress,
  { first, last, texts }: { readonly first: number; readonly last: number; readonly texts: Texts },
): Part {
  const units = blocks.flatMap(({ source_span: span }) =>
    span.kind === 'code' && span.symbol !== null && !span.symbol.startsWith('<')
      ? [{ names: span.symbol.split(/\.|::|#/), line: span.line_start }]
      : [],
  );
  const outermost = Math.min(...units.map(({ names }) => names.length));
  const entries = units.map(({ names, line }) => ({
    text: names.at(-1) ?? '',
    level: names.length - outermost + 1,
    href: line > first && line <= last ? `#L${line}` : `${documentHref(turned(place, line))}#L${line}`,
  }));
  return outlineOf(entries, texts);
}

/** The end of as many lines as a page takes. */
function endOfWindow(all: readonly Range[], first: number, maxLines: number): number {
  let chars = 0;
  let last = first;
  for (const { start, end } of all.slice(first, first + maxLines)) {
    if (chars > MAX_CHARS * 2) break;
    chars += Math.min(MAX_LINE_CHARS, end - start);
    last++;
  }
  return last;
}

function more(isMore: boolean, place: PlaceAddress, text: string): Part {
  return isMore && html`<p class="more"><a href="${placeHref('/doc', place)}">${text}</a></p>`;
}

/** Rendered blocks, from shortly before the cited one or from `from`, with the outline beside them. */
function renderedBlocks(page: DocumentPage, texts: Texts): Part {
  const { place, inspection, cited } = page;
  const all = inspection.blocks;
  const isCited = all.map((block) => overlaps({ start: block.text_start, end: block.text_end }, cited));
  const firstCited = isCited.indexOf(true);
  const first = Math.min(Math.max(0, place.from ?? firstBefore(all, firstCited)), Math.max(0, all.length - 1));
  const start = all[first]?.text_start ?? 0;
  const end = all.findIndex((block, at) => at > first && block.text_end - start > MAX_CHARS);
  const shown = all.slice(first, end === -1 ? undefined : end);
  const last = first + shown.length;
  const isTitle = ({ ordinal, kind, payload }: Blocks[number]): boolean =>
    ordinal === 0 && kind === 'heading' && payload['text'] === inspection.summary.title && isCited[0] === false;
  const under = shown.filter((block) => !isTitle(block));
  const context = contextOf(page, under, texts);
  const anchored = page.check === null ? firstCited : -1;
  const parts = shown.map((block, behind): Part => {
    const at = first + behind;
    const sheet = sheetOf(block);
    if (isTitle(block)) return null;
    const before = all[at - 1];
    if (sheet === null)
      return [
        placeLabel(block, before === undefined || isTitle(before) ? undefined : before, { place, texts }),
        blockMarkup(block, context, at === anchored),
      ];
    if (behind > 0 && sheetOf(shown[behind - 1] as Blocks[number]) === sheet) return null; // is in the table of the first row
    return rowsMarkup(all, { first: at, last }, { ...context, place, firstCited: anchored });
  });
  return html`<div class="columns">
    ${outline(page, { first, last, anchored, texts })}
    <div class="text">
      ${more(first > 0, { ...place, from: firstBefore(all, first, MAX_CHARS) }, `↑ ${texts.earlier}`)} ${parts}
      ${more(last < all.length, { ...place, from: last }, `↓ ${texts.later}`)}
    </div>
  </div>`;
}

type Blocks = DocInspection['blocks'];

/** The block from which about `chars` characters lead to another. */
function firstBefore(all: Blocks, target: number, chars = MAX_CHARS / 4): number {
  let first = Math.max(0, target);
  const end = all[first]?.text_start ?? 0;
  while (first > 0 && end - (all[first - 1]?.text_start ?? 0) <= chars) first--;
  return first;
}

function contextOf(
  { place, inspection, text, cited, light, colour }: DocumentPage,
  shown: Blocks,
  texts: Texts,
): BlockContext {
  return {
    path: place.path,
    links: new Map(inspection.links?.map(({ target, uri }) => [target, uri])),
    text,
    cited,
    light,
    colour,
    texts,
    levels: headingLevels(shown),
  };
}

/** A link to the cell, slide, section or chapter that begins with a block. */
function placeLabel(
  { source_span: span }: Blocks[number],
  before: Blocks[number] | undefined,
  { place, texts }: { readonly place: PlaceAddress; readonly texts: Texts },
): Part {
  if (span.kind !== 'anchor' || span.anchor.includes('row=')) return null; // rows have links of their own
  const last = before?.source_span;
  if (last?.kind === 'anchor' && last.anchor === span.anchor) return null;
  const here = { ...place, at: span.anchor, pin: undefined, chunk: undefined, from: undefined };
  return html`<p class="more"><a class="at" href="${documentHref(here)}">${texts.at(span.anchor)}</a></p>`;
}

function outline(
  { place, inspection }: DocumentPage,
  shown: { readonly first: number; readonly last: number; readonly anchored: number; readonly texts: Texts },
): Part {
  const { first, last, anchored, texts } = shown;
  const entries = inspection.blocks
    .filter(({ kind }) => kind === 'heading')
    .map(({ ordinal, payload }) => ({
      text: String(payload['text']),
      level: Number(payload['level']) || 1,
      href:
        ordinal < first || ordinal >= last
          ? documentHref(turned(place, ordinal))
          : `#${ordinal === anchored ? 'cited' : `b${ordinal}`}`,
    }));
  return outlineOf(entries, texts);
}

interface OutlineEntry {
  readonly text: string;
  /** From 1. */
  readonly level: number;
  readonly href: string;
}

function outlineOf(entries: readonly OutlineEntry[], texts: Texts): Part {
  if (entries.length < 2) return null;
  return html`<details class="outline">
    <summary>${texts.outline}</summary>
    <ol>
      ${entries
        .slice(0, MAX_OUTLINE)
        .map(
          ({ text, level, href }) => html`<li class="level${Math.min(3, level)}"><a href="${href}">${text}</a></li>`,
        )}
    </ol>
  </details>`;
}

/** One page of a document that has pages: as a picture, where one can be drawn, and as text. */
function onePage(page: DocumentPage, texts: Texts): Part {
  const { place, inspection, text, cited, light } = page;
  const current = pageToShow(place, inspection, cited);
  if (current === undefined) return null;
  const isCited = overlaps(current, cited);
  const lit: Range = isCited && cited !== null ? cited : { start: current.start, end: current.start };
  const start = Math.max(current.start, lit.start);
  const end = Math.min(current.end, lit.end);
  const isPart = isCited && (start > current.start || end < current.end);
  const inside = light(text.slice(start, end));
  const pageText = [
    light(text.slice(current.start, start)),
    isPart ? html`<span class="lit">${inside}</span>` : inside,
    light(text.slice(Math.max(start, end), current.end)),
  ];
  return [
    pageLinks(page, current.page, isCited && page.check === null, texts),
    pageOutline(page, texts),
    besidePicture(
      page,
      html`<h2>${texts.asText}</h2>
        <pre class="plain">${pageText}</pre>`,
    ),
  ];
}

/** Links to the neighbouring pages, the first and the last one. */
function pageLinks({ place, inspection }: DocumentPage, current: number, isCited: boolean, texts: Texts): Html {
  const numbers = inspection.pages.map(({ page }) => page);
  const ends = [numbers[0], numbers.at(-1)];
  const near = numbers.filter((one) => Math.abs(one - current) <= 2 || ends.includes(one));
  const to = (page: number, label: Part): Html => html`<a href="${documentHref(turned(place, page))}">${label}</a>`;
  const links = (numbers.length > 1 ? near : []).map((one, at) => [
    at > 0 && one - (near[at - 1] ?? 0) > 1 && '… ',
    one === current ? html`<b aria-current="page">${one}</b> ` : html`${to(one, one)} `,
  ]);
  return html`<nav class="pages" id="${isCited ? 'cited' : 'page'}" aria-label="${texts.pages}">
    <span>${texts.pageOf(current, numbers.length)}</span>
    ${numbers.includes(current - 1) && to(current - 1, `← ${texts.previous}`)}<span>${links}</span>
    ${numbers.includes(current + 1) && to(current + 1, `${texts.next} →`)}
  </nav>`;
}

/** Another part of the same document. */
function turned(place: PlaceAddress, from: number): PlaceAddress {
  return { ...place, at: undefined, pin: undefined, chunk: undefined, from };
}

/** The headings of a document with pages, each with a link to the page where its text begins. */
function pageOutline({ place, inspection: { blocks } }: DocumentPage, texts: Texts): Part {
  const headings = blocks.flatMap(({ heading_path: path, source_span: span }, at) => {
    const before = blocks[at - 1]?.heading_path ?? [];
    const common = path.findIndex((one, depth) => one !== before[depth]);
    if (span.kind !== 'page' || common === -1) return [];
    const href = documentHref(turned(place, span.page));
    return path.slice(common).map((text, depth) => ({ text, level: common + depth + 1, href }));
  });
  return outlineOf(headings, texts);
}

/** A picture with its text below. */
function picture(page: DocumentPage, texts: Texts): Part {
  const shown = page.inspection.blocks.slice(0, MAX_LINES);
  const context = contextOf(page, shown, texts);
  const cited = page.check === null ? page.cited : null; // else the comparison has its address
  const firstCited = shown.findIndex((block) => overlaps({ start: block.text_start, end: block.text_end }, cited));
  return besidePicture(
    page,
    shown.map((block, at) => blockMarkup(block, context, at === firstCited)),
  );
}

function besidePicture(page: DocumentPage, text: Part): Html {
  return html`<div class="columns beside">
    ${picturedPlace(page) !== null && REST}
    <section class="text">${text}</section>
  </div>`;
}
