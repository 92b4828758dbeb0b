import type { Capability } from '../wire/index.ts';

/** What this build of kebab can do: every flag of schema.v1, false for what is not built. */
export const CAPABILITY_FLAGS: Readonly<Record<Capability, boolean>> = Object.freeze({
  json_mode: true,
  ingest_progress: true,
  ingest_cancellation: true,
  incremental_ingest: true,
  single_file_ingest: true,
  bulk_search: true,
  citation_verify: true,
  streaming_ask: true,
  rag_multi_turn: true,
  file_refs: true,
  multi_hop: true,
  nli_verification: true,
  reranker: true,
  mcp_server: true,
  mcp_resources: true,
  plugins: true,
  read_only: true,
  search_cache: true,
  http_daemon: false,
  watch: false,
  audio: false,
});
