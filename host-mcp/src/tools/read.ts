import { RELATED, VERIFY_CITATION } from '@kebab/core/app';
import type { KebabTool } from './tool.ts';

/** `verify_citation`: whether a citation is still valid. */
export const verifyCitation: KebabTool<typeof VERIFY_CITATION> = {
  name: 'verify_citation',
  title: 'Check a citation',
  description:
    'Checks that a citation still says what it said: exact, moved (found_uri says where) or gone. Give uri and content_hash as they came.',
  input: VERIFY_CITATION,
  outputs: ['citation_check'],
  writes: false,
  run({ uri, content_hash: hash, source }, { app, signal }) {
    return app.verifyCitation(uri, { hash, source, signal });
  },
};

const { source: _source, ...TOOL } = RELATED; // a uri names its source

/** `related`: what is around a document. */
export const related: KebabTool<typeof TOOL> = {
  name: 'related',
  title: 'See what is related',
  description: 'Lists what a document links to, what links to it, what is nearest, and its copies.',
  input: TOOL,
  outputs: ['related'],
  writes: false,
  run({ uri, limit }, { app, signal }) {
    return app.related({ kind: 'uri', uri }, { limit, signal });
  },
};

/** `schema`: versions, capabilities and counts. */
export const schema: KebabTool = {
  name: 'schema',
  title: 'Describe the knowledge base',
  description: 'Shows versions, capabilities, and counts of documents by medium, language and source.',
  input: {},
  outputs: ['schema'],
  writes: false,
  run: (_args, { app, signal }) => app.schema({ signal }),
};

/** `doctor`: what works and what does not. */
export const doctor: KebabTool = {
  name: 'doctor',
  title: 'Check that everything works',
  description: 'Checks configuration, database, models and plugins, and names remedies.',
  input: {},
  outputs: ['doctor'],
  writes: false,
  despiteConfig: true,
  run: (_args, { app, signal }) => app.doctor({ signal }),
};
