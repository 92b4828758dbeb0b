import { withDeadline } from '../errors/with-deadline.ts';

/** How long code of a plugin may take where nothing can interrupt it but giving up waiting. */
export interface TimeLimit {
  readonly ms: number;
  /** What was waited for, as the message says it: `its module did not finish loading`. */
  readonly what: string;
}

/**
 * Waits for a promise, but not for ever: throws `<what> within <n> s` when the limit has passed. The limit keeps the process
 * alive, so that a promise no one will settle ends in an error rather than in a silent exit.
 */
export async function withinLimit<T>(promise: PromiseLike<T>, { ms, what }: TimeLimit): Promise<T> {
  const late = (): Error => new Error(`${what} within ${ms / 1000} s`);
  return withDeadline(() => promise, { operation: what, timeoutMs: ms, late });
}
