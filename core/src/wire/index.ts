export type {
  Doctor,
  DoctorCheck,
  InitReport,
  McpInstall,
  RepairReport,
  ResetReport,
  SchemaV1,
  ServiceStatus,
  VectorsCopied,
  Status,
  ModelList,
  ModelPull,
} from './admin.ts';
export type {
  Alert,
  Answer,
  AnswerChecks,
  AnswerCitation,
  AnswerEvent,
  AnswerFinding,
  Claim,
  HopRecord,
  RefusalReason,
  SessionSummary,
  SessionTurn,
  SessionTurns,
} from './answer.ts';
export type { BulkSearchInput } from '../requests/search.ts';
export type { BulkSearchBrief, BulkSearchItem, BulkSearchResponse } from './bulk-search.ts';
export type { Citation, CitationCheck } from './citation.ts';
export type {
  ConfigEntry,
  ConfigPaths,
  ConfigView,
  SourceAdded,
  SourceList,
  SourceRemoved,
  TrustReport,
} from './config.ts';
export type { ErrorV1 } from './errors.ts';
export type { EvalAggregate, EvalCompare, EvalRun, Metrics } from './eval.ts';
export type { FetchResult, Open, Snap } from './fetch.ts';
export type { IngestCounts, IngestItem, IngestItemKind, IngestProgress, IngestReport } from './ingest.ts';
export type {
  ChunkInspection,
  DocInspection,
  InspectedBlock,
  WireMetadata,
  WireProvenanceEvent,
  DocList,
  DocSummary,
  DocumentRemoved,
} from './inspect.ts';
export type { PluginChange, PluginExplain, PluginList, PluginNew, PluginSearch, PluginTest } from './plugins.ts';
export { CAPABILITIES, WIRE_NAMES, WIRE_SCHEMA_NAMES, type Capability, type WireName } from './names.ts';
export type { DeepReadonly, Freshness, ScoreKind } from './scalars.ts';
export type { WireObjects } from './schemas.ts';
export type {
  Degraded,
  Expectation,
  IndexState,
  SearchBrief,
  SearchHit,
  SearchResponse,
  Trace,
  TraceEntry,
} from './search.ts';
export type { WatchEvent } from './watch.ts';
