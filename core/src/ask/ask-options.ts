import type { AbortOptions } from '../contracts/contribution.ts';
import type { AnswerEvent } from '../wire/index.ts';

/** How an answer is followed and stopped. */
export interface AskOptions extends AbortOptions {
  /** Receives every event, the `final` one last; an exception it throws is ignored. */
  readonly onEvent?: (event: AnswerEvent) => void;
  /** Receives what is being done while there is nothing to show yet; an exception it throws is ignored. */
  readonly onStage?: ((stage: AskStage) => void) | undefined;
}

/** What a question waits for. */
export type AskStage =
  | { readonly kind: 'searching' }
  | {
      readonly kind: 'waiting';
      /** The model that was asked. */
      readonly model: string;
      /** Paths of the documents in the prompt, in its order, each once; empty while the question is taken apart. */
      readonly reading: readonly string[];
    };
