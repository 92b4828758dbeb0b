/** The details of each code besides its message; the wire carries exactly these keys, in snake_case. */
export interface ErrorDetails {
  readonly config_invalid: {
    readonly path: string | null;
    readonly key: string | null;
    readonly cause: string;
    readonly suggestion: string | null;
  };
  readonly config_not_found: { readonly path: string };
  readonly not_indexed: { readonly expected: string; readonly found: string };
  readonly model_unreachable: { readonly endpoint: string; readonly model: string; readonly cause: string };
  readonly model_not_pulled: { readonly model: string; readonly provider: string };
  readonly timeout: { readonly operation: string; readonly after_ms: number };
  readonly io_error: { readonly kind: string; readonly path: string | null; readonly cause: string };
  readonly store_damaged: { readonly store: string; readonly table: string | null; readonly cause: string };
  readonly stale_cursor: { readonly reason: 'revision' | 'stages'; readonly expected: string; readonly found: string };
  readonly invalid_input: {
    readonly field: string | null;
    readonly value: string | null;
    readonly allowed: readonly string[] | null;
    readonly suggestion: string | null;
  };
  readonly chunk_not_found: { readonly chunk_id: string };
  readonly doc_not_found: { readonly doc_id: string | null; readonly path: string | null };
  readonly span_not_supported: {
    readonly doc_id: string;
    readonly media: string;
    readonly alternatives: readonly ['chunk', 'doc'];
  };
  readonly readonly_mode: { readonly command: string };
  readonly plugin_failed: {
    readonly plugin: string;
    readonly version: string;
    readonly kind: string;
    readonly stage: string;
    readonly cause: string;
    readonly path: string | null;
  };
  readonly plugin_incompatible: {
    readonly plugin: string;
    readonly api_version: number | null;
    readonly supported: readonly number[];
    readonly reason: string;
  };
  readonly vector_store_unreachable: {
    readonly store: string;
    readonly endpoint: string | null;
    readonly cause: string;
  };
  readonly locked: { readonly path: string; readonly pid: number | null };
  readonly cancelled: { readonly operation: string; readonly reason: string | null };
  readonly generic: { readonly chain: readonly string[] };
}

/** Every error code, in the order of the documentation. The list is closed: a new code changes the contract. */
export const ERROR_CODES = [
  'config_invalid',
  'config_not_found',
  'not_indexed',
  'model_unreachable',
  'model_not_pulled',
  'timeout',
  'io_error',
  'store_damaged',
  'stale_cursor',
  'invalid_input',
  'chunk_not_found',
  'doc_not_found',
  'span_not_supported',
  'readonly_mode',
  'plugin_failed',
  'plugin_incompatible',
  'vector_store_unreachable',
  'locked',
  'cancelled',
  'generic',
] as const satisfies readonly (keyof ErrorDetails)[];

/** One of {@link ERROR_CODES}. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** The default remedy of each code; an error may carry a more specific hint of its own. */
export const DEFAULT_HINTS: Readonly<Record<ErrorCode, string>> = {
  config_invalid: 'correct the value where it is set, in a file with `kebab config set KEY VALUE`',
  config_not_found: 'check the path given to --config, or write a new file with `kebab init`',
  not_indexed: 'index your folders with `kebab ingest`; `kebab add FOLDER` adds one',
  model_unreachable: 'start the model server, then run `kebab doctor`',
  model_not_pulled: 'fetch the model with `kebab models pull`',
  timeout: 'try again, or raise the `timeout_s` that `kebab config show` lists: `kebab config set KEY SECONDS`',
  io_error: 'check that the path exists and that you may read and write it',
  store_damaged: 'rebuild what is damaged with `kebab repair`; `kebab doctor` lists it',
  stale_cursor: 'run the search again without --cursor',
  invalid_input: 'see `kebab --help`',
  chunk_not_found: 'find current chunk ids with `kebab search --json`',
  doc_not_found: 'find current documents with `kebab list docs`',
  span_not_supported: 'fetch the chunk or the whole document instead',
  readonly_mode: 'run the command without --readonly and KEBAB_READONLY',
  plugin_failed: 'see `kebab plugin list`, or run without plugins: KEBAB_PLUGINS=none',
  plugin_incompatible: 'install a version of the plugin made for this kebab; see `kebab plugin list`',
  vector_store_unreachable: 'run `kebab doctor`',
  locked: 'wait for the other kebab process to finish, then try again',
  cancelled: 'run the command again',
  generic: 'run again with --verbose to see the causes',
};
