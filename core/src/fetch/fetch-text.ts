import { citeAnchor, citeLines, citePage } from '../citation/cite-chunk.ts';
import { toChunkInspections } from '../citation/to-chunk-inspection.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import { requirePlace, type PathScope, notFound } from '../documents/find-document.ts';
import { FreshnessCheck, type FreshnessPorts } from '../documents/freshness.ts';
import { joinAnchors } from '../domain/anchor.ts';
import type { ChunkId, DocumentId } from '../domain/ids.ts';
import { LineIndex } from '../domain/span.ts';
import type { FetchOptions, FetchQuery } from '../domain/query.ts';
import { firstChars } from '../domain/text-size.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { KebabError } from '../errors/kebab-error.ts';
import { noSuchLine, requireAnchor, requirePage } from './cited-place.ts';
import { endOfLine } from './document-views.ts';
import type { Ports } from '../ports.ts';
import { type CheckedFetch, checkFetch } from '../requests/fetch.ts';
import type { ChunkInspection, Citation, FetchResult } from '../wire/index.ts';

/** The ports of a fetch. */
type FetchPorts = FreshnessPorts & Pick<Ports, 'documents'> & PathScope;

type ResultOf<K extends FetchResult['kind']> = Extract<FetchResult, { readonly kind: K }>;
type Head = Omit<ResultOf<'doc'>, 'kind' | 'text' | 'total_lines' | 'truncated'>;

/** The context of one fetch. */
interface Run {
  readonly ports: FetchPorts;
  readonly store: DocumentStore;
  readonly request: CheckedFetch;
  readonly signal: AbortSignal | undefined;
}

/**
 * Fetches exact text: of a chunk with its neighbours, a document, a span of lines, or whatever a citation URI designates. Errors:
 * `invalid_input` for options that do not apply to the kind, invalid ranges and URIs, and a path in several sources; `chunk_not_found`,
 * `doc_not_found`, `span_not_supported`, `not_indexed`.
 */
export async function fetchText(
  ports: FetchPorts,
  query: FetchQuery,
  options: FetchOptions & AbortOptions = {},
): Promise<FetchResult> {
  throwIfCancelled(options.signal, 'fetch');
  const request = checkFetch(query, options);
  const store = await ports.documents.read();
  const run: Run = { ports, store, request, signal: options.signal };
  switch (query.kind) {
    case 'chunk':
      return fetchChunk(run, query.chunkId);
    case 'doc':
      return fetchDocument(run, await documentOf(store, query.docId));
    case 'span':
      return fetchSpan(run, await documentOf(store, query.docId), { start: query.lineStart, end: query.lineEnd });
    case 'uri':
      return fetchUri(run, query);
    default:
      return query satisfies never;
  }
}

async function fetchChunk(run: Run, id: ChunkId): Promise<FetchResult> {
  const { store, request } = run;
  const [match] = await store.getChunks([id]);
  if (match === undefined) throw notFound('chunk', id);
  const { chunk, document } = match;
  const { ordinal } = chunk;
  const near =
    request.context === 0
      ? []
      : await store.listChunks(chunk.docId, Math.max(0, ordinal - request.context), ordinal + 1 + request.context);
  const before = near.filter((other) => other.ordinal < ordinal);
  const after = near.filter((other) => other.ordinal > ordinal);
  const inspections = await toChunkInspections(store, document, [chunk, ...before, ...after]);
  return {
    ...(await headOf(run, document)),
    truncated: false,
    kind: 'chunk',
    chunk: inspections[0] as ChunkInspection,
    context_before: inspections.slice(1, 1 + before.length),
    context_after: inspections.slice(1 + before.length),
  };
}

async function fetchDocument(run: Run, document: DocumentRow): Promise<FetchResult> {
  const [whole = ''] = await run.store.readTexts([{ docId: document.docId }]);
  const { start, text, ...part } = partOf(run, document, { whole, start: 0 });
  const head = await headOf(run, document);
  const lines = new LineIndex(whole);
  const included = lines.linesOf(start, start + text.length);
  return {
    ...head,
    ...part,
    kind: 'doc',
    text,
    ...(start > 0 && hasLines(document) ? { effective_start: included.start } : {}),
    ...(part.truncated && hasLines(document) ? { effective_end: included.end } : {}),
    total_lines: lines.count,
  };
}

/** A place in the text of a document: its text, and where that begins. */
interface PlaceText {
  readonly whole: string;
  readonly start: number;
}

/** As much of a place as the budget allows, from where the cursor continues. */
interface PlacePart {
  /** Where the part begins, in the text of the document. */
  readonly start: number;
  readonly text: string;
  readonly truncated: boolean;
  readonly next_cursor?: string;
}

function partOf(
  { request: { cursor, maxChars } }: Run,
  { docId }: DocumentRow,
  { whole, start }: PlaceText,
): PlacePart {
  const from = cursor === null ? start : offsetIn(cursor, docId, { start, end: start + whole.length });
  const rest = whole.slice(from - start);
  const text = maxChars === null ? rest : firstChars(rest, maxChars);
  if (text.length === rest.length) return { start: from, text, truncated: false };
  return { start: from, text, truncated: true, next_cursor: `${docId}.${from + text.length}` };
}

/** Where a cursor continues. An edited document has another id, so an old cursor does not match it. */
function offsetIn(
  cursor: string,
  docId: DocumentId,
  { start, end }: { readonly start: number; readonly end: number },
): number {
  const [, id, digits] = /^([0-9a-f]{32})\.(\d{1,15})$/.exec(cursor) ?? [];
  if (id === undefined) throw refusedCursor(cursor, 'was not issued by a fetch');
  if (id !== docId)
    throw new KebabError(
      'stale_cursor',
      'the cursor belongs to another document, or to an earlier version of this one',
      {
        details: { reason: 'revision', expected: docId, found: id },
      },
    );
  const offset = Number(digits);
  if (offset < start || offset > end) throw refusedCursor(cursor, 'belongs to another place of this document');
  return offset;
}

function refusedCursor(cursor: string, why: string): Error {
  return invalidInput(`the cursor ${why}`, {
    field: 'cursor',
    value: cursor.slice(0, 200),
    hint: 'give the next_cursor of the page before, with the same place',
  });
}

function hasLines({ media }: Pick<DocumentRow, 'media'>): boolean {
  return media !== 'pdf' && media !== 'audio';
}

async function fetchSpan(
  run: Run,
  document: DocumentRow,
  { start, end }: { readonly start: number; readonly end: number },
): Promise<FetchResult> {
  const { media, docId } = document;
  if (!hasLines(document))
    throw new KebabError('span_not_supported', `${document.workspacePath} is ${media}: it has no lines`, {
      details: { doc_id: docId, media, alternatives: ['chunk', 'doc'] },
    });
  const [text = ''] = await run.store.readTexts([{ docId }]);
  const lines = new LineIndex(text);
  const place = linePlace(text, lines, { start, end });
  const { start: from, text: shown, ...part } = partOf(run, document, place);
  const until = from + shown.length + (part.truncated ? 0 : 1); // with its newline, which is all of a blank line
  const included = start > lines.count ? { start, end: start - 1 } : lines.linesOf(from, until);
  const range = { start: lines.startOf(included.start), end: endOfLine(text, lines, included.end) };
  return {
    ...(await headOf(run, document)),
    ...part,
    kind: 'span',
    text: shown,
    line_start: start,
    line_end: end,
    ...(from > place.start ? { effective_start: included.start } : {}),
    effective_end: included.end,
    total_lines: lines.count,
    citation: shown === '' ? null : await citeSpan(run.store, document, { ...included, range }),
  };
}

/** Lines of derived text are not lines of the file: they are cited by the anchors that contain them, if those can be joined. */
async function citeSpan(
  store: DocumentStore,
  document: DocumentRow,
  { start, end, range }: LineRange & { readonly range: { readonly start: number; readonly end: number } },
): Promise<Citation | null> {
  const blocks =
    document.media === 'other' ? ((await store.getBlocks([document.docId])).get(document.docId) ?? []) : [];
  const places = blocks.flatMap(({ sourceSpan: span, ...block }) =>
    span.kind === 'anchor' ? [{ anchor: span.anchor, isCut: block.start < range.end && block.end > range.start }] : [],
  );
  if (places.length === 0) return citeLines(store, document, { start, end, range });
  const cutPlaces = places.filter(({ isCut }) => isCut);
  const [first, last] = [cutPlaces[0], cutPlaces.at(-1)];
  const anchor = first === undefined || last === undefined ? null : joinAnchors(first.anchor, last.anchor);
  return anchor === null ? null : citeAnchor(store, document, { anchor, section: null, blocks });
}

async function fetchUri(run: Run, { uri, source, lines }: FetchQuery & { readonly kind: 'uri' }): Promise<FetchResult> {
  const { document, fragment } = await requirePlace(run.store, uri, { source, scope: run.ports });
  if (lines !== undefined && fragment !== null)
    throw invalidInput(`${JSON.stringify(uri)} names a place already: leave the lines out`, { field: 'line_start' });
  if (lines !== undefined) return fetchLines(run, document, lines);
  if (fragment?.kind === 'line') return fetchLines(run, document, fragment);
  if (fragment?.kind === 'anchor') return fetchAnchor(run, document, fragment.anchor);
  return fragment?.kind === 'page' ? fetchPage(run, document, fragment.page) : fetchDocument(run, document);
}

/** Unlike a span, a URI names lines that existed when it was written. */
async function fetchLines(
  run: Run,
  document: DocumentRow,
  lines: { readonly start: number; readonly end: number },
): Promise<FetchResult> {
  const span = await fetchSpan(run, document, lines);
  if (span.kind !== 'span' || lines.start <= span.total_lines) return span;
  throw noSuchLine(document, lines.start, span.total_lines);
}

async function fetchPage(run: Run, document: DocumentRow, page: number): Promise<FetchResult> {
  const { start, end } = requirePage(document, page);
  const [whole = ''] = await run.store.readTexts([{ docId: document.docId, start, end }]);
  const { start: _from, text, ...part } = partOf(run, document, { whole, start });
  return {
    ...(await headOf(run, document)),
    ...part,
    kind: 'page',
    text,
    page,
    total_pages: document.pages.length,
    citation: await citePage(run.store, document, { page, section: null }),
  };
}

async function fetchAnchor(run: Run, document: DocumentRow, anchor: string): Promise<FetchResult> {
  const { blocks, range } = await requireAnchor(run.store, document, anchor);
  const [whole = ''] = await run.store.readTexts([{ docId: document.docId, ...range }]);
  const { start: _from, text, ...part } = partOf(run, document, { whole, start: range.start });
  return {
    ...(await headOf(run, document)),
    ...part,
    kind: 'anchor',
    text,
    anchor,
    citation: await citeAnchor(run.store, document, { anchor, section: null, blocks }),
  };
}

async function documentOf(store: DocumentStore, id: DocumentId): Promise<DocumentRow> {
  const [document] = await store.getDocuments([id]);
  if (document === undefined) throw notFound('document', id);
  return document;
}

async function headOf(run: Run, document: DocumentRow): Promise<Head> {
  const freshness = await FreshnessCheck.of(run.ports, run.store, run.signal);
  return {
    schema_version: 'fetch_result.v1',
    doc_id: document.docId,
    doc_path: document.workspacePath,
    source_id: document.sourceId,
    indexed_at: document.indexedAt.toISOString(),
    ...(await freshness.check(document)),
  };
}

/** First and last line, 1-based, inclusive. */
interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Whole lines joined by `\n` without a final newline; `end` may be beyond the last line, and `start` too: then there is no text. */
export function linePlace(text: string, lines: LineIndex, { start, end }: LineRange): PlaceText {
  const last = Math.min(end, lines.count);
  const from = lines.startOf(start);
  return { start: from, whole: last < start ? '' : text.slice(from, endOfLine(text, lines, last)) };
}
