import type { AbortOptions } from '../contracts/contribution.ts';
import type { AnswerEvent } from '../wire/index.ts';

/** How an answer is followed and stopped. */
export interface AskOptions extends AbortOptions {
  /** Receives every event, the `final` one last; an exception it throws is ignored. */
  readonly onEvent?: (event: AnswerEvent) => void;
}
