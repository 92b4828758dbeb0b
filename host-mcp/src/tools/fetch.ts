import {
  type App,
  type Citation,
  FETCH,
  type FetchOptions,
  type FetchQuery,
  type FetchResult,
  formatSourcePath,
  invalidInput,
  lastStep,
  type Outline,
  outlineLines,
  parseChunkId,
  parseDocumentId,
  printable,
  type RequestOf,
  type SymbolResult,
} from '@kebab/core/app';
import type { ContentPart, JsonObject } from '../protocol/surface.ts';
import { formatResourceUri, parseResourceUri } from '../resource-uri.ts';
import { symbolText, withNextCall } from './read.ts';
import type { KebabTool, ToolCall } from './tool.ts';

const OUTLINE = 'outline';

/** `fetch`: exact text. */
export const fetch: KebabTool<typeof FETCH> = {
  name: 'fetch',
  operation: 'fetch',
  title: 'Read exact text',
  description:
    'Reads a file, lines of it, a class or function by its name (symbol), an outline (kind outline: units, headings), or a cited passage, with line numbers as `rg -n` prints them. Give one of uri, path, symbol, chunk_id, doc_id. Use it before quoting; snippets are shortened.',
  input: FETCH,
  outputs: ['fetch_result', 'outline', 'symbol_result'],
  textForms: ['fetch_result', 'outline', 'symbol_result'],
  textOf: (answer) => {
    const form = answer as FetchResult | Outline | SymbolResult;
    if (form.schema_version === 'symbol_result.v1') return symbolText(form);
    return form.schema_version === 'outline.v1' ? outlineLines(form).map(printable).join('\n') : numberedText(form);
  },
  linksOf: (answer) => {
    const form = answer as FetchResult | Outline | SymbolResult;
    return form.schema_version === 'fetch_result.v1' ? [linkTo(form)] : [];
  },
  read: byResource,
  async run({ kind, ...others }, { app, settings, signal }) {
    if (kind === OUTLINE) return outlineOf(others, { app, settings, signal });
    const given = { ...others, ...(kind === undefined ? {} : { kind }) };
    const args = given.symbol === undefined ? given : await definitionOf(given, { app, signal });
    if ('schema_version' in args) return args;
    const { query, options } = await requestOf(args, app);
    const { maxTokens = settings.defaultMaxTokens } = options;
    if (query.kind !== 'chunk') return app.fetch(query, { ...options, maxTokens, signal });
    return withinBudget(await app.fetch(query, { ...options, signal }), maxTokens);
  },
};

/** The text with its place above it, each line with its number where the document has lines. */
function numberedText(result: FetchResult): string {
  if (result.kind === 'chunk') {
    const { context_before: before, chunk, context_after: after } = result;
    return [...before, chunk, ...after].map(({ citation, text }) => passageText(citation, text)).join('\n\n');
  }
  const { text, freshness, next_cursor: cursor } = result;
  const notes = [...placeNotes(result), ...(freshness === 'fresh' ? [] : [freshness])];
  const head = `${placeOf(result)}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
  const body = isOfLines(result) ? numbered(text, firstLineOf(result)) : text;
  return [head, body, ...(cursor === undefined ? [] : [`next_cursor: ${cursor}`])].join('\n');
}

/** The place as a resource, with its lines as fragment; named as it is cited. */
function linkTo(result: FetchResult): ContentPart {
  if (result.kind === 'chunk') {
    const { chunk_id: id, citation } = result.chunk;
    return { type: 'resource_link', uri: formatResourceUri({ kind: 'chunk', id }), name: printable(citation.uri) };
  }
  const hasLines = result.text !== '' && (result.kind === 'span' || result.kind === 'doc') && isOfLines(result);
  const lines = hasLines ? ([firstLineOf(result), result.effective_end ?? result.total_lines] as const) : undefined;
  const uri = formatResourceUri({ kind: 'doc', id: result.doc_id, ...(lines === undefined ? {} : { lines }) });
  return { type: 'resource_link', uri, name: placeOf(result) };
}

type PlaceResult = Exclude<FetchResult, { readonly kind: 'chunk' }>;

function placeOf(result: PlaceResult): string {
  const { source_id: sourceId, doc_path: path } = result;
  const citation = result.kind === 'doc' ? null : result.citation;
  return printable(citation?.uri ?? formatSourcePath({ sourceId, path }));
}

function placeNotes(result: PlaceResult): readonly string[] {
  if (result.kind === 'page') return [`page ${result.page} of ${result.total_pages}`];
  if (result.kind === 'anchor' || !isOfLines(result)) return [];
  const { total_lines: total, effective_end: end = total } = result;
  if (result.text === '') return [`nothing: it has ${total} lines`];
  return [`lines ${firstLineOf(result)}-${end} of ${total}`];
}

function firstLineOf(result: PlaceResult): number {
  if (result.kind === 'span') return result.effective_start ?? result.line_start;
  return result.kind === 'doc' ? (result.effective_start ?? 1) : 1;
}

/** The lines of the text of a PDF are lines of no file. */
function isOfLines({ kind, doc_path: path }: PlaceResult): boolean {
  return kind === 'span' || (kind === 'doc' && !/\.pdf$/i.test(path));
}

function passageText(citation: Citation, text: string): string {
  const first = citation.kind === 'line' ? citation.start : citation.kind === 'code' ? citation.line_start : null;
  return `${printable(citation.uri)}\n${first === null ? text : numbered(text, first)}`;
}

function numbered(text: string, first: number): string {
  const lines = text.replace(/\n$/, '').split('\n');
  return lines.map((line, at) => `${first + at}:${line}`).join('\n');
}

/** Replaces the URI of a resource by the id of the document or chunk that it names, and its lines. */
function byResource({ uri, ...args }: JsonObject): JsonObject {
  const name = parseResourceUri(typeof uri === 'string' ? uri : '');
  if (name === null) return uri === undefined ? args : { uri, ...args };
  const lines = name.lines === undefined ? {} : { line_start: name.lines[0], line_end: name.lines[1] };
  return { ...lines, ...args, [`${name.kind}_id`]: name.id };
}

/** Neither a chunk nor its neighbours are cut: the farthest neighbours are dropped until the rest fits. */
function withinBudget(found: FetchResult, maxTokens: number): FetchResult {
  if (found.kind !== 'chunk') return found;
  const { chunk, context_before: before, context_after: after } = found;
  const distance = ({ ordinal }: { readonly ordinal: number }): number => Math.abs(ordinal - chunk.ordinal);
  const nearestFirst = [...before, ...after].toSorted((a, b) => distance(a) - distance(b));
  let room = maxTokens * 4 - JSON.stringify({ ...found, context_before: [], context_after: [] }).length;
  const tooFar = nearestFirst.find((near) => (room -= JSON.stringify(near).length + 1) < 0);
  if (tooFar === undefined) return found;
  const kept = new Set(nearestFirst.slice(0, nearestFirst.indexOf(tooFar)));
  return {
    ...found,
    context_before: before.filter((near) => kept.has(near)),
    context_after: after.filter((near) => kept.has(near)),
  };
}

/** How many definitions are listed to choose from. */
const MAX_DEFINITIONS = 10;

/** The arguments that read the one definition of a name; the definitions with the calls that read them if there is not one. */
async function definitionOf(
  args: FetchInput,
  { app, signal }: Pick<ToolCall, 'app' | 'signal'>,
): Promise<FetchInput | SymbolResult> {
  const { symbol: name = '', path, kind, max_tokens, cursor } = args;
  checkKind(kind, placeArgument(args) ?? 'symbol', false);
  checkOthers(args, 'symbol');
  const scope = path === undefined ? {} : { path_glob: [path] };
  const found = await app.findSymbol({ name, ...scope, limit: MAX_DEFINITIONS }, { signal });
  const places = found.units.map(({ doc_path, source_id: sourceId, symbol, line_start, line_end, lines }) => {
    const isUnit = symbol?.replace(/!$/, '').endsWith(lastStep(found.name)) === true;
    const line = lines[0]?.line ?? line_start;
    const range = isUnit ? { line_start, line_end } : { line_start: line, line_end: line };
    return { path: formatSourcePath({ sourceId, path: doc_path }), ...range };
  });
  if (places.length === 1) return { ...places[0], max_tokens, cursor };
  const calls = places.map((place) => `fetch ${JSON.stringify(place)}`);
  return calls.length === 0 ? withNextCall(found) : { ...found, hint: `call one of: ${calls.join(', ')}` };
}

/** The outline of the place that the arguments give, without lines. */
async function outlineOf(
  args: Omit<RequestOf<typeof FETCH>, 'kind'>,
  { app, settings, signal }: Pick<ToolCall, 'app' | 'settings' | 'signal'>,
): Promise<Outline> {
  const { uri, path = uri, doc_id: docId, max_tokens: maxTokens = settings.defaultMaxTokens, cursor } = args;
  const page = { maxTokens, cursor, signal };
  const place = placeArgument(args);
  const odd = (['symbol', 'chunk_id', 'line_start', 'line_end', 'context'] as const).find(
    (name) => args[name] !== undefined,
  );
  if (odd !== undefined) throw invalidInput(`${odd} does not go with kind outline`, { field: odd });
  if (place === null) throw misplaced('it is not clear whose outline to read', 'path');
  if (docId === undefined) return app.outline({ path: (path ?? '').replace(/#.*$/, '') }, page);
  return app.outline({ docId: parseDocumentId(await app.resolveId('document', docId)) }, page);
}

type FetchInput = Omit<RequestOf<typeof FETCH>, 'kind'> & {
  readonly kind?: Exclude<RequestOf<typeof FETCH>['kind'], typeof OUTLINE>;
};

/** The requested fetch, with full ids. Throws `invalid_input` unless exactly one place is given and matches the other arguments. */
async function requestOf(
  { kind, ...args }: FetchInput,
  app: App,
): Promise<{ readonly query: FetchQuery; readonly options: FetchOptions }> {
  const place = placeArgument(args);
  if (place === null) throw misplaced('it is not clear what to read', PLACE_OF[kind ?? 'uri']);
  const { chunk_id: chunkId, doc_id: shortId, path = '', uri = path, context, max_tokens: maxTokens, cursor } = args;
  const { line_start: start, line_end: end = start } = args;
  const lines = start === undefined && end === undefined ? undefined : { start: start ?? 1, end: end ?? 1 };
  checkKind(kind, place, lines !== undefined);
  checkOthers(args, place);
  const options = { context, maxTokens, cursor };
  if (chunkId !== undefined) {
    const whole = WHOLE_ID.test(chunkId) ? chunkId : await app.resolveId('chunk', chunkId);
    return { query: { kind: 'chunk', chunkId: parseChunkId(whole) }, options };
  }
  if (shortId === undefined) return { query: { kind: 'uri', uri, lines }, options };
  const docId = parseDocumentId(await app.resolveId('document', shortId));
  if (lines === undefined) return { query: { kind: 'doc', docId }, options };
  return { query: { kind: 'span', docId, lineStart: lines.start, lineEnd: lines.end }, options };
}

const WHOLE_ID = /^[0-9a-f]{32}$/;

type Place = keyof typeof PLACES;

/** Which of the arguments is given that name a place; null for none. Throws `invalid_input` for several: only a symbol may be in a path. */
function placeArgument(args: FetchInput): Place | null {
  const [place, other] = (Object.keys(PLACES) as Place[]).filter(
    (name) => args[name] !== undefined && (name !== 'path' || args.symbol === undefined),
  );
  if (other !== undefined) throw misplaced(`${place} and ${other} name different places`, other);
  return place ?? null;
}

function misplaced(message: string, field: Place = 'uri'): Error {
  return invalidInput(message, {
    field,
    allowed: Object.keys(PLACES),
    hint: 'give one of uri, path, symbol, chunk_id and doc_id',
  });
}

const OF_LINES = ['line_start', 'line_end', 'max_tokens', 'cursor'] as const;

/** The kinds that are valid for each of these arguments, with and without lines, and what else goes with it. */
const PLACES = {
  uri: { whole: ['uri'], lines: ['uri'], others: ['max_tokens', 'cursor'] },
  path: { whole: ['doc', 'uri'], lines: ['span', 'uri'], others: OF_LINES },
  symbol: { whole: ['span', 'uri'], lines: [], others: ['path', 'max_tokens', 'cursor'] },
  chunk_id: { whole: ['chunk'], lines: ['chunk'], others: ['context'] },
  doc_id: { whole: ['doc'], lines: ['span'], others: OF_LINES },
} as const;

/** The argument that each kind is read by. */
const PLACE_OF = { chunk: 'chunk_id', doc: 'doc_id', span: 'doc_id', uri: 'uri' } as const;

function checkOthers(args: Omit<FetchInput, 'kind'>, place: Place): void {
  const allowed: readonly string[] = [place, ...PLACES[place].others];
  const odd = Object.keys(args).find((name) => !allowed.includes(name));
  if (odd === undefined) return;
  const why = odd === 'context' ? ': it counts the chunks around chunk_id' : '';
  throw invalidInput(`${odd} does not go with ${place}${why}`, { field: odd, allowed });
}

function checkKind(kind: FetchInput['kind'], place: Place, hasLines: boolean): void {
  const { whole, lines } = PLACES[place];
  const allowed: readonly string[] = hasLines ? lines : whole;
  if (kind === undefined || allowed.includes(kind)) return;
  if (kind === 'span' && place !== 'uri' && place !== 'chunk_id')
    throw invalidInput('kind span needs line_start: it is missing', { field: 'line_start' });
  throw invalidInput(`kind ${kind} does not go with ${hasLines ? `lines of a ${place}` : place}`, {
    field: 'kind',
    value: kind,
    allowed,
    hint: 'leave kind out: the other arguments imply it',
  });
}
