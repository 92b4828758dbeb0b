import { isAbort } from '../../errors/abort.ts';
import { isKebabError, receiveError, sendError, type SentError } from '../../errors/kebab-error.ts';
import { isMistake } from '../mistakes.ts';
import { deniedAccess, described } from '../plugin-failure.ts';

/** What every host process is started with; its program adds what it needs. */
export interface ProcessStart {
  /** The hosts that the global `fetch` of a sandboxed process may reach; null if unrestricted. */
  readonly hosts: readonly string[] | null;
  /** Memory limit in MiB, beyond the memory in use when it is ready. */
  readonly memoryMb: number;
}

/** A message to a host process. Each `ask`, `next` and `ping` has one `answer`. */
export type ToProcess<Start, Request> =
  | { readonly kind: 'start'; readonly start: Start }
  /** A request; the answer to one that yields a stream is its first {@link StreamItems}. */
  | { readonly kind: 'ask'; readonly id: number; readonly request: Request; readonly isStream: boolean }
  | { readonly kind: 'next'; readonly id: number; readonly stream: number }
  | { readonly kind: 'ping'; readonly id: number }
  /** The signal of a request has fired: of a call, or of a stream that it opened. */
  | { readonly kind: 'abort'; readonly id: number }
  /** A stream is no longer read. */
  | { readonly kind: 'stop'; readonly stream: number }
  /** The answer to a call of the process. */
  | { readonly kind: 'answer'; readonly id: number; readonly outcome: Outcome };

/** A message from a host process. */
export type FromProcess =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly id: number; readonly outcome: Outcome }
  /** Something happened during a request: a callback was called, or the state has changed. */
  | { readonly kind: 'event'; readonly id: number; readonly name: string; readonly args: readonly unknown[] }
  /** The process calls its parent; without an id it expects no answer. */
  | {
      readonly kind: 'call';
      readonly id: number | null;
      readonly name: string;
      readonly args: readonly unknown[];
    }
  /** An error was not caught; the process ends. */
  | { readonly kind: 'crashed'; readonly cause: string };

/** Consecutive items of a stream. */
export interface StreamItems {
  readonly items: readonly unknown[];
  readonly isOver: boolean;
}

/** The result of a call in another process. */
export type Outcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly error: SentError };

/** Runs some work and returns its result or error as plain data. */
export async function outcomeOf(work: () => unknown): Promise<Outcome> {
  try {
    return { kind: 'value', value: await work() };
  } catch (error) {
    return failed(error);
  }
}

/** Like {@link outcomeOf}, for synchronous work. */
export function outcomeAtOnce(work: () => unknown): Outcome {
  try {
    return { kind: 'value', value: work() };
  } catch (error) {
    return failed(error);
  }
}

/** Returns the value of an outcome, or throws its error. */
export function valueOf(outcome: Outcome): unknown {
  if (outcome.kind === 'failed') throw receiveError(outcome.error);
  return outcome.value;
}

/** The outcome of work that threw. Denied accesses and mistakes are explained where they occur, because only the class of an error tells. */
function failed(error: unknown): Outcome {
  const sent = sendError(error);
  const isExplained = !(error instanceof Error) || isKebabError(error) || isAbort(error);
  const message = isExplained
    ? sent.message
    : (deniedAccess(error) ?? (isMistake(error) ? described(error) : sent.message));
  return { kind: 'failed', error: { ...sent, message } };
}
