// The door of authors' tests: the suites of every contract, and what fixtures are made with.
export * from '@kebab/core/testing';
