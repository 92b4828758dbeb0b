/** One promise of a contract, as something that can be run. It fails by throwing. */
export interface ContractCase {
  /** The promise, as a sentence: "keeps a fenced block whole when it exceeds the target". */
  readonly name: string;
  readonly run: () => void | Promise<void>;
}

/** Every promise of one contract, for one implementation. Made by the functions of `@kebab/core/testing`. */
export interface ContractSuite {
  readonly contract: string;
  readonly cases: readonly ContractCase[];
}

/** The two functions every test runner has: vitest, node:test and jest all fit. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => void | Promise<void>) => unknown;
}

/**
 * Declares a suite in a test file: `declareSuite(extractorSuite({ … }), { describe, it })`. Each promise becomes one test.
 */
export function declareSuite(suite: ContractSuite, runner: TestRunner): void {
  runner.describe(suite.contract, () => {
    for (const { name, run } of suite.cases) runner.it(name, run);
  });
}
