import assert from 'node:assert/strict';
import { type CallContext, isAbort, withDeadline, isKebabError } from '@kebab/core';
import { fingerprintOf } from '@kebab/core/suites';

/** One promise of a contract, as a runnable test. It fails by throwing. */
export interface ContractCase {
  /** The promise, as a sentence: "keeps a fenced block whole when it exceeds the target". */
  readonly name: string;
  readonly run: () => void | Promise<void>;
  /** Why the promise cannot be tested here; it is reported as skipped, and `run` is not called. */
  readonly skip?: string;
}

/** Every promise of one contract, for one implementation. Created by the functions of this package. */
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

/** Makes the cases of a suite: each opens what it tests for itself, and closes it however it ends. */
export function casesOn<T extends object>(
  open: () => T | Promise<T>,
): (name: string, check: (opened: T) => void | Promise<void>) => ContractCase {
  return (name, check) => ({
    name,
    run: async () => {
      const opened: T & { readonly close?: (() => void | Promise<void>) | undefined } = await open();
      try {
        await check(opened);
      } finally {
        await opened.close?.();
      }
    },
  });
}

/** Whether an error is that of a call whose signal has fired. */
export function isCancelled(error: unknown): boolean {
  return isAbort(error) || isKebabError(error, 'cancelled');
}

/** Settles like some work, or rejects as still running when it has not ended after `limitMs`. */
export function withinLimit<T>(work: Promise<T>, limitMs: number): Promise<T> {
  const late = (): Error => new assert.AssertionError({ message: `still running after ${limitMs / 1000} s` });
  return withDeadline(() => work, { operation: 'the work', timeoutMs: limitMs, late });
}

/** Settles like some work that must end within a second; ten stand for "never", because the machine may be busy. */
export function soon<T>(work: Promise<T>): Promise<T> {
  return withinLimit(work, 10_000);
}

/** Runs a check, and prefixes its failure with the name of what is checked. */
export async function naming(name: string, check: () => void | Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (error instanceof Error) error.message = `${name}: ${error.message}`;
    throw error;
  }
}

type Contribution = Parameters<typeof fingerprintOf>[0];

/** Fails unless a contribution has an id, a version and a fingerprint: the same at every call, and in another instance. */
export function assertIdentified(one: Contribution, another: Contribution = one): void {
  for (const text of [one.id, one.version, fingerprintOf(one)]) assert.match(text, /\S/, 'id, version and fingerprint');
  assert.equal(fingerprintOf(one), fingerprintOf(one), 'the fingerprint stays the same');
  assert.equal(
    fingerprintOf(another),
    fingerprintOf(one),
    'instances with one configuration have the same fingerprint',
  );
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
