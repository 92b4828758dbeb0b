import type { VectorStore } from '../contracts/vector-store.ts';

/** A vector store without collections. */
export interface OpenVectorStore {
  readonly store: VectorStore;
  /** Another handle on the same vectors, as another process has. */
  readonly another: () => Promise<VectorStore>;
  /** Makes the vectors unreachable: the file damaged, the server gone. */
  readonly destroy: () => void | Promise<void>;
  /** Opens the store as it is found after {@link destroy}; may throw what the store has to say. */
  readonly reopen: () => Promise<VectorStore>;
  /** Clears the damage away as its user would, and opens an empty store. */
  readonly rebuild: () => Promise<VectorStore>;
  readonly close?: () => void | Promise<void>;
}

/** One promise of a vector store, checked on a store of its own. */
export type VectorStoreCase = readonly [name: string, check: (opened: OpenVectorStore) => Promise<void>];
