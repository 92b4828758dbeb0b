/** What each code tells beside its message; the wire carries exactly these keys, in snake_case. */
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
