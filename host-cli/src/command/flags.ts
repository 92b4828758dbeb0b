import type { FlagSpec } from './command-spec.ts';

/** Flags of every command. */
export const GLOBAL_FLAGS: readonly FlagSpec[] = [
  { name: 'config', kind: 'string', value: 'PATH', summary: 'use this configuration file and no other' },
  { name: 'json', kind: 'boolean', summary: 'print wire objects as JSON on stdout, errors as JSON on stderr' },
  { name: 'verbose', kind: 'boolean', summary: 'show the chain of causes of an error' },
  { name: 'debug', kind: 'boolean', summary: 'write the log to stderr (also KEBAB_LOG=debug)' },
  { name: 'quiet', kind: 'boolean', summary: 'no progress, no notices' },
  { name: 'readonly', kind: 'boolean', summary: 'refuse everything that writes (also KEBAB_READONLY=1)' },
  { name: 'plugin', kind: 'string', value: 'PATH', repeats: true, summary: 'use this plugin for one run' },
  { name: 'schema-version', kind: 'string', value: 'V', summary: 'wire version of --json; v1 is the only one' },
  { name: 'help', short: 'h', kind: 'boolean', summary: 'show help' },
  { name: 'version', kind: 'boolean', summary: 'show the version' },
];

export const K: FlagSpec = { name: 'k', short: 'k', kind: 'integer', value: 'N', summary: 'how many hits, 1 to 100' };

export const MODE: FlagSpec = {
  name: 'mode',
  kind: 'string',
  value: 'MODE',
  choices: ['lexical', 'vector', 'hybrid'],
  summary: 'lexical, vector or hybrid (default)',
};

export const MAX_TOKENS: FlagSpec = {
  name: 'max-tokens',
  kind: 'integer',
  value: 'N',
  summary: 'limit of the output, in tokens of four characters',
};

/** `--explain` of a search. */
export const EXPLAIN: FlagSpec = {
  name: 'explain',
  kind: 'boolean',
  summary: 'show the ranks and scores of each stage',
};

export const TEMPERATURE: FlagSpec = {
  name: 'temperature',
  kind: 'number',
  value: 'X',
  summary: 'randomness of the model, 0 to 2',
};

export const SEED: FlagSpec = { name: 'seed', kind: 'integer', value: 'N', summary: 'seed for that randomness' };

/** The source that a path belongs to. */
export const SOURCE: FlagSpec = {
  name: 'source',
  kind: 'string',
  value: 'ID',
  summary: 'resolve the path in this source',
};

export const PDF_PASSWORD: FlagSpec = {
  name: 'pdf-password',
  kind: 'string',
  value: 'P',
  summary: 'password of encrypted PDF files; KEBAB_PDF_PASSWORD keeps it out of the process list',
};

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
    summary: 'documents trusted at least this much: primary, secondary or generated',
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
    summary: 'documents whose current version was indexed after this time (RFC 3339)',
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

/** The flags that are keys of a search request, as a line of a bulk search may hold them too. */
export const SEARCH_FLAGS: readonly FlagSpec[] = [
  K,
  MODE,
  ...FILTER_FLAGS,
  MAX_TOKENS,
  { name: 'snippet-chars', kind: 'integer', value: 'N', summary: 'longest snippet in characters, at least 60' },
  { name: 'cursor', kind: 'string', value: 'C', summary: 'the next page of an earlier search' },
  EXPLAIN,
  { name: 'expect', kind: 'string', value: 'URI', summary: 'explain why this place (notes/a.md#L10) is not a hit' },
];

/** The flags that are keys of a question, as the tool for agents takes them too. */
export const ASK_FLAGS: readonly FlagSpec[] = [
  { name: 'k', short: 'k', kind: 'integer', value: 'N', summary: 'how many passages to retrieve, 1 to 100' },
  MODE,
  ...FILTER_FLAGS,
  { name: 'explain', kind: 'boolean', summary: 'show what backs each sentence, and how it was found' },
  TEMPERATURE,
  SEED,
  { name: 'multi-hop', kind: 'boolean', summary: 'split the question into several searches' },
  { name: 'session', kind: 'string', value: 'NAME', summary: 'start or continue this conversation' },
];

/** The golden suite of `eval run` when neither `--suite` nor `KEBAB_EVAL_GOLDEN` names one. */
export const DEFAULT_SUITE = 'fixtures/golden_queries.yaml';
