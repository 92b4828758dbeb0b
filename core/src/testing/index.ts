export { answerLogSuite, type AnswerLogSuiteOptions, evalLogSuite, type EvalLogSuiteOptions } from './log-suites.ts';
export { silentCallContext } from './call-context.ts';
export { captionerSuite, type CaptionerSuiteOptions } from './captioner-suite.ts';
export {
  assertChunks,
  type DeclaredOverlap,
  DEFAULT_POLICY,
  EDGE_POLICIES,
  chunkerSuite,
  type ChunkerSuiteOptions,
} from './chunker-suite.ts';
export { assertExtracted } from './check-extracted.ts';
export { declareSuite, type ContractCase, type ContractSuite, type TestRunner } from './contract-suite.ts';
export { assetFrom, chunkTexts, documentFrom, extractDocument } from './document-from.ts';
export { documentStoreSuite, type DocumentStoreSuiteOptions } from './document-store-suite.ts';
export { embedderSuite, type EmbedderSuiteOptions } from './embedder-suite.ts';
export type { ExtractorFixture } from './extractor-case.ts';
export { extractorSuite, type ExtractorSuiteOptions } from './extractor-suite.ts';
export { FakeCaptioner, FakeOcrEngine, type FakeOcrOptions } from './fake-picture-readers.ts';
export { FakeReranker } from './fake-reranker.ts';
export { HashEmbedder, type HashEmbedderOptions } from './hash-embedder.ts';
export { hostileTexts, type HostileText } from './hostile-texts.ts';
export {
  languageModelSuite,
  type Arrangement,
  type LanguageModelSuiteOptions,
  COUNTED,
  COUNTING_PROMPT,
  ENDLESS,
  repeatPrompt,
  suiteReply,
  type EndlessModel,
  type OpenLanguageModel,
} from './language-model-suite.ts';
export type { MakeDocuments, OpenLexicalIndex } from './lexical-case.ts';
export { lexicalIndexSuite, type LexicalIndexSuiteOptions } from './lexical-index-suite.ts';
export { MemoryVectorStore, VectorMemory } from './memory-vector-store.ts';
export { assertHolds, type OpenDocumentStore } from './open-document-store.ts';
export { ocrEngineSuite, type OcrEngineSuiteOptions, type OcrFixture } from './ocr-engine-suite.ts';
export type { OpenVectorStore } from './vector-store-checks.ts';
export { rerankerSuite, type OpenReranker, type RerankerSuiteOptions } from './reranker-suite.ts';
export { retrieverSuite, type OpenRetriever, type RetrieverSuiteOptions } from './retriever-suite.ts';
export { sampleDocuments } from './sample-documents.ts';
export { cosine, exactSearch, numbersFrom, sampleIds, sampleRecords, sampleVector } from './sample-vectors.ts';
export { sampleWrite, type SampleOptions } from './sample-write.ts';
export { ScriptedModel, type Script, type ScriptedModelOptions, type ScriptedReply } from './scripted-model.ts';
export { searchable, searchableWrite, type SearchableChunk, type SearchableDocument } from './searchable-document.ts';
export { sessionRepoSuite, type SessionRepoSuiteOptions } from './session-repo-suite.ts';
export {
  sourceConnectorSuite,
  type SourceConnectorSuiteOptions,
  type SourceFixture,
} from './source-connector-suite.ts';
export { vectorStoreSuite, type VectorStoreSuiteOptions } from './vector-store-suite.ts';
export { groundednessSuite, type GroundednessSuiteOptions } from './groundedness-suite.ts';
export {
  hookSuite,
  type HookSuiteOptions,
  interceptorSuite,
  type InterceptorSuiteOptions,
  sampleSubmit,
} from './interceptor-suite.ts';
export { leakedSince, openHandles, type OpenHandles, pluginSuites, type PluginSuitesOptions } from './plugin-suites.ts';
export { pluginContext, manifestFrom } from './plugin-context.ts';
export { storeWith } from './store-with.ts';
export { SUITES_BY_KIND, type Make, type PluginFixtures, type SuiteKind, type SuiteOptions } from './suites-by-kind.ts';
export { withSettings } from './with-settings.ts';
