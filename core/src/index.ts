export { analyseChunk } from './analysis/analyse-chunk.ts';
export { analyseQuery } from './analysis/analyse-query.ts';
export type { AnalysedQuery, QueryPhrase, QueryTerm } from './analysis/analysed-query.ts';
export { isLoneCjk } from './analysis/cjk-run.ts';
export { foldWord } from './analysis/fold-word.ts';
export type { IndexMaterial, IndexText } from './analysis/index-text.ts';
export { INDEX_VERSION } from './analysis/index-version.ts';
export { SearchedText } from './analysis/searched-text.ts';
export { bestWindow, type Snippet } from './analysis/snippet.ts';
export { cutAtLines, type HeadedRange, type SizedText } from './chunking/cut-at-lines.ts';
export { packSlices, type ChunkUnit, type PackLimits } from './chunking/pack-slices.ts';
export { paragraphsOf, type Paragraph } from './chunking/paragraphs.ts';
export { prosePieces, type ProseLimits, type ProsePiece } from './chunking/prose-pieces.ts';
export { sentenceStarts } from './chunking/sentence-starts.ts';
export { TextSizer } from './chunking/text-sizer.ts';
export type { AnswerLog, AnswerRow } from './contracts/answer-log.ts';
export type { Captioner } from './contracts/captioner.ts';
export type { Chunker } from './contracts/chunker.ts';
export type {
  AbortOptions,
  CallContext,
  Clock,
  Contribution,
  DerivationCache,
  LogFields,
  Logger,
  Unhealthy,
} from './contracts/contribution.ts';
export type {
  ChunkRow,
  ChunkWithDocument,
  DocumentPage,
  DocumentRow,
  DocumentStore,
  DocumentTransaction,
  DocumentWrite,
  DocumentWriter,
  IngestRunRow,
  KnownDocument,
  PreparedDocument,
  QuarantinedFile,
  StageFingerprints,
  StoreStats,
  TextSlice,
} from './contracts/document-store.ts';
export { ThinkFilter } from './domain/think-filter.ts';
export type { DerivationKind, DerivationRecords } from './contracts/derivation-records.ts';
export type { EmbedInput, Embedder } from './contracts/embedder.ts';
export type { EvalLog, EvalResultRow, EvalRunRow } from './contracts/eval-log.ts';
export type {
  ExtractInput,
  ExtractedDocument,
  Extractor,
  MediaMatch,
  Picture,
  PictureReading,
  PictureRequest,
  PictureUse,
  RenderRequest,
} from './contracts/extractor.ts';
export type { Entailment, GroundednessChecker } from './contracts/groundedness-checker.ts';
export type { DeepReadonly, Hook } from './contracts/hook.ts';
export type { Interception, Interceptor, PromptSubmit } from './contracts/interceptor.ts';
export type { GenerateRequest, LanguageModel, TokenChunk } from './contracts/language-model.ts';
export type { LexicalHit, LexicalIndex, TermStats } from './contracts/lexical-index.ts';
export type { CatalogModel, ModelCatalog, ModelDownload, ModelRole } from './contracts/model-catalog.ts';
export type { OcrEngine, OcrImage } from './contracts/ocr-engine.ts';
export type { Passage } from './contracts/passage.ts';
export type { Reranker } from './contracts/reranker.ts';
export type { RankedChunk, RetrievalRequest, Retriever } from './contracts/retriever.ts';
export type { SessionRepo } from './contracts/session-repo.ts';
export type { FileStat, SourceConnector, SourceEntry, SourceFile, SourceScope } from './contracts/source-connector.ts';
export type {
  ChunkVector,
  CollectionCount,
  VectorLedger,
  VectorLedgerWriter,
  VectorNote,
  VectorStatus,
} from './contracts/vector-ledger.ts';
export type {
  ChunkFilter,
  VectorHit,
  VectorPayload,
  VectorRecord,
  VectorSearch,
  VectorStore,
} from './contracts/vector-store.ts';
export type { AssetStorage, RawAsset } from './domain/asset.ts';
export { blake3Hex, blake3Id, blake3Short } from './domain/blake3.ts';
export { unitVector } from './domain/unit-vector.ts';
export {
  BLOCK_KINDS,
  type Block,
  type BlockContent,
  type BlockDraft,
  type BlockKind,
  type ModelCaption,
  type OcrRegion,
  type OcrText,
  type TextRange,
} from './domain/block.ts';
export { canonicalJson, type JsonValue } from './domain/canonical-json.ts';
export type { Chunk, ChunkDraft, ChunkPolicy } from './domain/chunk.ts';
export { decodeText, type DecodedText } from './domain/decode-text.ts';
export type { CanonicalDocument, PageRange } from './domain/document.ts';
export {
  mintAssetId,
  mintBlockIds,
  mintChunkId,
  mintDocumentId,
  mintEmbeddingId,
  mintIndexId,
  parseChunkId,
  parseDocumentId,
  type AssetId,
  type BlockId,
  type ChunkId,
  type DocumentId,
  type EmbeddingId,
  type IndexId,
} from './domain/ids.ts';
export { LineIndex } from './domain/line-index.ts';
export {
  MEDIA,
  SOURCE_TYPES,
  TRUST_LEVELS,
  extensionOf,
  mediaTypeOf,
  type Media,
  type MediaType,
  type SourceType,
  type TrustLevel,
} from './domain/media.ts';
export type { ExtractWarning, Metadata, ProvenanceEvent } from './domain/metadata.ts';
export { hashPolicy } from './domain/policy-hash.ts';
export { MODES, type FetchOptions, type FetchQuery, type Mode, type SearchFilters } from './domain/query.ts';
export { sectionLabel } from './domain/section-label.ts';
export { spanJson, type SourceSpan, type SpanKind } from './domain/span.ts';
export { charCount, estimateTokens, firstChars, outputTokens, safeCut, utf8Length } from './domain/text-size.ts';
export type { ChatSession, HistoryItem, Segment, Turn } from './domain/turn.ts';
export { formatUri, parseUri, type ParsedUri, type UriFragment } from './domain/uri.ts';
export { KEBAB_VERSION } from './domain/versions.ts';
export { normalizeWorkspacePath } from './domain/workspace-path.ts';
export { cancelled, isAbort, throwIfCancelled } from './errors/abort.ts';
export { DEFAULT_HINTS, ERROR_CODES, type ErrorCode } from './errors/codes.ts';
export type { ErrorDetails } from './errors/details.ts';
export { invalidInput, type InvalidInputContext } from './errors/invalid-input.ts';
export { withDeadline } from './errors/with-deadline.ts';
export { KebabError, isKebabError, type KebabErrorOptions } from './errors/kebab-error.ts';
export { nearestName } from './errors/nearest-name.ts';
export { DATABASE_MARK } from './files/database-mark.ts';
export { makeOwnFolder } from './files/own-folder.ts';
export { refuseLinks, writeAtomically, type AtomicWriteOptions } from './files/write-atomically.ts';
export type { CommittedDocuments } from './plugin/committed-documents.ts';
export { PLUGIN_KINDS, type Contributions, type PluginKind } from './plugin/contributions.ts';
export {
  PLUGIN_API,
  definePlugin,
  type Factory,
  type GivenSettings,
  type Plugin,
  type PluginContext,
  type PluginPermissions,
} from './plugin/define-plugin.ts';
export type { BuiltinPlugin, PluginManifest } from './plugin/manifest.ts';
export { checkedConfig, checks, type ConfigCheck, type ConfigRules } from './plugin/checked-config.ts';
export type { SchemaIssue, SchemaResult, StandardSchema } from './plugin/standard-schema.ts';
export type { KindSettings } from './settings/kind-settings.ts';
export type { PluginSection, SectionValues } from './settings/plugin-section.ts';
