import {
  formatSourcePath,
  isKebabError,
  parseChunkId,
  parseDocumentId,
  toErrorV1,
  type App,
  type DocSummary,
} from '@kebab/core/app';
import type { LiveApp } from './live-app.ts';
import { RPC_CODES, RpcError, type JsonObject } from './protocol/json-rpc.ts';
import type { CallContext, CompletionRequest, Page, ServedResources } from './protocol/surface.ts';

/** A document or chunk, as a resource URI names it. */
interface ResourceName {
  readonly kind: 'doc' | 'chunk';
  readonly id: string;
}

const URI = /^kebab:\/\/(doc|chunk)\/([0-9a-f]{32})$/;

/** The template of each kind of resource. */
const TEMPLATE_URIS = { doc: 'kebab://doc/{id}', chunk: 'kebab://chunk/{id}' } as const;

const PAGE_SIZE = 100;

/** Documents and chunks as resources: their text, exactly as it was indexed. The list pages through the documents. */
export function kebabResources(live: LiveApp): ServedResources {
  return {
    templates: TEMPLATES,
    list: (cursor, { signal }) => live.use((app) => listDocuments(app, cursor, signal)).catch(emptyBeforeIngest),
    read: async (uri, { signal }) => {
      const name = parseResourceUri(uri);
      if (name === null) return null;
      const read = name.kind === 'doc' ? readDocument : readChunk;
      try {
        return [{ uri, ...(await live.use((app) => read(app, name.id, signal))) }];
      } catch (error) {
        return hasCode(error, 'doc_not_found', 'chunk_not_found') ? null : rpcErrorOf(error);
      }
    },
  };
}

const TEMPLATES: readonly JsonObject[] = [
  {
    uriTemplate: TEMPLATE_URIS.doc,
    name: 'document',
    title: 'A document',
    description: 'The whole text of a document; id is the doc_id of a hit or of list_docs.',
  },
  {
    uriTemplate: TEMPLATE_URIS.chunk,
    name: 'chunk',
    title: 'A passage',
    description: 'The text of a chunk, which is what a search finds; id is the chunk_id of a hit.',
    mimeType: 'text/plain',
  },
];

/** Clients list resources when they connect, perhaps before the first ingest: the list is empty then, not an error. */
function emptyBeforeIngest(error: unknown): Page {
  return hasCode(error, 'not_indexed') ? { items: [], nextCursor: null } : rpcErrorOf(error);
}

async function listDocuments(app: App, cursor: string | undefined, signal: CallContext['signal']): Promise<Page> {
  const { docs, next_cursor: nextCursor } = await app.listDocs({}, { limit: PAGE_SIZE, cursor }, { signal });
  return { items: docs.map(resourceOf), nextCursor };
}

function resourceOf(doc: DocSummary): JsonObject {
  return {
    uri: formatResourceUri({ kind: 'doc', id: doc.doc_id }),
    name: placeOf(doc),
    title: doc.title,
    mimeType: doc.media === 'markdown' ? 'text/markdown' : 'text/plain',
    size: doc.byte_len,
    annotations: { lastModified: doc.updated_at },
  };
}

async function readDocument(app: App, id: string, signal: CallContext['signal']): Promise<JsonObject> {
  const found = await app.fetch({ kind: 'doc', docId: parseDocumentId(id) }, { signal });
  if (found.kind !== 'doc') throw new Error(`asked for a document, got a ${found.kind}`);
  return { mimeType: found.doc_path.endsWith('.md') ? 'text/markdown' : 'text/plain', text: found.text };
}

async function readChunk(app: App, id: string, signal: CallContext['signal']): Promise<JsonObject> {
  const found = await app.fetch({ kind: 'chunk', chunkId: parseChunkId(id) }, { signal });
  if (found.kind !== 'chunk') throw new Error(`asked for a chunk, got a ${found.kind}`);
  return { mimeType: 'text/plain', text: found.chunk.text, _meta: { 'kebab/citation': found.chunk.citation } };
}

/** Writes the URI of a document or chunk. */
function formatResourceUri({ kind, id }: ResourceName): string {
  return TEMPLATE_URIS[kind].replace('{id}', id);
}

/** Reads a URI; null when it names neither a document nor a chunk. */
function parseResourceUri(uri: string): ResourceName | null {
  const [, kind, id] = URI.exec(uri) ?? [];
  return id === undefined ? null : { kind: kind as ResourceName['kind'], id };
}

/** How many documents a completion looks through; more would make typing sluggish. */
const MAX_DOCUMENTS = 1000;

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
    .use((app) => app.listDocs({}, { limit: MAX_DOCUMENTS }, { signal }))
    .then((list) => list.docs)
    .catch(noneBeforeIngest);
  const fitting = docs.filter((doc) => fits(doc, typed.toLowerCase()));
  return [...new Set(fitting.map(value))];
}

function noneBeforeIngest(error: unknown): readonly DocSummary[] {
  if (hasCode(error, 'not_indexed')) return [];
  throw error;
}

/** The value of a document that completes each argument of a prompt. */
const VALUES: Readonly<Record<string, (doc: DocSummary) => string>> = {
  topic: ({ title }) => title,
  expected: placeOf,
};

/** The path of a document as tools print and take it, with its source before it. */
function placeOf({ source_id: sourceId, doc_path: path }: DocSummary): string {
  return formatSourcePath({ sourceId, path });
}

function documentId({ doc_id: id }: DocSummary): string {
  return id;
}

function fits(doc: DocSummary, typed: string): boolean {
  const { doc_id: id, title } = doc;
  return id.startsWith(typed) || placeOf(doc).toLowerCase().includes(typed) || title.toLowerCase().includes(typed);
}

/** Chunks have no names: only the beginning of an id that fits one chunk alone can be completed. */
async function chunkId(app: App, typed: string): Promise<readonly string[]> {
  return app.resolveId('chunk', typed).then(
    (id) => [id],
    () => [],
  );
}

/** Codes of failures that the request caused. */
const BAD_REQUEST = ['invalid_input', 'stale_cursor'] as const;

/** Throws a failure of the facade as an error of the protocol: unlike a tool, resources and completions have no error result. */
export function rpcErrorOf(error: unknown): never {
  const data = toErrorV1(error);
  const code = hasCode(error, ...BAD_REQUEST) ? RPC_CODES.invalidParams : RPC_CODES.internalError;
  throw new RpcError(code, data.message, { data });
}

/** Whether a caught value is a failure with one of these codes. */
function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return isKebabError(error) && codes.includes(error.code);
}
