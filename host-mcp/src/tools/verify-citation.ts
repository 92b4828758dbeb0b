import { VERIFY_CITATION } from '@kebab/core/app';
import type { KebabTool } from './kebab-tool.ts';

/** `verify_citation`: whether a citation still holds. */
export const verifyCitation: KebabTool<typeof VERIFY_CITATION> = {
  name: 'verify_citation',
  title: 'Check a citation',
  description:
    'Checks that a citation still says what it said: exact, moved (found_uri tells where to) or gone. Give uri, content_hash and source_id of a citation as they came.',
  input: VERIFY_CITATION,
  output: 'citation_check',
  writes: false,
  run({ uri, content_hash: hash, source }, { app, signal }) {
    return app.verifyCitation(uri, { hash, source, signal });
  },
};
