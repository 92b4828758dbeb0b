import {
  FETCH,
  invalidInput,
  LIST_DOCS,
  parseFetchRequest,
  parseFilters,
  VERIFY_CITATION,
  type App,
  type Fields,
  type RequestOf,
} from '@kebab/core/app';
import type { KebabTool } from './tool.ts';

const { required: _required, ...OPTIONAL_KIND } = FETCH.kind;

/** A place is named in one of four ways; `kind` need not be said. */
const PLACE = {
  uri: { ...FETCH.uri, description: 'A citation’s uri, as in notes/a.md#L10-L12; a path does as well.' },
  path: {
    kind: 'text',
    summary: 'the path of a document',
    description: 'Path of a document: all of it, or line_start to line_end.',
  },
  chunk_id: { ...FETCH.chunk_id, description: 'chunk_id of a hit; its first digits do, from six.' },
  doc_id: { ...FETCH.doc_id, description: 'doc_id of a hit: all of it, or line_start to line_end.' },
} as const satisfies Fields;

const FETCH_TOOL = {
  ...PLACE,
  line_start: { ...FETCH.line_start, description: 'With path or doc_id: the first line, from 1.' },
  line_end: { ...FETCH.line_end, description: 'With path or doc_id: the last line, inclusive; default line_start.' },
  context: { ...FETCH.context, description: 'With chunk_id: chunks before and after; default 0.' },
  max_tokens: FETCH.max_tokens,
  kind: { ...OPTIONAL_KIND, description: 'May be left out: what else is given says it.' },
} as const satisfies Fields;

/** `fetch`: exact text. */
export const fetch: KebabTool<typeof FETCH_TOOL> = {
  name: 'fetch',
  title: 'Read exact text',
  description:
    'Reads text exactly as it was indexed. Give one of: uri (what a citation designates), path (a document or lines of it), chunk_id (a hit’s passage, with its neighbours), doc_id. Use it before quoting; snippets are shortened.',
  input: FETCH_TOOL,
  outputs: ['fetch_result'],
  writes: false,
  async run(args, { app, settings, signal }) {
    const { query, options } = parseFetchRequest(await fetchOf(args, app));
    const maxTokens = query.kind === 'chunk' ? undefined : (options.maxTokens ?? settings.defaultMaxTokens);
    return app.fetch(query, { ...options, maxTokens, signal });
  },
};

/** The fetch that is meant, with its kind and whole ids. Throws `invalid_input` unless one place is named. */
async function fetchOf({ path, ...args }: RequestOf<typeof FETCH_TOOL>, app: App): Promise<RequestOf<typeof FETCH>> {
  if (args.kind !== undefined && path === undefined) return { ...args, kind: args.kind };
  const named = Object.keys(PLACE).filter((name) => ({ ...args, path })[name as keyof typeof PLACE] !== undefined);
  if (named.length !== 1)
    throw invalidInput(
      named.length === 0 ? 'what is to be read is missing' : `${named.join(' and ')} name different places`,
      { field: named[1] ?? 'uri', allowed: Object.keys(PLACE), hint: 'give one of uri, path, chunk_id and doc_id' },
    );
  if (path !== undefined && args.context !== undefined)
    throw invalidInput('context does not go with path: it counts the chunks around chunk_id', { field: 'context' });
  const { chunk_id: chunkId, doc_id: docId, line_start: start, line_end: end, ...others } = args;
  if (chunkId !== undefined) return { ...args, kind: 'chunk', chunk_id: await app.resolveId('chunk', chunkId) };
  if (docId !== undefined) {
    const whole = await app.resolveId('document', docId);
    if (start === undefined && end === undefined) return { ...others, kind: 'doc', doc_id: whole };
    return { ...others, kind: 'span', doc_id: whole, line_start: start ?? 1, line_end: end ?? start };
  }
  if (path === undefined) return { ...args, kind: 'uri' };
  if (start === undefined && end === undefined) return { ...others, kind: 'uri', uri: path };
  const escaped = path.replaceAll(/[%#]/g, encodeURIComponent);
  return { ...others, kind: 'uri', uri: `${escaped}#L${start ?? 1}-L${end ?? start}` };
}

/** `list_docs`: the documents, in pages. */
export const listDocs: KebabTool<typeof LIST_DOCS> = {
  name: 'list_docs',
  title: 'List documents',
  description:
    'Lists the documents of the knowledge base by source and path, with titles, tags and dates. Use it to see what there is or to find a document by name; use search to find passages.',
  input: LIST_DOCS,
  outputs: ['doc_list'],
  writes: false,
  run({ cursor, limit, ...filters }, { app, settings, signal }) {
    return app.listDocs(parseFilters(filters), { cursor, limit, maxTokens: settings.defaultMaxTokens }, { signal });
  },
};

/** `verify_citation`: whether a citation still holds. */
export const verifyCitation: KebabTool<typeof VERIFY_CITATION> = {
  name: 'verify_citation',
  title: 'Check a citation',
  description:
    'Checks that a citation still says what it said: exact, moved (found_uri says where) or gone. Give uri and content_hash of a hit or citation as they came; without content_hash the file is compared with what was indexed.',
  input: VERIFY_CITATION,
  outputs: ['citation_check'],
  writes: false,
  run({ uri, content_hash: hash, source }, { app, signal }) {
    return app.verifyCitation(uri, { hash, source, signal });
  },
};

/** `schema`: versions, capabilities and counts. */
export const schema: KebabTool = {
  name: 'schema',
  title: 'Describe the knowledge base',
  description: 'Shows versions, capabilities and counts: how many documents, in which media, languages and sources.',
  input: {},
  outputs: ['schema'],
  writes: false,
  run: (_args, { app, signal }) => app.schema({ signal }),
};

/** `doctor`: what works and what does not. */
export const doctor: KebabTool = {
  name: 'doctor',
  title: 'Check that everything works',
  description: 'Checks configuration, database, models and plugins, and names a remedy for what is unhealthy.',
  input: {},
  outputs: ['doctor'],
  writes: false,
  run: (_args, { app, signal }) => app.doctor({ signal }),
};
