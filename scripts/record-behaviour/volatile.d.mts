/** Takes out of answers what differs between two runs of one program. */
export interface Volatile {
  /** Of a text, wherever it stands. */
  readonly text: (given: string) => string;
  /** Of a JSON value, all the way down. */
  readonly value: (given: unknown) => unknown;
  /** Of what is printed for people. */
  readonly human: (given: string) => string;
}

/** `places` are folders by the name they are recorded under; times from `since` (milliseconds) on are the recording's own. */
export declare function volatile(options: {
  readonly places: readonly (readonly [folder: string, name: string])[];
  readonly since: number;
}): Volatile;

/** Brings the lines of `ingest --json` into an order that does not depend on which of two parallel extractors was faster. */
export declare function inFileOrder(lines: readonly unknown[]): readonly unknown[];
