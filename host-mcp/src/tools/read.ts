import { FETCH, LIST_DOCS, parseFetchRequest, parseFilters, VERIFY_CITATION } from '@kebab/core/app';
import type { KebabTool } from './tool.ts';

/** `fetch`: exact text. */
export const fetch: KebabTool<typeof FETCH> = {
  name: 'fetch',
  title: 'Read exact text',
  description:
    'Reads text exactly as it was indexed: a chunk of a hit with its neighbours, whole lines of a document, what a citation uri designates, or a document from its beginning. Use it before quoting; snippets are shortened.',
  input: FETCH,
  output: 'fetch_result',
  writes: false,
  run(args, { app, settings, signal }) {
    const { query, options } = parseFetchRequest(args);
    const maxTokens = query.kind === 'chunk' ? undefined : (options.maxTokens ?? settings.defaultMaxTokens);
    return app.fetch(query, { ...options, maxTokens, signal });
  },
};

/** `list_docs`: the documents, in pages. */
export const listDocs: KebabTool<typeof LIST_DOCS> = {
  name: 'list_docs',
  title: 'List documents',
  description:
    'Lists the documents of the knowledge base by source and path, with titles, tags and dates. Use it to see what there is or to find a document by name; use search to find passages.',
  input: LIST_DOCS,
  output: 'doc_list',
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
    'Checks that a citation still says what it said: exact, moved (found_uri tells where to) or gone. Give uri, content_hash and source_id of a citation as they came; without content_hash the file is compared with what was indexed.',
  input: VERIFY_CITATION,
  output: 'citation_check',
  writes: false,
  run({ uri, content_hash: hash, source }, { app, signal }) {
    return app.verifyCitation(uri, { hash, source, signal });
  },
};

/** `schema`: versions, capabilities and counts. */
export const schema: KebabTool = {
  name: 'schema',
  title: 'Describe the knowledge base',
  description: 'Tells versions, capabilities and counts: how many documents, in which media, languages and sources.',
  input: {},
  output: 'schema',
  writes: false,
  run: (_args, { app, signal }) => app.schema({ signal }),
};

/** `doctor`: what works and what does not. */
export const doctor: KebabTool = {
  name: 'doctor',
  title: 'Check that everything works',
  description: 'Checks configuration, database, models and plugins, and names a remedy for what is unhealthy.',
  input: {},
  output: 'doctor',
  writes: false,
  run: (_args, { app, signal }) => app.doctor({ signal }),
};
