import type { ContractCase, ContractSuite } from './contract-suite.ts';
import { changeCases } from './document-store-changes.ts';
import { lockCases } from './document-store-locks.ts';
import { readingCases } from './document-store-reading.ts';
import { vectorCases } from './document-store-vectors.ts';
import type { DocumentStoreCase, OpenDocumentStore } from './open-document-store.ts';

/** What {@link documentStoreSuite} needs. */
export interface DocumentStoreSuiteOptions {
  /** Opens a store without documents. */
  readonly open: () => OpenDocumentStore | Promise<OpenDocumentStore>;
}

/**
 * The promises of a document store: put then get is identity, a transaction is all or nothing, deleting takes everything
 * along, filters and pages follow the contract, there is one writer, readers see what is committed, and the ledger of vectors follows
 * the documents.
 */
export function documentStoreSuite({ open }: DocumentStoreSuiteOptions): ContractSuite {
  const promise = ([name, check]: DocumentStoreCase): ContractCase => ({
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
  return {
    contract: 'DocumentStore',
    cases: [...readingCases, ...changeCases, ...lockCases, ...vectorCases].map(promise),
  };
}
