import type { AbortOptions } from '../contracts/contribution.ts';
import type { Mode, SearchFilters } from '../domain/query.ts';
import type { AnswerEvent } from '../wire/index.ts';

/** A question as asked. What is left out comes from the configuration. */
export interface AskRequest {
  /** May refer to files as `@path` or `@"path with spaces"`. */
  readonly question: string;
  /** How many passages are retrieved, 1 to 100. */
  readonly k?: number;
  readonly mode?: Mode;
  readonly filters?: SearchFilters;
  /** The conversation that is begun or gone on with: `[A-Za-z0-9._-]{1,128}`. */
  readonly session?: string;
  /** Takes the question apart into several searches. */
  readonly multiHop?: boolean;
  /** Adds claims with their evidence and the trace of the retrieval. */
  readonly explain?: boolean;
  /** 0 to 2. */
  readonly temperature?: number;
  readonly seed?: number;
}

/** How an answer is followed and stopped. */
export interface AskOptions extends AbortOptions {
  /** Receives every event, the `final` one last; an exception it throws is ignored. */
  readonly onEvent?: (event: AnswerEvent) => void;
}
