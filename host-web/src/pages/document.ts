import type { DocInspection } from '@kebab/core/app';
import { documentHref, pictureHref, type PlaceAddress } from '../address.ts';
import { html, type Html, type Part } from '../html.ts';
import type { Texts } from '../texts.ts';
import { blockMarkup, overlaps, type BlockContext, type Range } from './blocks.ts';
import { layout, note } from './layout.ts';
import type { Lighter } from './marked.ts';

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
}

/** A page stays well below 100 KB for usual text. */
const MAX_CHARS = 40_000;
const MAX_LINES = 400;
const MAX_LINE_CHARS = 4000;
const MAX_OUTLINE = 200;

/** The page of a document: the part around the cited place, which is lit. */
export function documentPage(page: DocumentPage, texts: Texts): Html {
  const { place, inspection } = page;
  const { summary } = inspection;
  const canBeRaw = hasLines(inspection);
  const isRaw = canBeRaw && (place.view === 'raw' || (place.view === undefined && isShownAsLines(inspection)));
  const toggle = { ...place, from: undefined, view: isRaw ? 'rendered' : 'raw' } as const;
  const title = summary.title === '' ? summary.doc_path : summary.title;
  return layout({
    title,
    texts,
    query: place.query,
    jsonHref: documentHref(place)
      .replace(/^\/doc\//, '/doc.json/')
      .replace(/#cited$/, ''),
    main: html`<article class="read">
      <h1>${title}</h1>
      <p class="path">
        ${summary.source_id !== 'default' && `${summary.source_id}:`}${summary.doc_path}${place.at !== undefined && html` <span class="at">${place.at}</span>`}
        ${canBeRaw && summary.media !== 'code' && html` · <a href="${documentHref(toggle)}">${isRaw ? texts.rendered : texts.raw}</a>`}
      </p>
      ${summary.freshness === 'changed' && note(texts.changedLong, 'warn')}${summary.freshness === 'deleted' && note(texts.deletedLong, 'warn')}
      ${page.isPlaceMissing && note(texts.placeMissing, 'warn')}
      ${isRaw ? lines(page, texts) : summary.media === 'image' ? picture(page, texts) : inspection.pages.length > 0 ? onePage(page, texts) : renderedBlocks(page, texts)}
    </article>`,
  });
}

/** Whether the lines of the text are lines of the file. */
function hasLines({ blocks }: DocInspection): boolean {
  return blocks.every(({ source_span: { kind } }) => kind === 'line' || kind === 'code' || kind === 'byte');
}

function isShownAsLines({ summary: { media } }: DocInspection): boolean {
  return media === 'code' || media === 'text';
}

/** Lines with their numbers, from shortly before the cited ones or from `from`. */
function lines({ place, text, cited, light }: DocumentPage, texts: Texts): Part {
  const all = text.split('\n');
  if (all.at(-1) === '' && all.length > 1) all.pop();
  const starts: number[] = [];
  let offset = 0;
  for (const line of all) {
    starts.push(offset);
    offset += line.length + 1;
  }
  const isCited = (at: number): boolean => {
    const start = starts[at] ?? 0;
    return overlaps({ start, end: start + (all[at]?.length ?? 0) + 1 }, cited);
  };
  const firstCited = cited === null ? -1 : all.findIndex((_, at) => isCited(at));
  const first = Math.min(Math.max(0, (place.from ?? firstCited - 9) - 1), Math.max(0, all.length - 1));
  const last = endOfWindow(all, first);
  const shown = all.slice(first, last).map((line, at) => {
    const number = first + at + 1;
    const rest = line.length - MAX_LINE_CHARS;
    return html`<span class="line${isCited(first + at) && ' lit'}" id="L${number}"
      ><a class="n" href="#L${number}" ${first + at === firstCited && html` id="cited"`}>${number}</a
      ><span>${light(line.slice(0, MAX_LINE_CHARS))}${rest > 0 && html`<i>${texts.cutLine(rest)}</i>`}</span></span
    >`;
  });
  return [
    more(first > 0, { ...place, from: Math.max(1, first + 1 - MAX_LINES) }, `↑ ${texts.earlier}`),
    html`<pre class="lines">${shown}</pre>`,
    more(last < all.length, { ...place, from: last + 1 }, `↓ ${texts.later}`),
  ];
}

/** The end of as many lines as a page takes. */
function endOfWindow(all: readonly string[], first: number): number {
  let chars = 0;
  let last = first;
  while (last < all.length && last < first + MAX_LINES && chars <= MAX_CHARS * 2)
    chars += Math.min(MAX_LINE_CHARS, all[last++]?.length ?? 0);
  return last;
}

function more(isMore: boolean, place: PlaceAddress, text: string): Part {
  return isMore && html`<p class="more"><a href="${documentHref(place).replace(/#cited$/, '')}">${text}</a></p>`;
}

/** Rendered blocks, from shortly before the cited one or from `from`, with the outline beside them. */
function renderedBlocks(page: DocumentPage, texts: Texts): Part {
  const { place, inspection, cited } = page;
  const all = inspection.blocks;
  const isCited = all.map((block) => overlaps({ start: block.text_start, end: block.text_end }, cited));
  const firstCited = isCited.indexOf(true);
  const first = Math.min(Math.max(0, place.from ?? firstBefore(all, firstCited)), Math.max(0, all.length - 1));
  const shown = all.slice(first, endOfBlocks(all, first));
  const context = contextOf(page, texts);
  const last = first + shown.length;
  const isTitle = ({ ordinal, kind, payload }: Blocks[number]): boolean =>
    ordinal === 0 && kind === 'heading' && payload['text'] === inspection.summary.title && isCited[0] === false;
  return html`<div class="columns">
    ${outline(page, { first, last, texts })}
    <div class="text">
      ${more(first > 0, { ...place, from: firstBefore(all, first, MAX_CHARS) }, `↑ ${texts.earlier}`)}
      ${shown.map((block, at) => !isTitle(block) && blockMarkup(block, context, first + at === firstCited))}
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

function endOfBlocks(all: Blocks, first: number): number {
  const start = all[first]?.text_start ?? 0;
  const end = all.findIndex((block, at) => at > first && block.text_end - start > MAX_CHARS);
  return end === -1 ? all.length : end;
}

function contextOf({ place, text, cited, light }: DocumentPage, texts: Texts): BlockContext {
  return { document: { sourceId: place.sourceId, path: place.path }, text, cited, light, texts };
}

function outline(
  { place, inspection, cited }: DocumentPage,
  { first, last, texts }: { readonly first: number; readonly last: number; readonly texts: Texts },
): Part {
  const headings = inspection.blocks.filter(({ kind }) => kind === 'heading').slice(0, MAX_OUTLINE);
  if (headings.length < 2) return null;
  const firstCited = inspection.blocks.findIndex((block) =>
    overlaps({ start: block.text_start, end: block.text_end }, cited),
  );
  const hrefOf = (ordinal: number): string => {
    if (ordinal === firstCited) return '#cited';
    if (ordinal >= first && ordinal < last) return `#b${ordinal}`;
    return documentHref({ ...place, at: undefined, chunk: undefined, from: ordinal });
  };
  const item = ({ ordinal, payload }: Blocks[number]): Html =>
    html`<li class="level${Math.min(4, Number(payload['level']) || 1)}">
      <a href="${hrefOf(ordinal)}">${String(payload['text'])}</a>
    </li>`;
  return html`<details class="outline">
    <summary>${texts.outline}</summary>
    <ol>
      ${headings.map(item)}
    </ol>
  </details>`;
}

/** One page of a document that has pages: as a picture, where one can be drawn, and as text. */
function onePage(page: DocumentPage, texts: Texts): Part {
  const { place, inspection, text, cited, light } = page;
  const { pages } = inspection;
  const asked = pages.find((one) => one.page === place.from);
  const current = asked ?? pages.find((one) => overlaps(one, cited)) ?? pages[0];
  if (current === undefined) return null;
  const isCited = overlaps(current, cited);
  const at = `p=${current.page}`;
  const turn = (to: number, label: string): Part =>
    pages.some((one) => one.page === to) &&
    html`<a href="${documentHref({ ...place, at: undefined, chunk: undefined, from: to })}">${label}</a>`;
  const lit: Range = isCited && cited !== null ? cited : { start: current.start, end: current.start };
  const start = Math.max(current.start, lit.start);
  const end = Math.min(current.end, lit.end);
  const isPart = isCited && (start > current.start || end < current.end);
  const isFirst = pages.find((one) => overlaps(one, cited)) === current; // the picture of a passage shows its first page
  const shot = { ...place, at, chunk: isPart && isFirst ? place.chunk : undefined };
  const inside = light(text.slice(start, end));
  const pageText = [
    light(text.slice(current.start, start)),
    isPart ? html`<span class="lit">${inside}</span>` : inside,
    light(text.slice(Math.max(start, end), current.end)),
  ];
  return [
    html`<nav class="pages" id="${isCited ? 'cited' : 'page'}">
      ${turn(current.page - 1, '←')}
      <span>${texts.pageOf(current.page, pages.length)}</span> ${turn(current.page + 1, '→')}
    </nav>`,
    html`<div class="columns beside">
      ${inspection.summary.media === 'pdf' && figure(shot, texts)}
      <section class="text">
        <h2>${texts.asText}</h2>
        <pre class="plain">${pageText}</pre>
      </section>
    </div>`,
  ];
}

/** A picture with its text below. */
function picture(page: DocumentPage, texts: Texts): Part {
  const context = contextOf(page, texts);
  const shown = page.inspection.blocks.slice(0, MAX_LINES);
  const firstCited = shown.findIndex((block) => overlaps({ start: block.text_start, end: block.text_end }, page.cited));
  return html`<div class="columns beside">
    ${figure(page.place, texts)}
    <section class="text">${shown.map((block, at) => blockMarkup(block, context, at === firstCited))}</section>
  </div>`;
}

function figure(place: PlaceAddress, texts: Texts): Html {
  return html`<figure>
    <img
      src="${pictureHref({ ...place, from: undefined, view: undefined })}"
      alt="${texts.picture}"
      data-missing="${texts.noPicture}"
    />
  </figure>`;
}
