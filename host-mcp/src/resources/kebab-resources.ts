import { parseChunkId, parseDocumentId, type App, type DocSummary } from '@kebab/core/app';
import type { LiveApp } from '../live-app.ts';
import type { JsonObject } from '../protocol/json-rpc.ts';
import type { CallContext, Page, ServedResources } from '../protocol/surface.ts';
import { hasCode, rpcErrorOf } from './rpc-error-of.ts';
import { formatResourceUri, parseResourceUri, TEMPLATE_URIS } from './resource-uri.ts';

const PAGE_SIZE = 100;

/** Documents and chunks as resources: their text, exactly as it was indexed. The list pages through the documents. */
export function kebabResources(live: LiveApp): ServedResources {
  return {
    templates: TEMPLATES,
    list: (cursor, { signal }) =>
      live.use((app) => listDocuments(app, cursor, signal)).catch((error: unknown) => emptyOr(rpcErrorOf, error)),
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

/** Clients list resources when they connect, which may be before the first ingest: nothing is a list, not a failure. */
function emptyOr(fail: (error: unknown) => never, error: unknown): Page {
  return hasCode(error, 'not_indexed') ? { items: [], nextCursor: null } : fail(error);
}

async function listDocuments(app: App, cursor: string | undefined, signal: CallContext['signal']): Promise<Page> {
  const page = { limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) };
  const { docs, next_cursor: nextCursor } = await app.listDocs({}, page, { signal });
  return { items: docs.map(resourceOf), nextCursor };
}

function resourceOf(doc: DocSummary): JsonObject {
  return {
    uri: formatResourceUri({ kind: 'doc', id: doc.doc_id }),
    name: doc.doc_path,
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
