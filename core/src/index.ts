// The entry point for plugins: vocabulary, contracts, and the few functions that several kinds of plugin need.
export { analyseChunk } from './analysis/index-text.ts';
export { detectLanguage, functionWordsOf, UNDETERMINED } from './analysis/detect-language.ts';
export { asciiDigits } from './analysis/digits.ts';
export { foldWord, isFunctionWord, scanWords } from './analysis/words.ts';
export { analyseQuery, type AnalysedQuery } from './analysis/analyse-query.ts';
export { cutAtLines, type SizedText, TextSizer, packSlices, type ChunkUnit } from './chunking/cut-at-lines.ts';
export { paragraphsOf, prosePieces, proseUnits, type ProsePiece } from './chunking/prose-pieces.ts';
export type { Captioner } from './contracts/captioner.ts';
export type { Chunker } from './contracts/chunker.ts';
export type { AbortOptions, CallContext, DerivationCache, Logger, Unhealthy } from './contracts/contribution.ts';
export { ThinkFilter, type HistoryItem } from './domain/turn.ts';
export type { Damage } from './contracts/document-store.ts';
export type { EmbedInput, Embedder } from './contracts/embedder.ts';
export type {
  ExtractInput,
  ExtractedDocument,
  Extractor,
  MediaMatch,
  Picture,
  PictureReading,
  PictureRequest,
  PictureUse,
  PicturePlace,
  PlacedText,
  RenderRequest,
} from './contracts/extractor.ts';
export type {
  AnswerFinding,
  AnswerJudgement,
  AnswerToJudge,
  Entailment,
  GroundednessChecker,
  JudgedQuotation,
  JudgedSentence,
  PromptPassage,
  ReadCitation,
  RemovedCitation,
  Verdict,
} from './contracts/groundedness-checker.ts';
export type { Hook } from './contracts/hook.ts';
export type { Interceptor } from './contracts/interceptor.ts';
export type { AnswerSubstitute, GenerateRequest, LanguageModel, TokenChunk } from './contracts/language-model.ts';
export type { CatalogModel, ModelCatalog } from './contracts/model-catalog.ts';
export type { OcrEngine, OcrImage } from './contracts/ocr-engine.ts';
export type { Reranker } from './contracts/reranker.ts';
export type { Retriever } from './contracts/retriever.ts';
export type { FileStat, SourceConnector, SourceEntry, SourceFile, SourceScope } from './contracts/source-connector.ts';
export type {
  ChunkFilter,
  VectorHit,
  VectorPayload,
  VectorRecord,
  VectorSearch,
  VectorStore,
  VectorStoreAdvice,
} from './contracts/vector-store.ts';
export { anchorOf, type Place } from './domain/anchor.ts';
export { blake3Short } from './domain/blake3.ts';
export { unitVector } from './domain/unit-vector.ts';
export type { Block, BlockContent, BlockDraft, ModelCaption, OcrRegion, OcrText, TextRange } from './domain/block.ts';
export { canonicalJson, type JsonValue } from './domain/json.ts';
export type { ChunkDraft, ChunkPolicy, CanonicalDocument, PageRange } from './domain/document.ts';
export { decodeText } from './domain/decode-text.ts';
export type { ChunkId, DocumentId, EmbeddingId, IndexId } from './domain/ids.ts';
export { mintIndexId } from './domain/minted-ids.ts';
export { LineIndex, type SourceSpan } from './domain/span.ts';
export { SOURCE_TYPES, TRUST_LEVELS, type SourceType, type TrustLevel } from './domain/kinds.ts';
export { mediaTypeOf, type MediaType } from './domain/media.ts';
export type { ExtractWarning, Metadata } from './domain/metadata.ts';
export type { SearchFilters } from './domain/query.ts';
export { drawnWidth, estimateTokens, firstChars, safeCut, utf8Length } from './domain/text-size.ts';
export { normalizeWorkspacePath } from './domain/uri.ts';
export { cancelled, isAbort, throwIfCancelled, withDeadline } from './errors/abort.ts';
export { invalidInput, nearestName } from './errors/invalid-input.ts';
export { KebabError, isKebabError } from './errors/kebab-error.ts';
export { networkCause, networkRemedy } from './errors/network-cause.ts';
export { makeOwnFolder } from './files/own-folder.ts';
export { refuseLinks, writeAtomically } from './files/write-atomically.ts';
export { answerChunks, type AnswerPart } from './plugin/answer-chunks.ts';
export type { ProxySettings } from './plugin/proxy-settings.ts';
export {
  loginIn,
  retryAfterMs,
  serverRequest,
  type ServerAnswer,
  type ServerRequest,
} from './plugin/server-request.ts';
export type { CommittedDocuments } from './plugin/committed-documents.ts';
export type { Contributions, PluginKind } from './plugin/contributions.ts';
export {
  definePlugin,
  type Plugin,
  type PluginContext,
  checkedConfig,
  checks,
  type StandardSchema,
} from './plugin/define-plugin.ts';
export { questionWordsOf } from './analysis/function-words.ts';
export { everydayFrequency } from './analysis/everyday-words.ts';
export { stemOf } from './analysis/index-tokens.ts';
export type { KindSettings } from './schema/kind-settings.ts';
