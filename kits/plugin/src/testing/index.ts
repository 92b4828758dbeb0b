// The entry point for authors' tests: the suites of every contract, and tools for fixtures.
export * from '@kebab/testing';
