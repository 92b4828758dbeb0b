import type { KebabTool } from './kebab-tool.ts';

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
