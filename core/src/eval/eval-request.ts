import type { AbortOptions } from '../contracts/contribution.ts';
import type { Mode } from '../domain/query.ts';

/** What is to be evaluated. What is left out has its default. */
export interface EvalRequest {
  /** Absolute path of the golden suite. */
  readonly suite: string;
  /** `hybrid` by default. */
  readonly mode?: Mode | undefined;
  /** Hits looked at for each query, and passages of each question: 10 by default, 1 to 100. */
  readonly k?: number | undefined;
  /** Also asks each query, with the language model. */
  readonly withRag?: boolean | undefined;
  /** Of the language model; the configured one by default. */
  readonly temperature?: number | undefined;
  readonly seed?: number | undefined;
}

/** How far a run has come. */
export interface EvalProgress {
  readonly done: number;
  readonly total: number;
  /** The query that was done last. */
  readonly queryId: string;
}

/** How people hear of what the result itself does not tell, a line at a time. An exception of theirs is ignored. */
export interface EvalNotices {
  readonly onNotice?: (line: string) => void;
}

/** How a run is followed and stopped. */
export interface EvalOptions extends AbortOptions, EvalNotices {
  /** Called behind each query; an exception it throws is ignored. */
  readonly onProgress?: (progress: EvalProgress) => void;
}

/** How two runs are compared. */
export interface EvalCompareOptions extends AbortOptions, EvalNotices {
  /** Refuses runs of different chunkers instead of comparing them by document. */
  readonly strictChunkerVersion?: boolean;
  /** Writes `report.md` into the folder of the second run. */
  readonly writeReport?: boolean;
}

/** Calls a listener, if there is one; what it throws is no one's failure. */
export function tell<T>(listener: ((value: T) => void) | undefined, value: T): void {
  try {
    listener?.(value);
  } catch {
    // whoever listens has gone
  }
}
