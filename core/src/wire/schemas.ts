import type * as z from 'zod';
import { AnswerSchema } from './answer.ts';
import { AnswerEventSchema } from './answer-event.ts';
import { SEARCH } from '../requests/search.ts';
import { BulkSearchItemSchema } from './bulk-search-item.ts';
import { BulkSearchResponseSchema } from './bulk-search-response.ts';
import { ChunkInspectionSchema } from './chunk-inspection.ts';
import { CitationSchema } from './citation.ts';
import { CitationCheckSchema } from './citation-check.ts';
import { ConfigPathsSchema } from './config-paths.ts';
import { ConfigViewSchema } from './config-view.ts';
import { DocInspectionSchema } from './doc-inspection.ts';
import { DocListSchema } from './doc-list.ts';
import { DocSummarySchema } from './doc-summary.ts';
import { DoctorSchema } from './doctor.ts';
import { ErrorV1Schema } from './error-v1.ts';
import { EvalAggregateSchema } from './eval-aggregate.ts';
import { EvalCompareSchema } from './eval-compare.ts';
import { EvalRunSchema } from './eval-run.ts';
import { FetchResultSchema } from './fetch-result.ts';
import { IngestProgressSchema } from './ingest-progress.ts';
import { IngestReportSchema } from './ingest-report.ts';
import { InitReportSchema } from './init-report.ts';
import { ModelListSchema } from './model-list.ts';
import { ModelPullSchema } from './model-pull.ts';
import { OpenSchema } from './open.ts';
import { PluginExplainSchema } from './plugin-explain.ts';
import { PluginListSchema } from './plugin-list.ts';
import { PluginNewSchema } from './plugin-new.ts';
import { PluginTestSchema } from './plugin-test.ts';
import { ResetReportSchema } from './reset-report.ts';
import { SchemaV1Schema } from './schema-v1.ts';
import { SearchHitSchema } from './search-hit.ts';
import { SearchResponseSchema } from './search-response.ts';
import { SessionSummarySchema } from './session-summary.ts';
import { SessionTurnsSchema } from './session-turns.ts';
import { SnapSchema } from './snap.ts';
import { TrustReportSchema } from './trust-report.ts';
import { VectorsCopiedSchema } from './vectors-copied.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { requestSchema } from './request-schema.ts';
import type { WireName } from './schema-names.ts';

/** The schema of every wire object, by name. Loads zod: only tests, generators and hosts that validate import this file. */
export const WIRE_SCHEMAS = {
  answer: AnswerSchema,
  answer_event: AnswerEventSchema,
  bulk_search_input: requestSchema(SEARCH),
  bulk_search_item: BulkSearchItemSchema,
  bulk_search_response: BulkSearchResponseSchema,
  chunk_inspection: ChunkInspectionSchema,
  citation: CitationSchema,
  citation_check: CitationCheckSchema,
  config_paths: ConfigPathsSchema,
  config_view: ConfigViewSchema,
  doc_inspection: DocInspectionSchema,
  doc_list: DocListSchema,
  doc_summary: DocSummarySchema,
  doctor: DoctorSchema,
  error: ErrorV1Schema,
  eval_aggregate: EvalAggregateSchema,
  eval_compare: EvalCompareSchema,
  eval_run: EvalRunSchema,
  fetch_result: FetchResultSchema,
  ingest_progress: IngestProgressSchema,
  ingest_report: IngestReportSchema,
  init_report: InitReportSchema,
  model_list: ModelListSchema,
  model_pull: ModelPullSchema,
  open: OpenSchema,
  plugin_explain: PluginExplainSchema,
  plugin_list: PluginListSchema,
  plugin_new: PluginNewSchema,
  plugin_test: PluginTestSchema,
  reset_report: ResetReportSchema,
  schema: SchemaV1Schema,
  search_hit: SearchHitSchema,
  search_response: SearchResponseSchema,
  session_summary: SessionSummarySchema,
  session_turns: SessionTurnsSchema,
  snap: SnapSchema,
  trust_report: TrustReportSchema,
  vectors_copied: VectorsCopiedSchema,
} as const satisfies Readonly<Record<WireName, z.ZodType>>;

/** The type of every wire object, by name. */
export type WireObjects = { readonly [N in WireName]: DeepReadonly<z.infer<(typeof WIRE_SCHEMAS)[N]>> };
