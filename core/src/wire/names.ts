/** The name of every wire object, in alphabetical order. Loads nothing, so that `kebab schema` can list them at once. */
export const WIRE_NAMES = [
  'answer',
  'answer_event',
  'bulk_search_brief',
  'bulk_search_input',
  'bulk_search_item',
  'bulk_search_response',
  'chunk_inspection',
  'citation',
  'citation_check',
  'config_entry',
  'config_paths',
  'config_view',
  'doc_inspection',
  'doc_list',
  'doc_summary',
  'doctor',
  'document_removed',
  'error',
  'eval_aggregate',
  'eval_compare',
  'eval_run',
  'fetch_result',
  'ingest_progress',
  'ingest_report',
  'init_report',
  'model_list',
  'model_pull',
  'open',
  'plugin_explain',
  'plugin_list',
  'plugin_new',
  'plugin_test',
  'reset_report',
  'schema',
  'search_brief',
  'search_hit',
  'search_response',
  'session_summary',
  'session_turns',
  'snap',
  'source_added',
  'source_list',
  'source_removed',
  'status',
  'trust_report',
  'vectors_copied',
] as const;

/** One of {@link WIRE_NAMES}. */
export type WireName = (typeof WIRE_NAMES)[number];

/** What `schema_version` says in each object: {@link WIRE_NAMES} with `.v1`, in the same order. */
export const WIRE_SCHEMA_NAMES: readonly `${WireName}.v1`[] = WIRE_NAMES.map((name) => `${name}.v1` as const);

/** Every flag of `capabilities` in schema.v1; each is always present, true or false. */
export const CAPABILITIES = [
  'json_mode',
  'ingest_progress',
  'ingest_cancellation',
  'incremental_ingest',
  'single_file_ingest',
  'bulk_search',
  'citation_verify',
  'streaming_ask',
  'rag_multi_turn',
  'file_refs',
  'multi_hop',
  'nli_verification',
  'reranker',
  'mcp_server',
  'mcp_resources',
  'plugins',
  'read_only',
  'search_cache',
  'http_daemon',
  'watch',
  'audio',
] as const;

/** One of {@link CAPABILITIES}. */
export type Capability = (typeof CAPABILITIES)[number];
