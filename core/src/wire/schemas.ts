import * as z from 'zod';
import { SEARCH } from '../requests/search.ts';
import {
  DoctorSchema,
  InitReportSchema,
  RepairReportSchema,
  ResetReportSchema,
  SchemaV1Schema,
  ServiceStatusSchema,
  VectorsCopiedSchema,
  StatusSchema,
  McpInstallSchema,
  ModelListSchema,
  ModelPullSchema,
} from './admin.ts';
import { AnswerEventSchema, AnswerSchema, SessionSummarySchema, SessionTurnsSchema } from './answer.ts';
import { BulkSearchBriefSchema, BulkSearchItemSchema, BulkSearchResponseSchema } from './bulk-search.ts';
import { CitationCheckSchema, CitationSchema } from './citation.ts';
import {
  ConfigEntrySchema,
  ConfigPathsSchema,
  ConfigViewSchema,
  SourceAddedSchema,
  SourceListSchema,
  SourceRemovedSchema,
  TrustReportSchema,
} from './config.ts';
import { ErrorV1Schema } from './errors.ts';
import { EvalAggregateSchema, EvalCompareSchema, EvalRunSchema } from './eval.ts';
import { FetchResultSchema, OpenSchema, SnapSchema } from './fetch.ts';
import { IngestProgressSchema, IngestReportSchema } from './ingest.ts';
import {
  ChunkInspectionSchema,
  DocInspectionSchema,
  DocListSchema,
  DocSummarySchema,
  DocumentRemovedSchema,
} from './inspect.ts';
import type { WireName } from './names.ts';
import type { DeepReadonly } from './scalars.ts';
import {
  PluginChangeSchema,
  PluginExplainSchema,
  PluginListSchema,
  PluginNewSchema,
  PluginSearchSchema,
  PluginTestSchema,
} from './plugins.ts';
import { SearchBriefSchema, SearchHitSchema, SearchResponseSchema } from './search.ts';
import { WatchEventSchema } from './watch.ts';

import type { Fields, RequestOf } from '../schema/field.ts';
import { objectSchema } from '../schema/json-schema.ts';

/** The schema of every wire object, by name. Loads zod: only tests, generators and hosts that validate import this file. */
export const WIRE_SCHEMAS = {
  answer: AnswerSchema,
  answer_event: AnswerEventSchema,
  bulk_search_brief: BulkSearchBriefSchema,
  bulk_search_input: requestSchema(SEARCH),
  bulk_search_item: BulkSearchItemSchema,
  bulk_search_response: BulkSearchResponseSchema,
  chunk_inspection: ChunkInspectionSchema,
  citation: CitationSchema,
  citation_check: CitationCheckSchema,
  config_entry: ConfigEntrySchema,
  config_paths: ConfigPathsSchema,
  config_view: ConfigViewSchema,
  doc_inspection: DocInspectionSchema,
  doc_list: DocListSchema,
  doc_summary: DocSummarySchema,
  doctor: DoctorSchema,
  document_removed: DocumentRemovedSchema,
  error: ErrorV1Schema,
  eval_aggregate: EvalAggregateSchema,
  eval_compare: EvalCompareSchema,
  eval_run: EvalRunSchema,
  fetch_result: FetchResultSchema,
  ingest_progress: IngestProgressSchema,
  ingest_report: IngestReportSchema,
  init_report: InitReportSchema,
  mcp_install: McpInstallSchema,
  model_list: ModelListSchema,
  model_pull: ModelPullSchema,
  open: OpenSchema,
  plugin_change: PluginChangeSchema,
  plugin_explain: PluginExplainSchema,
  plugin_list: PluginListSchema,
  plugin_new: PluginNewSchema,
  plugin_search: PluginSearchSchema,
  plugin_test: PluginTestSchema,
  repair_report: RepairReportSchema,
  reset_report: ResetReportSchema,
  schema: SchemaV1Schema,
  search_brief: SearchBriefSchema,
  search_hit: SearchHitSchema,
  search_response: SearchResponseSchema,
  service_status: ServiceStatusSchema,
  session_summary: SessionSummarySchema,
  session_turns: SessionTurnsSchema,
  snap: SnapSchema,
  source_added: SourceAddedSchema,
  source_list: SourceListSchema,
  source_removed: SourceRemovedSchema,
  status: StatusSchema,
  trust_report: TrustReportSchema,
  vectors_copied: VectorsCopiedSchema,
  watch_event: WatchEventSchema,
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
