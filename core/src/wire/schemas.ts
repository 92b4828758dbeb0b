import * as z from 'zod';
import { SEARCH } from '../requests/search.ts';
import * as admin from './admin.ts';
import * as answer from './answer.ts';
import * as bulk from './bulk-search.ts';
import * as citation from './citation.ts';
import * as config from './config.ts';
import * as errors from './errors.ts';
import * as evaluation from './eval.ts';
import * as fetch from './fetch.ts';
import * as grep from './grep.ts';
import * as ingest from './ingest.ts';
import * as inspect from './inspect.ts';
import * as plugins from './plugins.ts';
import * as search from './search.ts';
import * as units from './units.ts';
import * as watch from './watch.ts';
import type { WireName } from './names.ts';
import type { DeepReadonly } from './scalars.ts';
import type { Fields, RequestOf } from '../schema/field.ts';
import { objectSchema } from '../schema/json-schema.ts';

/** The schema of every wire object, by name. Loads zod: only tests, generators and hosts that validate import this file. */
export const WIRE_SCHEMAS = {
  answer: answer.AnswerSchema,
  answer_event: answer.AnswerEventSchema,
  blame: fetch.BlameSchema,
  bulk_search_brief: bulk.BulkSearchBriefSchema,
  bulk_search_input: requestSchema(SEARCH),
  bulk_search_item: bulk.BulkSearchItemSchema,
  bulk_search_response: bulk.BulkSearchResponseSchema,
  chunk_inspection: inspect.ChunkInspectionSchema,
  citation: citation.CitationSchema,
  citation_check: citation.CitationCheckSchema,
  commit_result: search.CommitResultSchema,
  config_entry: config.ConfigEntrySchema,
  config_paths: config.ConfigPathsSchema,
  config_view: config.ConfigViewSchema,
  doc_inspection: inspect.DocInspectionSchema,
  doc_list: inspect.DocListSchema,
  doc_list_brief: inspect.DocListBriefSchema,
  doc_summary: inspect.DocSummarySchema,
  doctor: admin.DoctorSchema,
  document_removed: inspect.DocumentRemovedSchema,
  error: errors.ErrorV1Schema,
  eval_aggregate: evaluation.EvalAggregateSchema,
  eval_compare: evaluation.EvalCompareSchema,
  eval_run: evaluation.EvalRunSchema,
  fetch_result: fetch.FetchResultSchema,
  grep_result: grep.GrepResultSchema,
  ingest_progress: ingest.IngestProgressSchema,
  ingest_report: ingest.IngestReportSchema,
  init_report: admin.InitReportSchema,
  mcp_install: admin.McpInstallSchema,
  model_list: admin.ModelListSchema,
  model_pull: admin.ModelPullSchema,
  move_report: admin.MoveReportSchema,
  open: fetch.OpenSchema,
  outline: units.OutlineSchema,
  plugin_change: plugins.PluginChangeSchema,
  plugin_explain: plugins.PluginExplainSchema,
  plugin_list: plugins.PluginListSchema,
  plugin_new: plugins.PluginNewSchema,
  plugin_search: plugins.PluginSearchSchema,
  plugin_test: plugins.PluginTestSchema,
  related: inspect.RelatedSchema,
  repair_report: admin.RepairReportSchema,
  reset_report: admin.ResetReportSchema,
  schema: admin.SchemaV1Schema,
  search_brief: search.SearchBriefSchema,
  search_history: inspect.SearchHistorySchema,
  search_hit: search.SearchHitSchema,
  search_response: search.SearchResponseSchema,
  service_status: admin.ServiceStatusSchema,
  session_summary: answer.SessionSummarySchema,
  session_turns: answer.SessionTurnsSchema,
  skipped_file: inspect.SkippedFileSchema,
  snap: fetch.SnapSchema,
  source_added: config.SourceAddedSchema,
  source_list: config.SourceListSchema,
  source_removed: config.SourceRemovedSchema,
  status: admin.StatusSchema,
  symbol_result: units.SymbolResultSchema,
  token_report: config.TokenReportSchema,
  trust_report: config.TrustReportSchema,
  vectors_copied: admin.VectorsCopiedSchema,
  watch_event: watch.WatchEventSchema,
  work_report: ingest.WorkReportSchema,
} as const satisfies Readonly<Record<WireName, z.ZodType>>;

/** The type of every wire object, by name. */
export type WireObjects = { readonly [N in WireName]: DeepReadonly<z.infer<(typeof WIRE_SCHEMAS)[N]>> };

/** The schema of a request on the wire, for documentation and tests: requests are parsed without zod. */
export function requestSchema<F extends Fields>(fields: F): z.ZodType<RequestOf<F>> {
  const schema = objectSchema(fields, (field) => ({
    description: field.doc,
    ...(field.kind === 'text' && field.notBlank === true ? { pattern: String.raw`\S` } : {}),
  }));
  return z.fromJSONSchema(schema) as unknown as z.ZodType<RequestOf<F>>;
}
