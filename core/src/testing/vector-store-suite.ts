import type { ContractCase, ContractSuite } from './contract-suite.ts';
import type { OpenVectorStore, VectorStoreCase } from './open-vector-store.ts';
import { changeCases } from './vector-store-changes.ts';
import { failureCases } from './vector-store-failures.ts';
import { searchCases } from './vector-store-searches.ts';

/** What {@link vectorStoreSuite} needs. */
export interface VectorStoreSuiteOptions {
  readonly open: () => Promise<OpenVectorStore>;
}

/**
 * The promises of a vector store: exact order, filters before top-k, idempotent upserts, deletes visible at once, concurrent
 * readers, honest errors, and nothing lost by building it again.
 */
export function vectorStoreSuite({ open }: VectorStoreSuiteOptions): ContractSuite {
  const promise = ([name, check]: VectorStoreCase): ContractCase => ({
    name,
    run: async () => {
      const opened = await open();
      try {
        await check(opened);
      } finally {
        await opened.close?.();
      }
    },
  });
  return { contract: 'VectorStore', cases: [...searchCases, ...changeCases, ...failureCases].map(promise) };
}
