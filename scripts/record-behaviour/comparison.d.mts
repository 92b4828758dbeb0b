/** One answer of a recording. */
export interface RecordedAnswer {
  readonly operation: string;
  readonly form: string;
  readonly name: string;
  readonly value: unknown;
}

/** How many answers were compared, and which of them differ. */
export interface Comparison {
  readonly compared: number;
  readonly differing: readonly {
    readonly operation: string;
    readonly key: string;
    readonly lines: readonly string[];
  }[];
}

/** The differences of two recordings; `ignore` names operations and forms, `ignoreMembers` members of JSON objects. */
export declare function compareRecordings(
  before: { readonly answers: readonly RecordedAnswer[] },
  after: { readonly answers: readonly RecordedAnswer[] },
  options?: { readonly ignore?: readonly string[]; readonly ignoreMembers?: readonly string[] },
): Comparison;

/** Where two values differ, as lines `path: this → that`. */
export declare function differences(a: unknown, b: unknown): string[];

/** What a comparison prints. */
export declare function comparisonText(comparison: Comparison): string;
