export { silentCallContext } from './call-context.ts';
export { assertChunks, type DeclaredOverlap } from './check-chunks.ts';
export { assertExtracted } from './check-extracted.ts';
export { DEFAULT_POLICY, EDGE_POLICIES, chunkerSuite, type ChunkerSuiteOptions } from './chunker-suite.ts';
export { declareSuite, type ContractCase, type ContractSuite, type TestRunner } from './contract-suite.ts';
export { assetFrom, chunkTexts, documentFrom, extractDocument } from './document-from.ts';
export { documentStoreSuite, type DocumentStoreSuiteOptions } from './document-store-suite.ts';
export { extractorSuite, type ExtractorFixture, type ExtractorSuiteOptions } from './extractor-suite.ts';
export { hostileTexts, type HostileText } from './hostile-texts.ts';
export { jobRepoSuite, type JobRepoSuiteOptions } from './job-repo-suite.ts';
export type { MakeDocuments, OpenLexicalIndex } from './lexical-case.ts';
export { lexicalIndexSuite, type LexicalIndexSuiteOptions } from './lexical-index-suite.ts';
export { MemoryLexicalIndex } from './memory-lexical-index.ts';
export { MemoryStore } from './memory-store.ts';
export { MemoryVectorStore, VectorMemory } from './memory-vector-store.ts';
export { assertHolds, type OpenDocumentStore } from './open-document-store.ts';
export type { OpenVectorStore } from './open-vector-store.ts';
export { retrieverSuite, type OpenRetriever, type RetrieverSuiteOptions } from './retriever-suite.ts';
export { sampleDocuments } from './sample-documents.ts';
export { cosine, exactSearch, numbersFrom, sampleIds, sampleRecords, sampleVector } from './sample-vectors.ts';
export { sampleWrite, type SampleOptions } from './sample-write.ts';
export { searchable, searchableWrite, type SearchableChunk, type SearchableDocument } from './searchable-document.ts';
export { sessionRepoSuite, type SessionRepoSuiteOptions } from './session-repo-suite.ts';
export {
  sourceConnectorSuite,
  type SourceConnectorSuiteOptions,
  type SourceFixture,
} from './source-connector-suite.ts';
export { vectorStoreSuite, type VectorStoreSuiteOptions } from './vector-store-suite.ts';
