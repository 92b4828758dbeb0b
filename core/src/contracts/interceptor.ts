import type { HistoryItem, Segment } from '../domain/turn.ts';
import type { CallContext } from './contribution.ts';

/** A question before it is sent to the model. */
export interface PromptSubmit {
  readonly segments: readonly Segment[];
  readonly userItem: HistoryItem;
  readonly sessionId: string | null;
}

/** The decision of an interceptor. */
export type Interception =
  | { readonly action: 'continue' }
  | { readonly action: 'cancel'; readonly reason: string }
  | { readonly action: 'continueWith'; readonly items: readonly HistoryItem[] };

/** A trusted extension that may add items to the history directly after the user's message, or stop the question. */
export interface Interceptor {
  onPromptSubmit?(submit: PromptSubmit, context: CallContext): Promise<Interception>;
}
