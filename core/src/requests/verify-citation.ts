import type { Fields } from './field.ts';

/** A check of a citation. */
export const VERIFY_CITATION = {
  uri: {
    kind: 'text',
    required: true,
    placeholder: 'URI',
    summary: 'a citation URI',
    description: 'The uri of the citation.',
  },
  content_hash: {
    kind: 'text',
    flag: 'hash',
    placeholder: 'HEX16',
    summary: 'the content hash of the citation',
    description: 'Its content_hash, 16 hex digits. Without it only the existence of the place is checked.',
  },
  source: {
    kind: 'text',
    placeholder: 'ID',
    summary: 'resolve the path in this source',
    description: 'Its source_id, if it has one.',
  },
} as const satisfies Fields;
