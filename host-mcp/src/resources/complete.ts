import type { App, DocSummary } from '@kebab/core/app';
import type { LiveApp } from '../live-app.ts';
import type { CallContext, CompletionRequest } from '../protocol/surface.ts';
import { TEMPLATE_URIS } from './resource-uri.ts';
import { hasCode } from './rpc-error-of.ts';

/** Documents that are looked through; more would keep a person waiting at every key. */
const MOST_DOCUMENTS = 1000;

/** Values for an argument that is being typed: ids of documents and chunks, paths, titles. Nothing when nothing fits. */
export async function completeArgument(
  live: LiveApp,
  { of, argument, typed }: CompletionRequest,
  { signal }: CallContext,
): Promise<readonly string[]> {
  if (of.kind === 'resource' && of.name === TEMPLATE_URIS.chunk) return live.use((app) => chunkId(app, typed));
  const value = of.kind === 'resource' && of.name === TEMPLATE_URIS.doc ? documentId : VALUES[argument];
  if (value === undefined) return [];
  const docs = await live
    .use((app) => app.listDocs({}, { limit: MOST_DOCUMENTS }, { signal }))
    .then((list) => list.docs)
    .catch(noneBeforeIngest);
  const fitting = docs.filter((doc) => fits(doc, typed.toLowerCase()));
  return [...new Set(fitting.map(value))];
}

function noneBeforeIngest(error: unknown): readonly DocSummary[] {
  if (hasCode(error, 'not_indexed')) return [];
  throw error;
}

/** What of a document continues each argument of a prompt. */
const VALUES: Readonly<Record<string, (doc: DocSummary) => string>> = {
  topic: ({ title }) => title,
  expected: ({ doc_path: path }) => path,
};

function documentId({ doc_id: id }: DocSummary): string {
  return id;
}

function fits({ doc_id: id, doc_path: path, title }: DocSummary, typed: string): boolean {
  return id.startsWith(typed) || path.toLowerCase().includes(typed) || title.toLowerCase().includes(typed);
}

/** Chunks have no names: only an id that is unique already can be completed. */
async function chunkId(app: App, typed: string): Promise<readonly string[]> {
  return app.resolveId('chunk', typed).then(
    (id) => [id],
    () => [],
  );
}
