import {
  formatSourcePath,
  invalidInput,
  isKebabError,
  type App,
  type ChunkId,
  type DocumentId,
  type FetchQuery,
  type FetchResult,
} from '@kebab/core/app';
import type { CommandContext } from '../command/command-context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printable } from '../io/printable.ts';
import { markedRows } from '../screen/marked-text.ts';
import type { Screen } from '../screen/screen.ts';
import { closed, emptyNotice, isEmpty, TRUNCATED } from './fetch.ts';

/** `kebab get`: reads documents by their paths, whole or some of their lines; of globs, everything they match. */
export async function get(context: CommandContext): Promise<ExitCode> {
  const { values, signal } = context;
  const app = await context.openApp();
  const typed = values.args('PATH');
  const queries: FetchQuery[] = [];
  for (const text of typed) queries.push(...(await queriesOf(text, context, app)));
  const hasSeveral = queries.length > 1 || typed.length > 1;
  const screen = await context.screen();
  let paged = ''; // on a terminal all of them go through one pager
  for (const [at, query] of queries.entries()) {
    const maxTokens = query.kind === 'chunk' ? undefined : values.number('max-tokens');
    const result = await app.fetch(query, { signal, maxTokens });
    const text = `${at > 0 ? '\n' : ''}${renderText(result, { hasSeveral, screen })}`;
    if (context.json) context.printJson(result);
    else if (screen.columns === null) context.print(text);
    else paged += text;
    if (result.freshness !== 'fresh')
      context.note(`notice: ${placeOf(result)} is ${result.freshness}: this is its text as it was indexed`);
    if (result.truncated) context.note(TRUNCATED);
    if (isEmpty(result)) context.note(emptyNotice(result));
    if (context.io.stdout.closed) break;
  }
  await context.printLong(paged);
  return EXIT.ok;
}

const GLOB = /[*?[\]{}]/;
const ID = /^[0-9a-f]{6,32}$/i;

/** What one argument names: a chunk or document by its id, the documents of a glob, or a path with or without lines. */
async function queriesOf(typed: string, { values, signal }: CommandContext, app: App): Promise<readonly FetchQuery[]> {
  const source = values.text('source');
  if (ID.test(typed) && source === undefined) return [await byId(typed, app)];
  if (!GLOB.test(typed)) return [{ kind: 'uri', uri: typed, source }];
  const { kind, documents } = await app.nameDocuments(typed, { source, signal });
  if (kind === 'document') return [{ kind: 'uri', uri: typed, source }];
  if (documents.length > 0) return documents.map(({ uri }) => ({ kind: 'uri', uri }));
  throw invalidInput(`no document matches ${JSON.stringify(typed)}`, {
    field: 'PATH',
    value: typed,
    hint: 'a glob is relative to a source or to the working directory; * stays in one folder, ** does not',
  });
}

/** Chunks are what most ids name that are printed; one of a document is the same text from its beginning. */
async function byId(typed: string, app: App): Promise<FetchQuery> {
  try {
    return { kind: 'chunk', chunkId: (await app.resolveId('chunk', typed)) as ChunkId };
  } catch (error) {
    if (!isKebabError(error, 'chunk_not_found')) throw error;
    return { kind: 'doc', docId: (await app.resolveId('document', typed)) as DocumentId };
  }
}

/** A text alone is what it is; several, and those on a terminal, stand below what they are. */
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

/** Lines that are longer than the terminal is wide, broken at spaces. */
function wrapped(text: string, columns: number): string {
  const layout = { columns, maxRows: Infinity, mark: String };
  return text
    .split('\n')
    .map((line) => (line.length * 2 <= columns ? line : markedRows({ text: line, matches: [] }, layout).join('\n')))
    .join('\n');
}

function placeOf(result: FetchResult): string {
  if (result.kind === 'chunk') return result.chunk.citation.uri;
  if (result.kind === 'doc') return formatSourcePath({ sourceId: result.source_id, path: result.doc_path });
  return result.citation?.uri ?? result.doc_path;
}
