import {
  hasScope,
  invalidInput,
  isKebabError,
  parseSearchRequest,
  scopeOf,
  toErrorV1,
  type AnswerCitation,
  type App,
  type CitationCheck,
  type Open,
  type SkippedFile,
} from '@kebab/core/app';
import {
  documentHref,
  documentIn,
  fragmentOf,
  pageHref,
  pinOf,
  placeOfUri,
  uriOf,
  type PlaceAddress,
} from './address.ts';
import { byUri, citedTexts, type Answers, type AnswerWithTexts } from './answers.ts';
import { html, type Html, type Part } from './html.ts';
import type { DrawnPictures } from './drawn-pictures.ts';
import { seeOther, type Reply } from './http/reply.ts';
import type { PageRequest } from './http/serve-http.ts';
import type { Indexing } from './indexing.ts';
import { nullFor, openDocument } from './open-document.ts';
import { aboutPage, progressPart, type AboutParts, type IndexingContext } from './pages/about.ts';
import { aroundPage } from './pages/around.ts';
import { answerMarkdown } from './pages/answer.ts';
import { askPage } from './pages/ask.ts';
import { documentPage } from './pages/document.ts';
import { operatorOf } from './pages/facets.ts';
import { ZOOMS } from './pages/picture.ts';
import { layout, problem } from './pages/layout.ts';
import { searchPage, type PastSearches, type SearchPage } from './pages/search.ts';
import { textsFor, type Texts } from './texts.ts';

const HITS_ON_A_PAGE = 20;
const MAX_SKIPPED = 200;
const NEWEST = 10;

/** Answers a request with a page, the wire object of a page, or a picture; a failure becomes a page that says what to do. */
export async function answerPage(request: PageRequest, site: Site): Promise<Reply> {
  const { url, languages, caller, logOutHref } = request;
  const isClosed = (name: 'ask' | 'about'): boolean => caller !== null && !hasScope(caller, scopeOf(NEEDED[name]));
  const texts = { ...textsFor(languages), logOutHref, closed: new Set((['ask', 'about'] as const).filter(isClosed)) };
  const isJson = /^\/[a-z]+\.(?:json|md)(?:\/|$)/.test(url.pathname);
  try {
    return await route(request, { ...site, texts });
  } catch (error) {
    const said = toErrorV1(error);
    const status = statusOf(error);
    return isJson ? json(said, status) : page(problemPage(url, problem(said, texts), texts), status);
  }
}

/** The operation that a page runs after its first part is sent, which is refused before. */
const NEEDED = { ask: 'ask', about: 'status' } as const;

/** What pages are made of. */
export interface Site {
  readonly app: App;
  readonly answers: Answers;
  readonly pictures: DrawnPictures;
  /** Whether pages may write conversations, and index files. */
  readonly mayWrite: boolean;
  /** Absent for pages of other machines, which do not begin to index. */
  readonly indexing?: Indexing | undefined;
  /** Shows a place in an editor; absent where pages may not start programs. */
  readonly edit?: ((place: Open) => Promise<void>) | undefined;
  /** The searches of whoever uses this machine; absent for pages of others. */
  readonly pastSearches?: (() => PastSearches) | undefined;
}

interface Answering extends Site {
  readonly texts: Texts;
}

async function route(request: PageRequest, answering: Answering): Promise<Reply> {
  const { app, texts } = answering;
  const { pathname, searchParams } = request.url;
  const [, name = '', rest = ''] = /^\/([^/]*)\/?(.*)$/s.exec(pathname) ?? [];
  const query = searchParams.get('q')?.trim() ?? '';
  const { signal } = request;
  // The operation itself refuses, so that the audit has it.
  if (name === 'ask' && texts.closed?.has(name)) await app.ask({ question: query });
  if (name === 'about' && texts.closed?.has(name)) await app.status();
  if (request.form !== null) return sendForm(request.form, request, answering);
  const hasRest = /^(?:snap|(?:doc|around)(?:\.json)?)$/.test(name);
  switch (hasRest || rest === '' ? name : pathname) {
    case '':
    case 'search.json': {
      const asked = {
        query,
        page: Math.max(1, count(searchParams.get('page')) ?? 1),
        isTyping: searchParams.has('typing'),
        explain: searchParams.has('explain'),
        expected: searchParams.get('expect')?.trim().slice(0, 2000) ?? '',
        past: answering.pastSearches?.(),
        hasEditor: answering.edit !== undefined,
      };
      if (query === '') {
        if (name !== '') break;
        return page(searchPage({ ...asked, documents: await countOf(app), response: null, passages: [] }, texts));
      }
      const { query: read, options } = requestOf(asked);
      const response = await app.search(read, { ...options, facets: true, signal });
      if (name !== '') return json(response);
      const chunkIds = response.hits.map((hit) => hit.chunk_id);
      const passages = chunkIds.length === 0 ? [] : await app.showPassages({ query: read.text, chunkIds }, { signal });
      const documents = response.hits.length === 0 ? await countOf(app) : null;
      return page(searchPage({ ...asked, documents, response, passages }, texts));
    }
    case 'ask':
      return ask(request, answering);
    case 'ask.json':
    case 'ask.md': {
      const session = searchParams.get('session') ?? '';
      if (session === '' && query === '') break;
      const isJson = name === 'ask.json';
      if (session !== '') {
        const whole = await app.showSession(session);
        if (isJson) return json(whole);
        return markdown(whole.turns.map((turn) => answerMarkdown(turn.question, turn, texts)).join('\n'));
      }
      const { answer } = await answering.answers.to({ caller: request.caller, question: query }).whole(signal);
      return isJson ? json(answer) : markdown(answerMarkdown(query, answer, texts));
    }
    case 'doc':
    case 'doc.json':
    case 'snap': {
      const place = placeIn(rest, searchParams);
      if (place === null) break;
      const { draw, take } = answering.pictures.of(app, request.caller);
      if (name === 'snap') return { status: 200, type: 'image/png', body: (await take(place, signal)).png };
      if (name === 'doc.json') return json(await app.fetch({ kind: 'uri', uri: uriOf(place) }, { signal }));
      const formToken = answering.edit === undefined ? null : request.formToken;
      const opened = await openDocument({ app, draw }, place, signal);
      return { ...page(''), body: documentPage({ ...opened, formToken }, texts) };
    }
    case 'around':
    case 'around.json': {
      const document = documentIn(rest);
      if (document === null) break;
      const related = await app.related({ kind: 'uri', uri: uriOf(document) }, { signal });
      return name === 'around' ? page(aroundPage(document, related, texts)) : json(related);
    }
    case 'about':
    case 'about.json': {
      const read = (): Promise<AboutParts> => describe(app, signal);
      if (name === 'about.json') {
        const { status, newest, skipped, doctor } = await read();
        return json({ status, newest, ...(await skipped()), doctor: await doctor() });
      }
      const context = { ...indexingOf(request, answering), texts, isChecked: searchParams.has('checks') };
      return { ...page(''), body: aboutPage(read, context) };
    }
    case 'progress':
      return page(progressPart(await app.status({ signal }), { ...indexingOf(request, answering), texts }));
    default:
  }
  return page(problemPage(request.url, html`<p>${texts.notFound}</p>`, texts), 404);
}

function problemPage({ searchParams }: URL, said: Part, texts: Texts): Html {
  const main = html`<div id="results">
    <h1>${texts.failed}</h1>
    ${said}
  </div>`;
  return layout({ title: texts.failed, texts, query: searchParams.get('q') ?? '', main });
}

async function countOf(app: App): Promise<number> {
  const listed = await app.listDocs({}, { limit: 1 }, { refresh: false }).catch(nullFor('not_indexed'));
  return listed?.total ?? 0;
}

function indexingOf({ formToken }: PageRequest, { indexing, mayWrite }: Answering): Omit<IndexingContext, 'texts'> {
  return {
    indexing: indexing?.state ?? { kind: 'idle', failure: null },
    formToken: mayWrite && indexing !== undefined ? formToken : null,
  };
}

function page(markup: { toString(): string }, status = 200): Reply {
  return { status, type: 'text/html; charset=utf-8', body: markup.toString() };
}

function json(value: unknown, status = 200): Reply {
  return { status, type: 'application/json; charset=utf-8', body: `${JSON.stringify(value)}\n` };
}

function markdown(text: string): Reply {
  const headers = { 'content-disposition': 'attachment; filename="answer.md"' };
  return { status: 200, type: 'text/markdown; charset=utf-8', body: text, headers };
}

const MAX_TURNS = 30;

async function ask(
  { url, formToken, caller, signal }: PageRequest,
  { app, answers, mayWrite, texts }: Answering,
): Promise<Reply> {
  const { searchParams: members } = url;
  const question = members.get('q')?.trim() ?? '';
  const session = question === '' ? (members.get('session') ?? '') : '';
  const run = question === '' ? answers.running({ caller, session }) : answers.to({ caller, question });
  const isNew = (created: string): boolean => run !== undefined && created >= run.startedAt;
  const sessions = question === '' && session === '' ? await app.listSessions() : [];
  // A conversation is known once its first question is answered.
  const isUnknown = run === undefined ? nullFor() : nullFor('invalid_input');
  const stored = session === '' ? null : await app.showSession(session).catch(isUnknown);
  const turns = (stored?.turns ?? []).filter(({ created_at: created }) => !isNew(created)).slice(-MAX_TURNS);
  const isVerified = members.has('verify');
  const verify = async (citations: readonly AnswerCitation[]): Promise<ReadonlyMap<string, CitationCheck>> =>
    isVerified
      ? byUri(citations, ({ uri, content_hash: hash }) => app.verifyCitation(uri, { hash, signal }))
      : new Map();
  const citations = turns.flatMap((turn) => turn.citations);
  const [cited, checks] = await Promise.all([citedTexts(app, citations, signal), verify(citations)]);
  const conversation = { question, session, sessions, turns, cited, checks, run };
  const answering = { verify: ({ answer }: AnswerWithTexts) => verify(answer.citations), mayWrite, formToken };
  return { ...page(''), body: askPage({ ...conversation, ...answering }, texts, signal) };
}

/** Does what a form of a page asks for. */
async function sendForm(form: URLSearchParams, request: PageRequest, answering: Answering): Promise<Reply> {
  const { app, indexing, mayWrite, edit } = answering;
  const { pathname } = request.url;
  const onlyReads = (what: string): Error => withoutWriting(what, { ...answering, ...request });
  switch (pathname) {
    case '/ask':
      return sendQuestion(form, request, answering);
    case '/ingest':
      if (!mayWrite || indexing === undefined) throw onlyReads('files are indexed');
      indexing.begin();
      return seeOther('/about#progress');
    case '/edit':
    case '/edit.json': {
      if (edit === undefined) throw onlyReads('an editor is started');
      const place = await app.locate({ kind: 'uri', uri: form.get('uri') ?? '' });
      if (place.freshness === 'deleted') throw invalidInput(`the file of ${place.uri} is gone`, { field: 'uri' });
      await edit(place);
      return pathname === '/edit' ? seeOther(documentHref(placeOfUri(place.uri))) : json(place);
    }
    default:
      throw invalidInput('this page takes no form', { field: 'path', value: pathname });
  }
}

/** What a form asks for in vain. Over SSH there is no editor. */
function withoutWriting(what: string, { caller, mayWrite }: Pick<PageRequest & Site, 'caller' | 'mayWrite'>): Error {
  if (caller !== null) {
    const hint = 'no token allows it: work at that machine';
    return invalidInput(`${what} only for whoever uses the machine of the server`, { field: 'caller', hint });
  }
  const hint = mayWrite ? 'start `kebab ui --write` on the machine of the browser' : 'start `kebab ui --write`';
  return invalidInput(`${what} only by pages that may write`, { hint });
}

/** What a form of the page asks for: a question of a conversation, an answer that is written again, or the end of a conversation. */
async function sendQuestion(
  form: URLSearchParams,
  { url, caller }: PageRequest,
  { app, answers, mayWrite }: Answering,
): Promise<Reply> {
  const again = form.get('again');
  if (again !== null) {
    answers.forget({ caller, question: again });
    return seeOther(pageHref('/ask', { q: again }));
  }
  if (!mayWrite) throw withoutWriting('conversations are stored', { caller: null, mayWrite });
  const ended = form.get('delete');
  if (ended !== null) {
    await app.deleteSession(ended);
    return seeOther('/ask');
  }
  const question = form.get('q')?.trim() ?? '';
  const named = form.get('session') ?? url.searchParams.get('session') ?? '';
  const session = named === 'new' ? `web-${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}` : named;
  if (question === '') return seeOther(pageHref('/ask', { session: named === 'new' ? undefined : session }));
  answers.to({ caller, question, session });
  return seeOther(`${pageHref('/ask', { session })}#last`);
}

function statusOf(error: unknown): number {
  if (isKebabError(error, 'doc_not_found') || isKebabError(error, 'chunk_not_found')) return 404;
  if (isKebabError(error, 'invalid_input')) return /^(?:scope|caller)$/.test(error.details.field ?? '') ? 403 : 400;
  return isKebabError(error, 'not_indexed') ? 409 : 500;
}

/** A whole number from 0; undefined for anything else. */
function count(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** The search of a page. `@NAME` is a saved one, and of a query that is being typed, the last word is the beginning of one. */
function requestOf(
  asked: Omit<SearchPage, 'response' | 'passages' | 'documents'>,
): ReturnType<typeof parseSearchRequest> {
  const { query: typed, page: number, isTyping, explain, expected, past } = asked;
  const request = past?.requestOf(typed) ?? { query: typed };
  const { query: text } = request;
  const isBegun = isTyping && /(?:^|\s)[\p{L}\p{N}]{3,}$/u.test(text) && text.split('"').length % 2 === 1;
  const shown = explain && expected !== '' ? { explain, expect: expected } : { explain };
  return parseSearchRequest({
    ...request,
    query: isBegun ? `${text}*` : text,
    k: HITS_ON_A_PAGE,
    page: number,
    ...shown,
  });
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

/** A query of sources alone lists the newest documents first. */
async function describe(app: App, signal: AbortSignal): Promise<AboutParts> {
  const { status, leftOut } = await app.overview({ signal });
  const text = status.sources.map(({ id }) => operatorOf('source', id)).join(' ');
  const search = { text, k: NEWEST };
  const newest =
    text === ''
      ? null
      : await app.search(search, { facets: true, refresh: false, signal }).catch(nullFor('not_indexed'));
  const skipped: AboutParts['skipped'] = async () => {
    const files: SkippedFile[] = [];
    for await (const file of leftOut) {
      if (files.length === MAX_SKIPPED) return { skipped: files, isSkippedWhole: false };
      files.push(file);
    }
    return { skipped: files, isSkippedWhole: true };
  };
  return { status, newest, skipped, doctor: () => app.doctor({ signal }) };
}
