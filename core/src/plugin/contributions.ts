import type { Captioner } from '../contracts/captioner.ts';
import type { Chunker } from '../contracts/chunker.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import type { Embedder } from '../contracts/embedder.ts';
import type { Extractor } from '../contracts/extractor.ts';
import type { GroundednessChecker } from '../contracts/groundedness-checker.ts';
import type { Hook } from '../contracts/hook.ts';
import type { Interceptor } from '../contracts/interceptor.ts';
import type { LanguageModel } from '../contracts/language-model.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import type { ModelCatalog } from '../contracts/model-catalog.ts';
import type { OcrEngine } from '../contracts/ocr-engine.ts';
import type { Reranker } from '../contracts/reranker.ts';
import type { Retriever } from '../contracts/retriever.ts';
import type { SessionRepo } from '../contracts/session-repo.ts';
import type { SourceConnector } from '../contracts/source-connector.ts';
import type { VectorStore } from '../contracts/vector-store.ts';

/** The kinds of contribution a plugin can make, and the contract of each. */
export interface Contributions {
  readonly source: SourceConnector;
  readonly extractor: Extractor;
  readonly chunker: Chunker;
  readonly embedder: Embedder;
  readonly retriever: Retriever;
  readonly reranker: Reranker;
  readonly llm: LanguageModel;
  readonly ocr: OcrEngine;
  readonly captioner: Captioner;
  readonly groundedness: GroundednessChecker;
  readonly document_store: DocumentStore;
  readonly lexical_index: LexicalIndex;
  readonly vector_store: VectorStore;
  readonly session_repo: SessionRepo;
  readonly model_catalog: ModelCatalog;
  readonly interceptor: Interceptor;
  readonly hook: Hook;
}

/** The kinds of contribution, in the order of the documentation. */
export const PLUGIN_KINDS = [
  'source',
  'extractor',
  'chunker',
  'embedder',
  'retriever',
  'reranker',
  'llm',
  'ocr',
  'captioner',
  'groundedness',
  'document_store',
  'lexical_index',
  'vector_store',
  'session_repo',
  'model_catalog',
  'interceptor',
  'hook',
] as const satisfies readonly (keyof Contributions)[];

/** One of {@link PLUGIN_KINDS}. */
export type PluginKind = (typeof PLUGIN_KINDS)[number];
