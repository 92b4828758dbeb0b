import { describe, it } from 'vitest';
import { declareSuite } from '../../src/testing/contract-suite.ts';
import { MemoryVectorStore, VectorMemory } from '../../src/testing/memory-vector-store.ts';
import { vectorStoreSuite } from '../../src/testing/vector-store-suite.ts';

const suite = vectorStoreSuite({
  open: async () => {
    let memory = new VectorMemory();
    return {
      store: new MemoryVectorStore(memory),
      another: async () => new MemoryVectorStore(memory),
      destroy: () => {
        memory.failure = 'the memory was taken away';
      },
      reopen: async () => new MemoryVectorStore(memory),
      rebuild: async () => {
        memory = new VectorMemory();
        return new MemoryVectorStore(memory);
      },
    };
  },
});

declareSuite(suite, { describe, it });
