import type { Related } from '@kebab/core/app';
import { documentHref, placeHref, placeOfUri, type DocumentAddress } from '../address.ts';
import { html, type Html, type Part } from '../html.ts';
import type { Texts } from '../texts.ts';
import { plainText } from './inline.ts';
import { layout, listOf, note } from './layout.ts';

/** The page of what is around a document: near copies, links from and to it, and the nearest documents. */
export function aroundPage(document: DocumentAddress, related: Related, texts: Texts): Html {
  const { title, near_copies: copies, links_in: from, links_out: to, nearest, unresolved, counts } = related;
  const list = (name: string, entries: readonly Entry[], count = entries.length): Part =>
    listOf(
      html`${name} <span class="count">${count}</span>`,
      entries.map((one) => entry(one, document.sourceId, texts)),
    );
  return layout({
    title: `${texts.around}: ${title}`,
    texts,
    jsonHref: placeHref('/around.json', document),
    main: html`<h1>${texts.around}</h1>
      <p class="path"><a href="${documentHref(document)}">${document.path}</a></p>
      ${list(texts.nearCopies, copies, counts.near_copies)}
      <div class="pair">${list(texts.linksOut, to, counts.links_out)}${list(texts.linksIn, from, counts.links_in)}</div>
      ${unresolved.length > 0 && note(`${texts.unresolved} ${unresolved.map(({ target }) => target).join(', ')}`, 'warn')}
      ${list(texts.nearestDocuments, nearest)}`,
  });
}

interface Entry {
  readonly uri: string;
  readonly title?: string | undefined;
  readonly section?: string | null | undefined;
  readonly snippet?: string | undefined;
}

function entry({ uri, title, section, snippet }: Entry, sourceId: string, texts: Texts): Html {
  const place = placeOfUri(uri, sourceId);
  return html`<div class="hit">
    <a class="place" href="${documentHref(place)}"
      >${title ?? place.path}${place.at !== undefined && html` <span class="at">${texts.at(place.at)}</span>`}</a
    >
    <span class="more">${title === undefined ? section : place.path}</span>
    ${snippet !== undefined && html`<p>${plainText(snippet, place.path)}</p>`}
  </div>`;
}
