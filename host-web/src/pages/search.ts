import type { MarkedText, SearchHit, SearchResponse, ShownPassage } from '@kebab/core/app';
import { documentHref, fragmentOf, pageHref, pinOf, placeOfUri, uriOf } from '../address.ts';
import { html, type Html, type Part } from '../html.ts';
import type { Texts } from '../texts.ts';
import { hitExplanation, searchExplanation } from './explain.ts';
import { facetsMarkup, operatorOf } from './facets.ts';
import { freshnessBadge, layout, listOf, note, toAbout } from './layout.ts';
import { plainText } from './inline.ts';
import { lighterFor, markedText } from './marked.ts';

/** A search and what it found. */
export interface SearchPage {
  readonly query: string;
  /** From 1. */
  readonly page: number;
  /** Whether the last word is still being typed. */
  readonly isTyping: boolean;
  /** Whether to show how the hits were ranked. */
  readonly explain: boolean;
  /** The place about which was asked why it is no hit; empty for none. */
  readonly expected: string;
  readonly past: PastSearches | undefined;
  /** Whether the server can open files in an editor. */
  readonly hasEditor: boolean;
  /** How many are indexed; null for a search that has hits. */
  readonly documents: number | null;
  /** Null before anything was typed. */
  readonly response: SearchResponse | null;
  /** The passages of the hits, with their matches. */
  readonly passages: readonly ShownPassage[];
}

/** The searches that a user ran and saved. */
export interface PastSearches {
  readonly saved: readonly { readonly name: string; readonly command: string }[];
  /** Latest first; `query` is null for one that only its command can repeat. */
  readonly searches: readonly { readonly query: string | null; readonly command: string; readonly hits: number }[];
  /** The request that a typed query stands for: of `@NAME`, the saved one. */
  requestOf(query: string): Readonly<Record<string, unknown>> & { readonly query: string };
  /** The name in `@NAME` that no search is saved under, and the saved ones that may be meant; null where there is none. */
  unsavedIn(
    query: string,
    found: Pick<SearchResponse, 'hits'>,
  ): { readonly name: string; readonly saved: readonly string[] } | null;
}

/** The page of a search: hits by document, best first, with the words of the query lit. */
export function searchPage(page: SearchPage, texts: Texts): Html {
  const { query, response, past, hasEditor } = page;
  return layout({
    hasEditor,
    title: query === '' ? texts.search : query,
    texts,
    here: 'search',
    query,
    jsonHref: response === null ? undefined : pageHref('/search.json', { q: query, page: page.page }),
    main: html`<p class="skip" id="said" role="status"></p>
      <div id="results" data-gone="${texts.serverGone}">
        ${page.documents === 0 && note(toAbout(texts.refusals.no_index, texts), 'warn')}
        ${response === null ? [html`<h1 class="count">${texts.searchIntro(page.documents ?? 0)}</h1>`, past !== undefined && pastSearches(past, texts)] : results(page, response, texts)}
      </div>`,
  });
}

const MAX_PAST = 12;

function pastSearches({ saved, searches }: PastSearches, texts: Texts): Part {
  const named = saved.map(({ name, command }) => [searchLink(`@${name}`), html` <code class="more">${command}</code>`]);
  const last = searches
    .slice(0, MAX_PAST)
    .map(({ query, command, hits }) => [
      query === null ? html`<code>${command}</code>` : searchLink(query),
      html` <span class="count">${texts.hitCount(hits)}</span>`,
    ]);
  return html`<div class="pair">${listOf(texts.savedSearches, named)}${listOf(texts.pastSearches, last)}</div>`;
}

function results(searched: SearchPage, response: SearchResponse, texts: Texts): Part {
  const { query, page, isTyping, passages, explain } = searched;
  const shown = new Map(passages.map((passage) => [passage.chunkId, passage]));
  const groups = new Map<string, SearchHit[]>();
  for (const hit of response.hits) groups.set(hit.doc_id, [...(groups.get(hit.doc_id) ?? []), hit]);
  const to = (members: Readonly<Record<string, string | number | undefined>>, text: string): Html =>
    html`<a href="${pageHref('/', { q: query, typing: isTyping ? 1 : undefined, ...members })}">${text}</a>`;
  const best = explain ? Math.max(0, ...response.hits.map(({ score }) => score)) : null;
  return [
    html`<h1 class="count">
      ${response.hits.length === 0 ? texts.noHits : texts[page > 1 || response.next_cursor !== null ? 'hitsOfPage' : 'hits'](response.hits.length, groups.size)}
    </h1>`,
    isTyping ? null : unsavedNote(searched, response, texts),
    notes(response, isTyping, texts),
    html`<div class="columns">
      ${response.facets !== undefined && facetsMarkup(query, response.facets, texts)}
      <div class="found">
        ${explain && searchExplanation(response, searched, texts)}
        ${[...groups.values()].map((hits) => documentGroup(hits, { query, shown, best, isOnly: groups.size === 1, texts }))}
        <nav class="pages" aria-label="${texts.pages}">
          ${page > 1 && to({ page: page - 1 }, `← ${texts.previous}`)}
          ${response.next_cursor !== null && to({ page: page + 1 }, `${texts.next} →`)}
          ${response.hits.length > 0 && !explain && to({ page: page > 1 ? page : undefined, explain: 1 }, texts.whyThisOrder)}
          ${!explain && html`<a href="${pageHref('/', { q: query, explain: 1 })}#expect">${texts.whyNotHere}</a>`}
        </nav>
      </div>
    </div>`,
  ];
}

/** What the search could not do, and what to try instead. */
function notes(response: SearchResponse, isTyping: boolean, texts: Texts): Part {
  const { suggestions, unknown_terms: unknown, relaxed, index } = response;
  const changed = new Set(response.hits.flatMap(({ doc_id: id, freshness }) => (freshness === 'fresh' ? [] : [id])));
  const relaxedWords = [
    ...(relaxed?.phrases ?? []).map((one) => `"${one}"`),
    ...(relaxed?.excluded ?? []).map((one) => `-${one}`),
  ];
  return [
    response.nearest_only === true && note(texts.nearestOnly, 'warn'),
    unknown !== undefined && !isTyping && note(texts.unknownTerms(unknown.join(', ')), 'warn'),
    suggestions !== undefined && suggestionNotes(suggestions, texts),
    relaxedWords.length > 0 && note(texts.relaxed(relaxedWords.join(' '))),
    (response.notices ?? []).map(({ text, hint }) => note(texts.readAsWords(text, hint))),
    (response.unread ?? []).map(({ doc_path: path, why }) =>
      note(toAbout(texts.notSearched(why.includes(path) ? why : `${path}: ${why}`), texts, '#skipped'), 'warn'),
    ),
    changed.size > 0 && note(texts.someChanged(changed.size), 'warn'),
    response.hits.length > 0 && changed.size === 0 && html`<p class="more">${texts.allFresh}</p>`,
    index !== undefined && note(texts.indexState(index)),
    response.degraded.filter(({ reason }) => reason !== 'provider_none').map((one) => note(texts.degraded(one))),
  ];
}

function unsavedNote({ past, query }: SearchPage, response: SearchResponse, texts: Texts): Part {
  const unsaved = past?.unsavedIn(query, response) ?? null;
  if (unsaved === null) return null;
  const names = unsaved.saved.map((one) => `@${one}`);
  return note([texts.unsaved(unsaved.name), names.length > 0 && [` ${texts.savedSearches}: `, listed(names)]], 'warn');
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
  return queries.map((one, at) => [at > 0 && ', ', searchLink(one)]);
}

function searchLink(query: string): Html {
  return html`<a href="${pageHref('/', { q: query })}">${query}</a>`;
}

interface Showing {
  readonly query: string;
  readonly shown: ReadonlyMap<string, ShownPassage>;
  /** The best score of the page, when ranks are explained. */
  readonly best: number | null;
  /** Whether all hits of the page are in one document. */
  readonly isOnly: boolean;
  readonly texts: Texts;
}

/** The hits of a document that leave room for other documents. */
const MAX_OPEN = 3;

function documentGroup(hits: readonly SearchHit[], showing: Showing): Part {
  const [first] = hits;
  if (first === undefined) return null;
  const { source_id: sourceId, doc_path: path } = first;
  const title = showing.shown.get(first.chunk_id)?.title;
  const open = showing.isOnly || hits.length === MAX_OPEN + 1 ? hits.length : MAX_OPEN;
  const listItems = (some: readonly SearchHit[]): Part =>
    html`<ol>
      ${some.map((hit) => hitItem(hit, showing))}
    </ol>`;
  const more = moreHits(hits, showing);
  const folded = hits.slice(open);
  return html`<article class="document">
    <h2>
      <a href="${documentHref({ sourceId, path })}">${title === undefined ? path : markedText(title)}</a
      >${freshnessBadge(first.freshness, showing.texts)}
    </h2>
    <p class="path">
      ${sourceId !== 'default' && `${sourceId}:`}${path}${first.date !== undefined && html` · <time>${first.date.slice(0, 10)}</time>`}
    </p>
    ${listItems(hits.slice(0, open))}
    ${
      folded.length === 0
        ? more
        : html`<details>
            <summary class="more">${showing.texts.moreInDocument(folded.length)}</summary>
            ${listItems(folded)} ${more}
          </details>`
    }
  </article>`;
}

/** How many further passages of a document match, with a search for them. */
function moreHits(hits: readonly SearchHit[], { query, texts }: Showing): Part {
  const at = hits.findIndex((hit) => hit.more_in_doc !== undefined);
  const hit = hits[at];
  const more = (hit?.more_in_doc ?? 0) - (hits.length - 1 - at); // those that follow on this page are counted too
  if (hit === undefined || more <= 0) return null;
  const within = `${query} ${operatorOf('path', hit.doc_path)}`;
  return html`<p class="more"><a href="${pageHref('/', { q: within })}">${texts.moreInDocument(more)}</a></p>`;
}

function hitItem(hit: SearchHit, { query, shown, best, texts }: Showing): Html {
  const { source_id: sourceId, doc_path: path, chunk_id: chunk, citation } = hit;
  const passage = shown.get(chunk);
  const at = fragmentOf(citation.uri);
  const place = { sourceId, path, at, pin: pinOf(citation.permalink ?? ''), chunk, query };
  const elsewhere = [...(hit.also_at ?? []), ...(hit.duplicate_paths ?? [])];
  const isTitle = hit.heading_path[0] === passage?.title.text; // which stands above the hits
  const label = hit.heading_path.slice(isTitle ? 1 : 0).join(' › ') || (isTitle ? '' : (hit.section_label ?? ''));
  const snippet = plainText(withBullets(hit.snippet, passage?.lines ?? []), path);
  const heading = `${hit.heading_path.at(-1)} `; // stands above it
  const excerpt = snippet.startsWith(heading) ? snippet.slice(heading.length).replace(/^· /, '') : snippet;
  return html`<li class="hit" data-uri="${citation.permalink ?? uriOf({ sourceId, path, at })}">
    <a class="place" href="${documentHref(place)}"
      ><span class="at">${at === undefined ? path : texts.at(at)}</span> ${label}</a
    >
    ${
      passage !== undefined && hit.media === 'code'
        ? codeExcerpt(passage)
        : passage !== undefined && /(?:^|&)row=/.test(at ?? '')
          ? rowsExcerpt(passage)
          : html`<p>${lighterFor(passage === undefined ? [] : [passage.lines])(excerpt)}</p>`
    }
    ${best !== null && hitExplanation(hit, best, texts)} ${hit.unread !== undefined && note(hit.unread)}
    ${elsewhere.length > 0 && html`<p class="more">${texts.alsoIn} ${elsewhere.map((uri, i) => [i > 0 && ', ', html`<a href="${documentHref(placeOfUri(uri, sourceId))}">${uri}</a>`])}</p>`}
  </li>`;
}

/** An extract, which is one line, with a bullet where an item of a list begins in the passage. */
function withBullets(extract: string, lines: ShownPassage['lines']): string {
  const items = lines.flatMap(({ text }) => [...text.matchAll(/^[ \t]*([-*+] (?:\[[ xX]\] )?\S+)/gm)]);
  const begun = new Set(items.map(([, item = '']) => item));
  return extract.replaceAll(/(?<!\S)[-*+] (?:\[[ xX]\] )?(\S+)/g, (item, word) =>
    begun.has(item) ? `• ${word}` : item,
  );
}

const EXCERPT_LINES = 8;

/** Some lines of source code from shortly before the first match. */
function codeExcerpt({ lines }: ShownPassage): Html {
  const first = Math.max(0, lines.findIndex(({ matches }) => matches.length > 0) - 2);
  const shown = lines.slice(first, first + EXCERPT_LINES);
  const numbered = shown.map(
    (line) => html`<span class="line"><span class="n">${line.number}</span><span>${markedText(line)}</span></span>`,
  );
  return html`<pre class="lines">${numbered}</pre>`;
}

const EXCERPT_ROWS = 3;

/** The rows of a table that have most of the words, each in a line of its own. */
function rowsExcerpt({ lines }: ShownPassage): Html {
  const [first, ...others] = lines.toSorted((a, b) => wordsIn(b) - wordsIn(a)).slice(0, EXCERPT_ROWS);
  const rows = lines.filter((line) => line === first || (others.includes(line) && line.matches.length > 0));
  return html`<p class="passage">${rows.map((row) => [markedText(row), '\n'])}</p>`;
}

function wordsIn({ matches }: MarkedText): number {
  return new Set(matches.map(({ of }) => of)).size;
}
