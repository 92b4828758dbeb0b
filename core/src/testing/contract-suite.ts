import assert from 'node:assert/strict';
import type { CallContext } from '../contracts/contribution.ts';
import { isAbort, withDeadline } from '../errors/abort.ts';
import { isKebabError } from '../errors/kebab-error.ts';

/** One promise of a contract, as a runnable test. It fails by throwing. */
export interface ContractCase {
  /** The promise, as a sentence: "keeps a fenced block whole when it exceeds the target". */
  readonly name: string;
  readonly run: () => void | Promise<void>;
  /** Why the promise cannot be tested here; it is reported as skipped, and `run` is not called. */
  readonly skip?: string;
}

/** Every promise of one contract, for one implementation. Created by the functions of `@kebab/core/testing`. */
export interface ContractSuite {
  readonly contract: string;
  readonly cases: readonly ContractCase[];
}

/** Declares one test. */
type DeclareTest = (name: string, body: () => void | Promise<void>) => unknown;

/** The two functions that every test runner has: vitest, node:test and jest all fit. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: DeclareTest & { readonly skip?: DeclareTest };
}

/**
 * Declares a suite in a test file: `declareSuite(extractorSuite({ … }), { describe, it })`. Each promise becomes one test; one that cannot
 * be tested becomes a skipped test with the reason.
 */
export function declareSuite(suite: ContractSuite, { describe, it }: TestRunner): void {
  describe(suite.contract, () => {
    for (const { name, run, skip } of suite.cases) {
      if (skip === undefined) it(name, run);
      else it.skip?.(`${name} (${skip})`, run);
    }
  });
}

/** Something that is closed after use. */
interface Closing {
  readonly close?: (() => unknown) | undefined;
}

/** Makes promises that are each checked with a newly opened implementation, which is closed afterwards. */
export function promiseOf<T extends Closing>(
  open: () => T | Promise<T>,
): (name: string, check: (opened: T) => void | Promise<void>) => ContractCase {
  return (name, check) => ({
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
}

/** Whether an error is the one of a call whose signal has fired. */
export function isCancelled(error: unknown): boolean {
  return isAbort(error) || isKebabError(error, 'cancelled');
}

/** Settles like some work, or rejects as still running when it has not ended after `limitMs`. */
export function withinLimit<T>(work: Promise<T>, limitMs: number): Promise<T> {
  const late = (): Error => new assert.AssertionError({ message: `still running after ${limitMs / 1000} s` });
  return withDeadline(() => work, { operation: 'the work', timeoutMs: limitMs, late });
}

const ignore = (): void => {};

/** A call context that reports nothing; its signal is `signal`, or one that never fires. */
export function silentCallContext(signal: AbortSignal = new AbortController().signal): CallContext {
  return {
    signal,
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    progress: ignore,
  };
}
