import type { KebabTool } from './kebab-tool.ts';

/** `verify_citation`: whether a citation still holds. */
export const verifyCitation: KebabTool = {
  name: 'verify_citation',
  title: 'Check a citation',
  description:
    'Checks that a citation still says what it said: exact, moved (found_uri tells where to) or gone. Give uri, content_hash and source_id of a citation as they came.',
  parameters: [
    { name: 'uri', type: 'string', required: true, description: 'The uri of the citation.' },
    {
      name: 'content_hash',
      type: 'string',
      description: 'Its content_hash, 16 hex digits. Without it only the existence of the place is checked.',
    },
    { name: 'source', type: 'string', description: 'Its source_id, if it has one.' },
  ],
  output: 'citation_check',
  writes: false,
  run({ uri, content_hash: hash, source }, { app, signal }) {
    return app.verifyCitation(uri as string, {
      ...(hash === undefined ? {} : { hash: hash as string }),
      ...(source === undefined ? {} : { source: source as string }),
      signal,
    });
  },
};
