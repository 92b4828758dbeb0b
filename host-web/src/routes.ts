import { isKebabError, toErrorV1, type App, type SearchResponse, type SkippedFile } from '@kebab/core/app';
import { documentIn, fragmentOf, pinOf, uriOf, type PlaceAddress } from './address.ts';
import { takePicture } from './drawn-pictures.ts';
import type { PageRequest, Reply } from './http/serve-http.ts';
import { openDocument } from './open-document.ts';
import { aboutPage, progressPart, type AboutPage } from './pages/about.ts';
import { aroundPage } from './pages/around.ts';
import { askPage } from './pages/ask.ts';
import { documentPage } from './pages/document.ts';
import { ZOOMS } from './pages/picture.ts';
import { problemPage } from './pages/problem.ts';
import { searchPage, type SearchPage } from './pages/search.ts';
import { textsFor, type Texts } from './texts.ts';

const HITS_ON_A_PAGE = 20;
const MAX_SKIPPED = 200;
const NEWEST = 10;
/** A query that every document meets; without words, it lists the newest first. */
const ALL_DOCUMENTS = 'since:1000';

/** Answers a request with a page, the wire object of a page, or a picture; a failure becomes a page that says what to do. */
export async function answerPage(request: PageRequest, app: App): Promise<Reply> {
  const { url, languages } = request;
  const texts = textsFor(languages);
  const isJson = /^\/[a-z]+\.json(?:\/|$)/.test(url.pathname);
  try {
    return await route(request, { app, texts });
  } catch (error) {
    const problem = toErrorV1(error);
    const status = statusOf(error);
    if (isJson) return json(problem, status);
    const { message, hint } = problem;
    return page(problemPage({ message, hint: hint ?? null, query: url.searchParams.get('q') ?? '' }, texts), status);
  }
}

interface Answering {
  readonly app: App;
  readonly texts: Texts;
}

async function route(request: PageRequest, { app, texts }: Answering): Promise<Reply> {
  const { pathname, searchParams } = request.url;
  const [, name = '', rest = ''] = /^\/([^/]*)\/?(.*)$/s.exec(pathname) ?? [];
  const query = searchParams.get('q')?.trim() ?? '';
  const { signal } = request;
  const hasRest = /^(?:snap|(?:doc|around)(?:\.json)?)$/.test(name);
  switch (hasRest || rest === '' ? name : pathname) {
    case '':
    case 'search.json': {
      const asked = {
        query,
        page: count(searchParams.get('page')) ?? 1,
        explain: searchParams.has('explain'),
        expected: searchParams.get('expect')?.trim().slice(0, 2000) ?? '',
      };
      if (query === '') {
        if (name === '') return page(searchPage({ ...asked, response: null, passages: [] }, texts));
        break;
      }
      const response = await search(app, asked, signal);
      if (name !== '') return json(response);
      const chunkIds = response.hits.map((hit) => hit.chunk_id);
      const passages = chunkIds.length === 0 ? [] : await app.showPassages({ query, chunkIds }, { signal });
      return page(searchPage({ ...asked, response, passages }, texts));
    }
    case 'ask':
    case 'ask.json': {
      const answer = query === '' ? null : await app.ask({ question: query, explain: true }, { signal });
      if (name === 'ask') return page(askPage({ question: query, answer }, texts));
      if (answer !== null) return json(answer);
      break;
    }
    case 'doc':
    case 'doc.json':
    case 'snap': {
      const place = placeIn(rest, searchParams);
      if (place === null) break;
      if (name === 'snap') return picture(app, place, signal);
      if (name === 'doc.json') return json(await app.fetch({ kind: 'uri', uri: uriOf(place) }, { signal }));
      return page(documentPage(await openDocument(app, place, signal), texts));
    }
    case 'around':
    case 'around.json': {
      const document = documentIn(rest);
      if (document === null) break;
      const related = await app.related({ kind: 'uri', uri: uriOf(document) }, { signal });
      return name === 'around' ? page(aroundPage(document, related, texts)) : json(related);
    }
    case 'about':
      return page(aboutPage(await describe(app, signal), texts));
    case 'progress':
      return page(progressPart(await app.status({ signal }), texts));
    case 'about.json':
      return json(await describe(app, signal));
    default:
  }
  return page(problemPage({ message: texts.notFound, hint: null, query }, texts), 404);
}

function page(markup: { toString(): string }, status = 200): Reply {
  return { status, type: 'text/html; charset=utf-8', body: markup.toString() };
}

function json(value: unknown, status = 200): Reply {
  return { status, type: 'application/json; charset=utf-8', body: `${JSON.stringify(value)}\n` };
}

function statusOf(error: unknown): number {
  if (isKebabError(error, 'doc_not_found') || isKebabError(error, 'chunk_not_found')) return 404;
  return isKebabError(error, 'invalid_input') ? 400 : isKebabError(error, 'not_indexed') ? 409 : 500;
}

/** A whole number from 0; undefined for anything else. */
function count(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

function search(
  app: App,
  { query, page: number, explain, expected }: Omit<SearchPage, 'response' | 'passages'>,
  signal: AbortSignal,
): Promise<SearchResponse> {
  const expect = explain && expected !== '' ? expected : undefined;
  const options = { page: Math.max(1, number), facets: true, explain, signal };
  return app.search({ text: query, k: HITS_ON_A_PAGE }, expect === undefined ? options : { ...options, expect });
}

const CHUNK_ID = /^[0-9a-f]{32}$/;

function placeIn(rest: string, members: URLSearchParams): PlaceAddress | null {
  const document = documentIn(rest);
  if (document === null) return null;
  const view = members.get('view');
  const chunk = members.get('chunk') ?? '';
  const cited = members.get('at')?.slice(0, 2000) ?? '';
  const zoom = count(members.get('zoom')) ?? 1;
  return {
    ...document,
    at: fragmentOf(`#${cited}`) || undefined,
    pin: pinOf(cited),
    chunk: CHUNK_ID.test(chunk) ? chunk : undefined,
    query: members.get('q')?.trim().slice(0, 2000) || undefined,
    view: view === 'raw' || view === 'rendered' ? view : undefined,
    from: count(members.get('from')),
    zoom: zoom > 1 && ZOOMS.includes(zoom) ? zoom : undefined,
  };
}

async function picture(app: App, place: PlaceAddress, signal: AbortSignal): Promise<Reply> {
  const { png } = await takePicture(app, place, signal);
  return { status: 200, type: 'image/png', body: png };
}

function nullIfNotIndexed(error: unknown): null {
  if (isKebabError(error, 'not_indexed')) return null;
  throw error;
}

async function describe(app: App, signal: AbortSignal): Promise<AboutPage> {
  const skipped: SkippedFile[] = [];
  const listSkipped = async (): Promise<boolean> => {
    for await (const file of app.listSkipped({ signal })) {
      if (skipped.length === MAX_SKIPPED) return false;
      skipped.push(file);
    }
    return true;
  };
  const [status, schema, sources, newest, doctor, isSkippedWhole] = await Promise.all([
    app.status({ signal }),
    app.schema({ signal }),
    app.listSources({ signal }),
    app.search({ text: ALL_DOCUMENTS, k: NEWEST }, { facets: true, signal }).catch(nullIfNotIndexed),
    app.doctor({ signal }),
    listSkipped(),
  ]);
  return { status, schema, sources, newest, skipped, isSkippedWhole, doctor };
}
