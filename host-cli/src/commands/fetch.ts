import {
  formatSourcePath,
  invalidInput,
  isKebabError,
  shellWord,
  printable,
  type Blame,
  type ChunkId,
  type ChunkInspection,
  type CitedQuery,
  type DocInspection,
  type DocumentId,
  type FetchQuery,
  type FetchResult,
  type App,
} from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { atPlaceMeant } from '../command/place-meant-by.ts';
import { hitNumbered } from '../command/search-history.ts';
import { markedRows } from '../screen/marked-text.ts';
import type { Screen } from '../screen/screen.ts';
import { citedUri } from '../screen/shown-values.ts';
import { alignColumns } from '../screen/text-width.ts';

/** `kebab fetch chunk`: reads a chunk, with its neighbours if requested. */
export async function fetchChunk(context: CommandContext): Promise<void> {
  const app = await context.openApp();
  const chunkId = (await app.resolveId('chunk', context.values.arg('ID'))) as ChunkId;
  return fetchAndShow({ kind: 'chunk', chunkId }, context);
}

/** `kebab fetch doc`: reads a document. */
export async function fetchDoc(context: CommandContext): Promise<void> {
  const app = await context.openApp();
  const docId = (await app.resolveId('document', context.values.arg('DOC'))) as DocumentId;
  return fetchAndShow({ kind: 'doc', docId }, context);
}

/** `kebab fetch span`: reads lines of a document. */
export async function fetchSpan(context: CommandContext): Promise<void> {
  const lineStart = lineOf(context, 'START');
  const lineEnd = lineOf(context, 'END');
  const app = await context.openApp();
  const docId = (await app.resolveId('document', context.values.arg('DOC'))) as DocumentId;
  return fetchAndShow({ kind: 'span', docId, lineStart, lineEnd }, context);
}

/** `kebab fetch uri`: reads the place that a citation URI points to. */
export async function fetchUri(context: CommandContext): Promise<void> {
  const { values } = context;
  return fetchAndShow({ kind: 'uri', uri: values.arg('URI'), source: values.text('source') }, context);
}

function lineOf({ values }: CommandContext, name: 'START' | 'END'): number {
  const typed = values.arg(name);
  if (/^\d{1,15}$/.test(typed)) return Number(typed);
  throw invalidInput(`${name} is a line number, not ${JSON.stringify(typed)}`, { field: name, value: typed });
}

async function fetchAndShow(query: FetchQuery, context: CommandContext): Promise<void> {
  const { values, signal } = context;
  const app = await context.openApp();
  const result = await app.fetch(query, {
    signal,
    context: values.number('context'),
    maxTokens: values.number('max-tokens'),
    cursor: values.text('cursor'),
  });
  if (context.json) context.printJson(result);
  else context.print(renderFetch(result, context.screen()));
  if (result.truncated) context.note(TRUNCATED);
  if (isEmpty(result)) context.note(await emptyNotice(result, app));
}

/** The notice on stderr for a text that was cut by a budget. */
export const TRUNCATED = '[truncated; widen --max-tokens for fuller text]';

/** Whether there is nothing to read. */
export function isEmpty(result: FetchResult): boolean {
  return result.kind !== 'chunk' && result.text === '' && !result.truncated;
}

/** The notice shown instead of an empty text; for a picture or a scan it says why nothing was read in it. */
export async function emptyNotice(result: FetchResult, app: App): Promise<string> {
  const path = pathOf(result);
  if (!PICTURES.test(path)) return `notice: ${path} has no text here`;
  const { provenance } = await app.inspectDoc(result.doc_id as DocumentId);
  return `notice: ${path} has no text: ${whyUnread(provenance.events)}, or look at it with \`kebab snap\``;
}

const OCR_FAILED = /^ocr_failed: /;

/** What OCR has done with a document without text, and what may help. */
function whyUnread(events: DocInspection['provenance']['events']): string {
  const failed = events.findLast(({ note }) => OCR_FAILED.test(note ?? ''))?.note?.replace(OCR_FAILED, '');
  if (failed !== undefined) return `OCR failed: ${printable(failed)}; run \`kebab doctor\``;
  if (events.some(({ kind }) => kind === 'ocr_applied')) return 'OCR recognised none; check `ocr.languages`';
  return 'no OCR has read the picture; set `ocr.engine`, for a PDF also `pdf.ocr`, and ingest again';
}

/** Pictures, and documents that may consist of pictures. */
const PICTURES = /\.(?:png|jpe?g|webp|gif|tiff?|bmp|pdf)$/i;

/** The path of a fetched document, prefixed with its source. */
function pathOf({ source_id: sourceId, doc_path: path }: Pick<FetchResult, 'source_id' | 'doc_path'>): string {
  return formatSourcePath({ sourceId, path });
}

/** Fetched text below a line that names the document. In a pipe the text is printed unchanged. */
function renderFetch(result: FetchResult, screen: Screen): string {
  const { bold, dim, magenta } = screen.colors;
  const hash = hashOf(result);
  const shownHash = hash === null || screen.columns === null ? '' : dim(`  hash ${hash}`);
  const head = `${bold(`# ${printable(pathOf(result))} (${result.kind})`)}${shownHash}\n`;
  const stale = result.stale ? `${magenta(`[stale; indexed_at = ${printable(result.indexed_at)}]`)}\n` : '';
  if (result.kind !== 'chunk') return `${head}${stale}${screen.exact(closed(result.text))}`;
  const sections = [
    renderSection('before', result.context_before, screen),
    renderSection('target', [result.chunk], screen),
    renderSection('after', result.context_after, screen),
  ];
  return `${head}${stale}${sections.join('')}`;
}

/** The hash that `kebab cite verify --hash` takes; null for a whole document and for a place without text. */
function hashOf(result: FetchResult): string | null {
  if (result.kind === 'doc') return null;
  const citation = result.kind === 'chunk' ? result.chunk.citation : result.citation;
  return citation?.content_hash ?? null;
}

function renderSection(name: string, chunks: readonly ChunkInspection[], screen: Screen): string {
  if (chunks.length === 0) return '';
  return `${screen.colors.dim(`=== ${name} ===`)}\n${chunks.map((chunk) => renderChunk(chunk, screen)).join('')}`;
}

function renderChunk({ doc_path: path, citation, heading_path, text }: ChunkInspection, screen: Screen): string {
  const heading = heading_path.at(-1);
  const document = formatSourcePath({ sourceId: citation.source_id ?? 'default', path });
  const place = heading === undefined ? document : `${document} § ${heading}`;
  return `${screen.colors.cyan(`[${printable(place)}]`)}\n${screen.exact(closed(text))}`;
}

/** Adds a final line end if there is none. */
export function closed(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** `kebab get`: reads documents by path, whole or some of their lines; a glob reads every match. */
export async function get(context: CommandContext): Promise<void> {
  const { values, signal } = context;
  const app = await context.openApp();
  const typed = values.args('PATH');
  const queries: FetchQuery[] = [];
  for (const text of typed) queries.push(...(await queriesOf(text, context, app)));
  const hasSeveral = queries.length > 1 || typed.length > 1;
  const cursor = values.text('cursor');
  if (cursor !== undefined && hasSeveral)
    throw invalidInput('--cursor continues one document, not several', { field: '--cursor', value: cursor });
  if (values.has('blame')) return showBlame(queries, { context, app });
  const screen = context.screen();
  let paged = ''; // on a terminal all of them share one pager
  for (const [at, query] of queries.entries()) {
    const maxTokens = query.kind === 'chunk' ? undefined : values.number('max-tokens');
    const result = await atPlaceMeant(query, { context, app }, (place) =>
      app.fetch(place, { signal, maxTokens, cursor }),
    );
    const text = `${at > 0 ? '\n' : ''}${renderText(result, { hasSeveral, screen })}`;
    if (context.json) context.printJson(result);
    else if (screen.columns === null) context.print(text);
    else paged += text;
    if (query.kind === 'uri' && isOtherText(query.uri, result))
      context.note(`notice: the text there is not the one that was cited: kebab cite verify ${shellWord(query.uri)}`);
    if (result.freshness !== 'fresh')
      context.note(`notice: ${placeOf(result)} is ${result.freshness}: this is its text as it was indexed`);
    if (result.truncated) context.note(TRUNCATED);
    if (isEmpty(result)) context.note(await emptyNotice(result, app));
    if (context.io.stdout.closed) break;
  }
  await context.printLong(paged);
}

/** `kebab get --blame`: each line with its last commit. */
async function showBlame(
  queries: readonly FetchQuery[],
  { context, app }: { readonly context: CommandContext; readonly app: App },
): Promise<void> {
  for (const query of queries) {
    if (query.kind !== 'uri' && query.kind !== 'chunk')
      throw invalidInput('--blame takes a path, a citation URI or a chunk', { field: '--blame' });
    const blame = await atPlaceMeant<CitedQuery, Blame>(query, { context, app }, (place) =>
      app.blame(place, { signal: context.signal }),
    );
    if (context.json) context.printJson(blame);
    else await context.printLong(renderBlame(blame, queries.length > 1));
  }
}

const COMMIT_DIGITS = 12;
const DAY = 'YYYY-MM-DD'.length;

/** `3f2a1b9c0d1e 2026-03-01 Kim 12:text`; `^` marks a line that may be older than the history that is there. */
function renderBlame({ uri, lines }: Blame, isNamed: boolean): string {
  const rows = lines.map(({ line, text, commit, author, date, is_boundary: isBoundary }) => [
    commit === null ? 'not committed' : `${isBoundary === true ? '^' : ''}${commit.slice(0, COMMIT_DIGITS)}`,
    (date ?? '').slice(0, DAY),
    printable(author ?? ''),
    `${line}:${printable(text)}`,
  ]);
  const shown = alignColumns(rows).map((row) => `${row.join(' ').trimEnd()}\n`);
  return `${isNamed ? `==> ${printable(uri)} <==\n` : ''}${shown.join('')}`;
}

/** Whether a URI carries the hash of another text than the one at its place. */
function isOtherText(uri: string, result: FetchResult): boolean {
  const [, pin] = /(?:#[^#]*|:\d+(?:-\d+)?)~([0-9a-f]{6,16})$/i.exec(uri) ?? [];
  const hash = hashOf(result);
  return pin !== undefined && hash !== null && !hash.startsWith(pin.toLowerCase());
}

const GLOB = /[*?[\]{}]/;
const ID = /^[0-9a-f]{6,32}$/i;

/** Resolves an argument: the id of a chunk or document, a glob, or a path with or without lines. */
async function queriesOf(typed: string, context: CommandContext, app: App): Promise<readonly FetchQuery[]> {
  const { values, signal } = context;
  const source = values.text('source');
  if (ID.test(typed) && source === undefined) return [await byId(typed, app)];
  if (!GLOB.test(typed)) return [{ kind: 'uri', uri: hitNumbered(context, typed) ?? typed, source }];
  const { kind, documents } = await app.nameDocuments(typed, { source, signal });
  if (kind === 'document') return [{ kind: 'uri', uri: typed, source }];
  if (documents.length > 0) return documents.map(({ uri }) => ({ kind: 'uri', uri }));
  throw invalidInput(`no document matches ${JSON.stringify(typed)}`, {
    field: 'PATH',
    value: typed,
    hint: 'a glob is relative to a source or to the working directory; * stays in one folder, ** does not',
  });
}

/** Most printed ids are chunk ids, so those are tried first; otherwise the id is that of a document. */
async function byId(typed: string, app: App): Promise<FetchQuery> {
  try {
    return { kind: 'chunk', chunkId: (await app.resolveId('chunk', typed)) as ChunkId };
  } catch (error) {
    if (!isKebabError(error, 'chunk_not_found')) throw error;
    return { kind: 'doc', docId: (await app.resolveId('document', typed)) as DocumentId };
  }
}

/** A single text in a pipe is printed alone; several texts, and texts on a terminal, have a heading. */
function renderText(
  result: FetchResult,
  { hasSeveral, screen }: { readonly hasSeveral: boolean; readonly screen: Screen },
): string {
  const whole = closed(result.kind === 'chunk' ? result.chunk.text : result.text);
  const text = screen.columns === null ? screen.exact(whole) : wrapped(whole, screen.columns);
  if (!hasSeveral && screen.columns === null) return text;
  const place = printable(placeOf(result));
  return screen.columns === null ? `==> ${place} <==\n${text}` : `${screen.colors.cyan(place)}\n${text}`;
}

/** Wraps lines that are wider than the terminal at spaces. */
function wrapped(text: string, columns: number): string {
  const layout = { columns, maxRows: Infinity, mark: String };
  return text
    .split('\n')
    .map((line) => (line.length * 2 <= columns ? line : markedRows({ text: line, matches: [] }, layout).join('\n')))
    .join('\n');
}

function placeOf(result: FetchResult): string {
  if (result.kind === 'chunk') return citedUri(result.chunk.citation);
  if (result.kind === 'doc') return formatSourcePath({ sourceId: result.source_id, path: result.doc_path });
  return result.citation === null ? result.doc_path : citedUri(result.citation);
}
