import type { CallContext } from './contribution.ts';
import type { PromptSubmit } from './interceptor.ts';

/** A deeply read-only type. */
export type DeepReadonly<T> = T extends (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/** A public observer: it receives frozen copies, may stop a question, and cannot add to it. Its failures are logged and ignored. */
export interface Hook {
  onPromptSubmit?(
    submit: DeepReadonly<PromptSubmit>,
    context: CallContext,
  ): Promise<{ readonly action: 'continue' } | { readonly action: 'cancel'; readonly reason: string }>;
  /** Called with each response to a search: a `search_response.v1` (docs/wire-schema/v1). */
  onRetrieved?(response: unknown): void;
  /** Called with each answer: an `answer.v1`. */
  onAnswer?(answer: unknown): void;
  /** Called at the end of each ingest, with its report: an `ingest_report.v1`. */
  onIngested?(report: unknown): void;
}
