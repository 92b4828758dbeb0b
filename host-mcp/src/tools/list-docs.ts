import {
  type App,
  type DocListBrief,
  type Fields,
  formatSourcePath,
  LIST_DOCS,
  parseFilters,
  printable,
} from '@kebab/core/app';
import type { KebabTool, ToolCall } from './tool.ts';

const TOOL = {
  ...LIST_DOCS,
  limit: { ...LIST_DOCS.limit, description: 'Documents on a page; by default as many as fit.' },
  detail: {
    kind: 'enum',
    values: ['brief', 'full'],
    doc: 'how much is said of a document',
    description: 'brief (default): names by folder. full: doc_list.v1, with ids, titles, tags and dates.',
  },
} as const satisfies Fields;

/** `list_docs`: the documents, in pages. */
export const listDocs: KebabTool<typeof TOOL> = {
  name: 'list_docs',
  operation: 'listDocs',
  title: 'List documents',
  description:
    'Lists the files of the knowledge base as a tree of folders, very many folded, and which files are left out and why. Use it to find a file by name (path_glob); use search to find passages.',
  input: TOOL,
  outputs: ['doc_list_brief', 'doc_list'],
  textOf: (answer) => treeText(answer as DocListBrief),
  async run({ cursor, limit, detail = 'brief', ...typed }, { app, settings, signal }) {
    const filters = parseFilters(typed);
    const maxTokens = settings.defaultMaxTokens;
    if (detail === 'full') return app.listDocs(filters, { cursor, limit, maxTokens }, { signal });
    const isWhole = cursor === undefined && Object.keys(typed).length === 0;
    const skipped = isWhole ? await skippedFiles(app, signal) : {};
    const room = Math.max(1, maxTokens - Math.ceil(JSON.stringify(skipped).length / 4));
    const page = await app.listFolders(filters, { cursor, limit, maxTokens: room }, { signal });
    if (page.total > 0 || Object.keys(filters).length === 0) return { ...page, ...skipped };
    const { suggestions } = await app.search({ text: '', filters }, { refresh: false, signal });
    return suggestions === undefined ? page : { ...page, unknown: suggestions.filters };
  },
};

const MAX_SKIPPED = 100;

/** Reasons that the user chose: what they leave out is not listed. */
const CHOSEN: ReadonlySet<string> = new Set(['gitignore', 'kebabignore', 'builtin_blacklist', 'excluded']);

async function skippedFiles(
  app: App,
  signal: ToolCall['signal'],
): Promise<Pick<DocListBrief, 'skipped' | 'skipped_total'>> {
  const skipped: { readonly path: string; readonly why: string }[] = [];
  let count = 0;
  for await (const { source_id: sourceId, doc_path: path, reason, why } of app.listSkipped({ signal })) {
    if (CHOSEN.has(reason)) continue;
    if (count++ < MAX_SKIPPED) skipped.push({ path: formatSourcePath({ sourceId, path }), why });
  }
  return count === 0 ? {} : { skipped, skipped_total: count };
}

/** The same as a tree: a folder per line, its files below it, or how many there are. */
function treeText({ folders, skipped = [], unknown = [], total, next_cursor, ...page }: DocListBrief): string {
  const { skipped_total: count = 0 } = page;
  const tree = folders.flatMap(({ folder, files, documents }) =>
    documents === undefined
      ? [...(folder === '' ? [] : [folder]), ...files.map((name) => `${folder === '' ? '' : '  '}${name}`)]
      : [`${folder} (${documents})`],
  );
  const folded = folders.find(({ documents }) => documents !== undefined);
  const how = folded === undefined ? '' : `; (n): n more in there, listed with path_glob ["${folded.folder}**"]`;
  const left = skipped.map(({ path, why }) => `not indexed whole: ${path}: ${why}`);
  const more = count > skipped.length ? [`not indexed whole: ${count - skipped.length} more files`] : [];
  const none = unknown.map(({ filter, value, nearest, known }) => {
    const values = [...new Set([...(nearest === null ? [] : [nearest]), ...known])];
    return `no document has ${filter} ${JSON.stringify(value)}${values.length === 0 ? '' : `; there is: ${values.join(', ')}`}`;
  });
  const next = next_cursor === null ? [] : [`next_cursor: ${next_cursor}`];
  const head = `${total} ${total === 1 ? 'document' : 'documents'}${how}`;
  return [head, ...tree, ...left, ...more, ...none, ...next].map(printable).join('\n');
}
