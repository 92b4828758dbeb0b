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
