import type { SearchHit, SearchResponse, ShownPassage } from '@kebab/core/app';
import { documentHref, fragmentOf, pageHref, pinOf, uriOf } from '../address.ts';
import { html, type Html, type Part } from '../html.ts';
import type { Texts } from '../texts.ts';
import { freshnessBadge, layout, note } from './layout.ts';
import { lighterFor, markedText } from './marked.ts';

/** A search and what it found. */
export interface SearchPage {
  readonly query: string;
  /** From 1. */
  readonly page: number;
  /** Null before anything was typed. */
  readonly response: SearchResponse | null;
  /** The passages of the hits, with their matches. */
  readonly passages: readonly ShownPassage[];
}

/** The page of a search: hits by document, best first, with the words of the query lit. */
export function searchPage(page: SearchPage, texts: Texts): Html {
  const { query, response } = page;
  return layout({
    title: query === '' ? texts.search : query,
    texts,
    here: 'search',
    query,
    jsonHref: response === null ? undefined : pageHref('/search.json', { q: query, page: page.page }),
    main: html`<div id="results">
      ${response === null ? html`<p class="intro">${texts.searchIntro}</p>` : results(page, response, texts)}
    </div>`,
  });
}

function results({ query, page, passages }: SearchPage, response: SearchResponse, texts: Texts): Part {
  const shown = new Map(passages.map((passage) => [passage.chunkId, passage]));
  const groups = new Map<string, SearchHit[]>();
  for (const hit of response.hits) groups.set(hit.doc_id, [...(groups.get(hit.doc_id) ?? []), hit]);
  const link = (to: number, text: string): Html => html`<a href="${pageHref('/', { q: query, page: to })}">${text}</a>`;
  return [
    html`<h1 class="count">
      ${response.hits.length === 0 ? texts.noHits : texts.hits(response.hits.length, groups.size)}
    </h1>`,
    notes(response, texts),
    [...groups.values()].map((hits) => documentGroup(hits, { query, shown, texts })),
    html`<nav class="pages">
      ${page > 1 && link(page - 1, `← ${texts.previous}`)}
      ${response.next_cursor !== null && link(page + 1, `${texts.next} →`)}
    </nav>`,
  ];
}

/** What the search could not do, and what to try instead. */
function notes(response: SearchResponse, texts: Texts): Part {
  const { suggestions, unknown_terms: unknown, relaxed, index } = response;
  const relaxedWords = [
    ...(relaxed?.phrases ?? []).map((one) => `"${one}"`),
    ...(relaxed?.excluded ?? []).map((one) => `-${one}`),
  ];
  return [
    response.nearest_only === true && note(texts.nearestOnly, 'warn'),
    unknown !== undefined && note(texts.unknownTerms(unknown.join(', ')), 'warn'),
    suggestions !== undefined && suggestionNotes(suggestions, texts),
    relaxedWords.length > 0 && note(texts.relaxed(relaxedWords.join(' '))),
    (response.notices ?? []).map(({ text, hint }) => note(texts.readAsWords(text, hint))),
    (response.unread ?? []).map(({ source_id: source, doc_path: path, why, remedy }) =>
      note(texts.notSearched(`${source}:${path}`, why, remedy), 'warn'),
    ),
    index !== undefined && note(index.changed === 0 ? index.hint : texts.filesChanged(index.changed, index.hint)),
    response.degraded
      .filter(({ reason }) => reason !== 'provider_none')
      .map(({ stage, reason, hint }) => note(texts.degraded(stage, reason, hint))),
  ];
}

function suggestionNotes({ query, words, filters }: NonNullable<SearchResponse['suggestions']>, texts: Texts): Part {
  return [
    filters.map(({ filter, value, nearest, known }) => {
      const values = nearest === null ? known.slice(0, 6) : [nearest];
      const others =
        values.length > 0 && ` ${nearest === null ? texts.thereIs : `${texts.didYouMean}:`} ${values.join(', ')}`;
      return note([texts.noDocumentHas(filter, value), others], 'warn');
    }),
    query !== null && note([`${texts.didYouMean}: `, listed([query])], 'warn'),
    words
      .filter(({ nearest }) => nearest.length > 1)
      .map(({ word, nearest }) => note([`${texts.nearTo(word)} `, listed(nearest)])),
  ];
}

function listed(queries: readonly string[]): Part {
  return queries.map((one, at) => html`${at > 0 && ', '}<a href="${pageHref('/', { q: one })}">${one}</a>`);
}

interface Showing {
  readonly query: string;
  readonly shown: ReadonlyMap<string, ShownPassage>;
  readonly texts: Texts;
}

function documentGroup(hits: readonly SearchHit[], showing: Showing): Part {
  const [first] = hits;
  if (first === undefined) return null;
  const { source_id: sourceId, doc_path: path } = first;
  const title = showing.shown.get(first.chunk_id)?.title;
  return html`<article class="document">
    <h2>
      <a href="${documentHref({ sourceId, path })}">${title === undefined ? path : markedText(title)}</a
      >${freshnessBadge(first.freshness, showing.texts)}
    </h2>
    <p class="path">
      ${sourceId !== 'default' && `${sourceId}:`}${path}${first.date !== undefined && html` · <time>${first.date.slice(0, 10)}</time>`}
    </p>
    <ol>
      ${hits.map((hit) => hitItem(hit, showing))}
    </ol>
  </article>`;
}

function hitItem(hit: SearchHit, { query, shown, texts }: Showing): Html {
  const { source_id: sourceId, doc_path: path, chunk_id: chunk, citation } = hit;
  const passage = shown.get(chunk);
  const at = fragmentOf(citation.uri);
  const place = { sourceId, path, at, pin: pinOf(citation.permalink ?? ''), chunk, query };
  const label = hit.heading_path.length > 0 ? hit.heading_path.join(' › ') : (hit.section_label ?? '');
  return html`<li class="hit" data-uri="${citation.permalink ?? uriOf({ sourceId, path, at })}">
    <a class="place" href="${documentHref(place)}"><span class="at">${at ?? path}</span> ${label}</a>
    ${hit.media === 'code' && passage !== undefined ? codeExcerpt(passage) : html`<p>${lighterFor(passage === undefined ? [] : [passage.lines])(hit.snippet)}</p>`}
    ${hit.unread !== undefined && note(hit.unread)}
    ${hit.duplicate_paths !== undefined && html`<p class="more">${texts.alsoIn} ${hit.duplicate_paths.join(', ')}</p>`}
    ${hit.more_in_doc !== undefined && html`<p class="more">${texts.moreInDocument(hit.more_in_doc)}</p>`}
  </li>`;
}

const EXCERPT_LINES = 8;

/** Some lines of source code from shortly before the first match. */
function codeExcerpt({ lines }: ShownPassage): Html {
  const first = Math.max(0, lines.findIndex(({ matches }) => matches.length > 0) - 2);
  const shown = lines.slice(first, first + EXCERPT_LINES);
  const marked = shown.map((line) => [html`<span class="n">${line.number}</span>`, markedText(line), '\n']);
  return html`<pre class="excerpt">${marked}</pre>`;
}
