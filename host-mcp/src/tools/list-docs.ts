import {
  type App,
  type DocListBrief,
  type DocSummary,
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
    'Lists the files of the knowledge base as a tree of folders, and which files are left out and why. Use it to find a file by name (path_glob); use search to find passages.',
  input: TOOL,
  outputs: ['doc_list_brief', 'doc_list'],
  textOf: (answer) => treeText(answer as DocListBrief),
  async run({ cursor, limit, detail = 'brief', ...typed }, { app, settings, signal }) {
    const filters = parseFilters(typed);
    const maxTokens = settings.defaultMaxTokens;
    if (detail === 'full') return app.listDocs(filters, { cursor, limit, maxTokens }, { signal });
    const isWhole = cursor === undefined && Object.keys(typed).length === 0;
    const skipped = isWhole ? await skippedFiles(app, signal) : {};
    const list = (most: number) => app.listDocs(filters, { cursor, limit: most }, { signal });
    let page = await list(limit ?? LIST_DOCS.limit.max);
    const room = maxTokens * 4 - JSON.stringify(skipped).length;
    const fitting = countThatFits(page.docs, room);
    if (fitting < page.docs.length) page = await list(fitting);
    const { docs, total, next_cursor } = page;
    return { schema_version: 'doc_list_brief.v1', folders: byFolder(docs), ...skipped, total, next_cursor };
  },
};

type Folders = DocListBrief['folders'];

function byFolder(docs: readonly DocSummary[]): Folders {
  const folders = new Map<string, string[]>();
  for (const doc of docs) {
    const { folder, name } = partsOf(doc);
    const files = folders.get(folder) ?? [];
    files.push(name);
    folders.set(folder, files);
  }
  return [...folders].map(([folder, files]) => ({ folder, files }));
}

function partsOf({ source_id: sourceId, doc_path: path }: DocSummary): {
  readonly folder: string;
  readonly name: string;
} {
  const place = formatSourcePath({ sourceId, path });
  const end = place.length - (path.length - path.lastIndexOf('/') - 1);
  return { folder: place.slice(0, end), name: place.slice(end) };
}

/** How many documents fit in so many characters of JSON; at least one. */
function countThatFits(docs: readonly DocSummary[], room: number): number {
  const seen = new Set<string>();
  let left = room;
  const tooMany = docs.findIndex((doc) => {
    const { folder, name } = partsOf(doc);
    left -= JSON.stringify(name).length + 1;
    if (!seen.has(folder)) left -= JSON.stringify({ folder, files: [] }).length + 1;
    seen.add(folder);
    return left < 0;
  });
  return tooMany === -1 ? docs.length : Math.max(1, tooMany);
}

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

/** The same as a tree: a folder per line, its files below it. */
function treeText({
  folders,
  skipped = [],
  skipped_total: count = 0,
  total,
  next_cursor: cursor,
}: DocListBrief): string {
  const tree = folders.flatMap(({ folder, files }) => [
    ...(folder === '' ? [] : [folder]),
    ...files.map((name) => `${folder === '' ? '' : '  '}${name}`),
  ]);
  const left = skipped.map(({ path, why }) => `not indexed whole: ${path}: ${why}`);
  const more = count > skipped.length ? [`not indexed whole: ${count - skipped.length} more files`] : [];
  const next = cursor === null ? [] : [`next_cursor: ${cursor}`];
  return [`${total} documents`, ...tree, ...left, ...more, ...next].map(printable).join('\n');
}
