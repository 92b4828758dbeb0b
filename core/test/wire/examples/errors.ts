import { ERROR_CODES, type ErrorCode, type ErrorDetails } from '../../../src/errors/codes.ts';
import { KebabError } from '../../../src/errors/kebab-error.ts';
import type { ErrorV1 } from '../../../src/wire/index.ts';
import { toErrorV1 } from '../../../src/wire/to-error.ts';

const DETAILS: ErrorDetails = {
  config_invalid: { path: null, key: 'search.default_k', cause: 'not a number', suggestion: null },
  config_not_found: { path: '/none.toml' },
  not_indexed: { expected: '4', found: '7' },
  model_unreachable: { endpoint: 'http://127.0.0.1:11434', model: 'qwen2.5:14b-instruct', cause: 'refused' },
  model_not_pulled: { model: 'multilingual-e5-small', provider: 'transformers' },
  timeout: { operation: 'ask', after_ms: 300_000 },
  io_error: { kind: 'ENOENT', path: null, cause: 'no such file' },
  store_damaged: { store: '/data/kebab.sqlite', table: 'chunks', cause: 'no such table: chunks' },
  stale_cursor: { reason: 'stages', expected: 'lexical,vector', found: 'lexical' },
  invalid_input: { field: 'mode', value: 'hybird', allowed: ['lexical', 'vector', 'hybrid'], suggestion: 'hybrid' },
  chunk_not_found: { chunk_id: '0'.repeat(32) },
  doc_not_found: { doc_id: null, path: 'gone.md' },
  span_not_supported: { doc_id: '0'.repeat(32), media: 'pdf', alternatives: ['chunk', 'doc'] },
  readonly_mode: { command: 'ingest' },
  plugin_failed: {
    plugin: 'epub',
    version: '1.0.0',
    kind: 'extractor',
    stage: 'extract',
    cause: 'out of memory',
    path: 'a.epub',
  },
  plugin_incompatible: { plugin: 'epub', api_version: 2, supported: [1], reason: 'made for api version 2' },
  vector_store_unreachable: { store: 'qdrant', endpoint: 'http://127.0.0.1:6333', cause: 'refused' },
  locked: { path: '/data/kebab.lock', pid: 42 },
  cancelled: { operation: 'search', reason: null },
  generic: { chain: ['outer', 'inner'] },
};

/** An error.v1 of the given code. */
export function errorOf(code: ErrorCode): ErrorV1 {
  return toErrorV1(new KebabError(code, `example of ${code}`, { details: DETAILS[code] }));
}

export const errors: readonly ErrorV1[] = ERROR_CODES.map(errorOf);
