import {
  FILTERS,
  formatSourcePath,
  invalidInput,
  parseFilters,
  flagsOf,
  printable,
  type DocSummary,
  type DocumentId,
  type SearchQuery,
  type SkippedFile,
} from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { counted } from '../screen/shown-values.ts';
import type { Screen } from '../screen/screen.ts';
import { fitStart, textWidth } from '../screen/text-width.ts';
import { noteSuggestions } from './search-notices.ts';

type AskedFilters = NonNullable<SearchQuery['filters']>;

const SHOWN_DIGITS = 8;
const MEDIA_COLUMNS = 8;
const CHUNKS_COLUMNS = 5;
const GAP = '  ';
/** The size of the first page, which should appear soon. Later pages are larger, because each one skips all documents before it. */
const FIRST = 100;
const LATER = 1000;

/** `kebab list docs`: documents by source and path, printed page by page. */
export async function listDocs(context: CommandContext): Promise<void> {
  if (context.values.has('skipped')) return listSkipped(context);
  const typedFilters = parseFilters(await context.request(FILTERS));
  const app = await context.openApp();
  const filters = await inPaths(typedFilters, context);
  const screen = context.screen();
  const options = { signal: context.signal };
  let cursor: string | undefined;
  let total: number;
  do {
    const page = await app.listDocs(filters, { cursor, limit: cursor === undefined ? FIRST : LATER }, options);
    for (const doc of page.docs) {
      if (context.json) context.printJson(doc);
      else context.printWrapped(renderLine(doc, screen));
    }
    total = page.total;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && !context.io.stdout.closed);
  if (context.json) return;
  context.print(renderTotal(total, screen));
  if (total === 0 && Object.keys(filters).length > 0) await noteValues(filters, context);
}

/** Reports the values of filters that no document has, and those that there are. */
async function noteValues(filters: AskedFilters, context: CommandContext): Promise<void> {
  const app = await context.openApp();
  const { suggestions } = await app.search({ text: '', filters }, { refresh: false, signal: context.signal });
  if (suggestions !== undefined) noteSuggestions(suggestions, context);
}

/** `kebab list docs --skipped`: what an ingest leaves out, with the reason and how to change it. */
async function listSkipped(context: CommandContext): Promise<void> {
  const { values } = context;
  const filter = flagsOf(FILTERS).find(({ name }) => name !== 'source' && values.has(name));
  if (filter !== undefined)
    throw invalidInput(`--skipped lists files without a document: --${filter.name} cannot select them`, {
      field: `--${filter.name}`,
      hint: 'select them with a PATH or --source',
    });
  const paths = values.args('PATH').map((path) => path.replace(/^\.\//, '').replace(/\/+$/, ''));
  const sources = values.all('source');
  const app = await context.openApp();
  const screen = context.screen();
  let total = 0;
  for await (const file of app.listSkipped({ signal: context.signal })) {
    const place = formatSourcePath({ sourceId: file.source_id, path: file.doc_path });
    const isAt = (path: string): boolean =>
      [place, file.doc_path].some((own) => `${own}/`.startsWith(`${path}/`) || path.startsWith(`${own}/`));
    if (sources?.includes(file.source_id) === false || (paths.length > 0 && !paths.some(isAt))) continue;
    total++;
    if (context.json) context.printJson(file);
    else context.printWrapped(renderSkipped(file, place, screen));
    if (context.io.stdout.closed) break;
  }
  if (context.json) return;
  context.print(total === 0 ? 'nothing is left out\n' : `\n${screen.colors.dim(`${total} left out`)}\n`);
  if (total === 0 && sources !== undefined) await noteValues({ source: sources }, context);
}

function renderSkipped({ why, remedy }: SkippedFile, place: string, { colors }: Screen): string {
  return `${colors.cyan(printable(place))}${GAP}${printable(why)}${GAP}${colors.dim(printable(remedy))}\n`;
}

/** Adds the documents at the given paths to the filters; without paths, the filters are unchanged. */
async function inPaths<F extends Pick<AskedFilters, 'docId'>>(filters: F, context: CommandContext): Promise<F> {
  const paths = context.values.args('PATH');
  if (paths.length === 0) return filters;
  const app = await context.openApp();
  const ids: DocumentId[] = [];
  for (const typed of paths) {
    const { documents } = await app.nameDocuments(typed, { signal: context.signal });
    if (documents.length === 0) {
      const { sources } = await app.listSources();
      const isSource = sources.some(({ id }) => id === typed);
      throw invalidInput(`there is no document at or below ${JSON.stringify(typed)}`, {
        field: 'PATH',
        value: typed,
        hint: isSource
          ? `it is a source: \`kebab list docs --source ${typed}\``
          : 'see them all with `kebab list docs`',
      });
    }
    ids.push(...documents.map(({ docId }) => docId));
  }
  return { ...filters, docId: ids.filter((id) => filters.docId?.includes(id) ?? true) };
}

/** One document in one line: id, medium or the extension of another file, number of chunks, path, title, and the state of its file. */
function renderLine(doc: DocSummary, { columns, colors }: Screen): string {
  const id = doc.doc_id.slice(0, SHOWN_DIGITS);
  const extension = doc.media === 'other' ? /\.([^./]+)$/.exec(doc.doc_path)?.[1]?.toLowerCase() : undefined;
  const media = printable(extension ?? doc.media).padEnd(MEDIA_COLUMNS);
  const chunks = String(doc.chunk_count).padStart(CHUNKS_COLUMNS);
  const place = printable(formatSourcePath({ sourceId: doc.source_id, path: doc.doc_path }));
  const state = doc.freshness === 'fresh' ? '' : `[${doc.freshness}]`;
  const room = (columns ?? Infinity) - textWidth([id, media, chunks, place, '', state].join(GAP));
  const parts: readonly (readonly [text: string, paint: (text: string) => string])[] = [
    [id, colors.dim],
    [media, String],
    [chunks, colors.dim],
    [place, colors.cyan],
    [fitStart(doc.title, room), String],
    [state, colors.magenta],
  ];
  const present = parts.filter(([text]) => text !== '');
  return `${present.map(([text, paint]) => paint(text)).join(GAP)}\n`;
}

function renderTotal(total: number, { colors }: Screen): string {
  return total === 0 ? 'no documents\n' : `\n${colors.dim(counted(total, 'document'))}\n`;
}
