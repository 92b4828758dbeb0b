import { parseFilters } from '@kebab/core/app';
import type { KebabTool } from './kebab-tool.ts';
import { FILTER_PARAMETERS } from './parameter.ts';

/** `list_docs`: the documents, in pages. */
export const listDocs: KebabTool = {
  name: 'list_docs',
  title: 'List documents',
  description:
    'Lists the documents of the knowledge base by source and path, with titles, tags and dates. Use it to see what there is or to find a document by name; use search to find passages.',
  parameters: [
    { name: 'cursor', type: 'string', description: 'next_cursor of the page before, with the same filters.' },
    { name: 'limit', type: 'integer', minimum: 1, maximum: 1000, description: 'Documents on a page; default 100.' },
    ...FILTER_PARAMETERS,
  ],
  output: 'doc_list',
  writes: false,
  run({ cursor, limit, ...filters }, { app, settings, signal }) {
    const page = {
      maxTokens: settings.defaultMaxTokens,
      ...(cursor === undefined ? {} : { cursor: cursor as string }),
      ...(limit === undefined ? {} : { limit: limit as number }),
    };
    return app.listDocs(parseFilters(filters), page, { signal });
  },
};
