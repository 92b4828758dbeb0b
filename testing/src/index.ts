export {
  answerLogSuite,
  type AnswerLogSuiteOptions,
  evalLogSuite,
  type EvalLogSuiteOptions,
  sessionRepoSuite,
  type SessionRepoSuiteOptions,
} from './log-suites.ts';
export {
  silentCallContext,
  declareSuite,
  type ContractCase,
  type ContractSuite,
  type TestRunner,
} from './contract-suite.ts';
export {
  captionerSuite,
  type CaptionerSuiteOptions,
  ocrEngineSuite,
  type OcrEngineSuiteOptions,
  type OcrFixture,
} from './ocr-engine-suite.ts';
export {
  assertChunks,
  type DeclaredOverlap,
  DEFAULT_POLICY,
  EDGE_POLICIES,
  chunkerSuite,
  type ChunkerSuiteOptions,
} from './chunker-suite.ts';
export { assertExtracted } from './check-extracted.ts';
export {
  assetFrom,
  chunkTexts,
  citedBlocks,
  documentFrom,
  extractDocument,
  extractFile,
  sampleDocuments,
  sampleWrite,
  type SampleOptions,
} from './sample-documents.ts';
export { documentStoreSuite, type DocumentStoreSuiteOptions } from './document-store-suite.ts';
export { jobRepoSuite, type JobRepoSuiteOptions, type OpenJobRepo } from './job-repo-suite.ts';
export { embedderSuite, type EmbedderSuiteOptions } from './embedder-suite.ts';
export { type ExtractorFixture, extractorSuite, type ExtractorSuiteOptions } from './extractor-suite.ts';
export {
  FakeCaptioner,
  FakeOcrEngine,
  type FakeOcrOptions,
  FakeReranker,
  HashEmbedder,
  type HashEmbedderOptions,
  ScriptedModel,
  type Script,
  type ScriptedModelOptions,
  type ScriptedReply,
} from './fake-models.ts';
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
export { type LoopbackServer, startLoopbackServer } from './loopback-server.ts';
export {
  type MakeDocuments,
  type OpenLexicalIndex,
  searchable,
  searchableWrite,
  type SearchableChunk,
  type SearchableDocument,
} from './lexical-case.ts';
export { lexicalIndexSuite, type LexicalIndexSuiteOptions } from './lexical-index-suite.ts';
export { MemoryVectorStore, VectorMemory } from './memory-vector-store.ts';
export { assertHolds, type OpenDocumentStore, storeWith } from './store-with.ts';
export {
  type OpenVectorStore,
  cosine,
  exactSearch,
  numbersFrom,
  sampleIds,
  sampleRecords,
  sampleVector,
} from './sample-vectors.ts';
export { answerToJudge, type PassageText } from './answer-to-judge.ts';
export {
  rerankerSuite,
  type OpenReranker,
  type RerankerSuiteOptions,
  retrieverSuite,
  type OpenRetriever,
  type RetrieverSuiteOptions,
  groundednessSuite,
  type GroundednessSuiteOptions,
} from './passage-suites.ts';
export {
  sourceConnectorSuite,
  type SourceConnectorSuiteOptions,
  type SourceFixture,
} from './source-connector-suite.ts';
export { vectorStoreSuite, type VectorStoreSuiteOptions } from './vector-store-suite.ts';
export {
  hookSuite,
  type HookSuiteOptions,
  interceptorSuite,
  type InterceptorSuiteOptions,
  sampleSubmit,
} from './interceptor-suite.ts';
export { pluginSuites, type PluginSuitesOptions } from './plugin-suites.ts';
export { suitesOfPlugin } from './plugin-testing.ts';
export { pluginContext, manifestFrom, withSettings } from './plugin-context.ts';
export type { Make, PluginFixtures, SuiteKind, SuiteOptions } from './suites-by-kind.ts';
