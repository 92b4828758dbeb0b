/** Lines of code; `core` is a part of `besideTests`. */
export interface Lines {
  readonly besideTests: number;
  readonly core: number;
  readonly tests: number;
}

/** Counts the lines of code in a checkout, from the text of each of its files by path. */
export declare function countLines(texts: ReadonlyMap<string, string>): Lines;

/** The source files that exactly one other source file imports, and that are no entries, from the text of each source file by path. */
export declare function filesWithOneImporter(
  sources: ReadonlyMap<string, string>,
  entries: ReadonlySet<string>,
): readonly string[];

/** What V8 writes for a process with `NODE_V8_COVERAGE`: each script with its functions, of which the first is the script itself. */
export interface CoverageReport {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

/** The source files of a checkout in which at least one function was called. */
export declare function filesRun(reports: readonly CoverageReport[], checkout: string): readonly string[];

/** The enforced number, and the goal. */
export interface Budget {
  readonly limit: number;
  readonly wanted: number;
}

/** A line for every number, and a complaint for every number that is over its limit, or zero. */
export declare function compareWithBudgets(
  numbers: Readonly<Record<string, number>>,
  budgets: Readonly<Record<string, Budget>>,
): { readonly rows: readonly string[]; readonly over: readonly string[] };
