import type { Contributions, PluginKind, PluginContext } from '@kebab/core';
import { captionerSuite, ocrEngineSuite } from './ocr-engine-suite.ts';
import { chunkerSuite } from './chunker-suite.ts';
import type { ContractSuite } from './contract-suite.ts';
import { documentStoreSuite } from './document-store-suite.ts';
import { embedderSuite } from './embedder-suite.ts';
import { extractorSuite } from './extractor-suite.ts';
import { groundednessSuite, rerankerSuite, retrieverSuite } from './passage-suites.ts';
import { hookSuite, interceptorSuite } from './interceptor-suite.ts';
import { languageModelSuite } from './language-model-suite.ts';
import { lexicalIndexSuite } from './lexical-index-suite.ts';
import { sessionRepoSuite } from './log-suites.ts';
import { sourceConnectorSuite } from './source-connector-suite.ts';
import { vectorStoreSuite } from './vector-store-suite.ts';

/** The suite of every kind of contribution, by kind: what `kebab plugin test` and a plugin's own tests run. */
export const SUITES_BY_KIND = {
  source: sourceConnectorSuite,
  extractor: extractorSuite,
  chunker: chunkerSuite,
  embedder: embedderSuite,
  retriever: retrieverSuite,
  reranker: rerankerSuite,
  llm: languageModelSuite,
  ocr: ocrEngineSuite,
  captioner: captionerSuite,
  groundedness: groundednessSuite,
  document_store: documentStoreSuite,
  lexical_index: lexicalIndexSuite,
  vector_store: vectorStoreSuite,
  session_repo: sessionRepoSuite,
  interceptor: interceptorSuite,
  hook: hookSuite,
} as const satisfies { readonly [K in PluginKind]?: (options: never) => ContractSuite };

/** A kind that has a suite. */
export type SuiteKind = keyof typeof SUITES_BY_KIND;

/** The options of the suite of a kind. */
export type SuiteOptions<K extends SuiteKind> = Parameters<(typeof SUITES_BY_KIND)[K]>[0];

/**
 * Creates the contribution under test again, in its own context or one with overridden members. The result is closed when its case ends.
 */
export type Make<K extends PluginKind> = (given?: Partial<PluginContext>) => Promise<Contributions[K]>;

/**
 * The fixtures from the author of a plugin, by kind and id: a function from a way to create the contribution to the options of its suite.
 * `{ extractor: { epub: (make) => ({ make, fixtures: [{ path: 'a.epub', content }] }) } }`.
 */
export type PluginFixtures = {
  readonly [K in SuiteKind]?: { readonly [id: string]: (make: Make<K>) => SuiteOptions<K> };
};
