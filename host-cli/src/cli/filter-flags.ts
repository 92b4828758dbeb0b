import type { FlagSpec } from './command-spec.ts';

/** The filters of a search, in the order of the documentation. */
export const FILTER_FLAGS: readonly FlagSpec[] = [
  { name: 'tag', kind: 'string', value: 'TAG', repeats: true, summary: 'documents with this tag' },
  { name: 'lang', kind: 'string', value: 'LANG', repeats: true, commas: true, summary: 'documents in this language' },
  {
    name: 'path-glob',
    kind: 'string',
    value: 'GLOB',
    repeats: true,
    summary: 'documents whose path matches; * stays within a folder, ** does not',
  },
  {
    name: 'trust-min',
    kind: 'string',
    value: 'LEVEL',
    summary: 'at least this trust: primary, secondary or generated',
  },
  {
    name: 'media',
    kind: 'string',
    value: 'MEDIA',
    repeats: true,
    commas: true,
    summary: 'markdown (md), text (txt), pdf, image, audio, code or other',
  },
  {
    name: 'ingested-after',
    kind: 'string',
    value: 'TIME',
    summary: 'documents whose present version is newer (RFC 3339)',
  },
  { name: 'doc-id', kind: 'string', value: 'ID', repeats: true, summary: 'this document' },
  { name: 'repo', kind: 'string', value: 'NAME', repeats: true, summary: 'code of this repository' },
  { name: 'code-lang', kind: 'string', value: 'LANG', repeats: true, commas: true, summary: 'code in this language' },
  { name: 'source', kind: 'string', value: 'ID', repeats: true, commas: true, summary: 'documents of this source' },
  {
    name: 'source-type',
    kind: 'string',
    value: 'TYPE',
    repeats: true,
    commas: true,
    summary: 'markdown, note, paper, reference, inbox or code',
  },
];
