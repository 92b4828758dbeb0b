import { KebabError } from './kebab-error.ts';

/** Whether a caught value is an abort rather than a failure; aborts pass through every layer untouched. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || (error as { code?: unknown }).code === 'ABORT_ERR');
}

/** Throws the `cancelled` error of an operation when its signal has fired. */
export function throwIfCancelled(signal: AbortSignal | undefined, operation: string): void {
  if (signal?.aborted === true) throw cancelled(operation, signal.reason);
}

/** Makes the `cancelled` error of an operation. */
export function cancelled(operation: string, reason?: unknown): KebabError<'cancelled'> {
  const text = typeof reason === 'string' ? reason : null;
  return new KebabError('cancelled', `${operation} was cancelled`, { details: { operation, reason: text } });
}

/** The limits of {@link withDeadline}. */
interface Deadline {
  /** Names the work in the messages of `cancelled` and `timeout`. */
  readonly operation: string;
  /** Fires when the caller gives up. */
  readonly signal?: AbortSignal | undefined;
  /** Null and undefined mean no limit. */
  readonly timeoutMs?: number | null | undefined;
  /** Creates the error thrown when the limit has passed; `timeout` by default. */
  readonly late?: (() => Error) | undefined;
  /** How long work may continue after the signal has fired; not at all by default. */
  readonly abortGraceMs?: number | undefined;
  /** How long work may continue after the limit has passed; not at all by default. */
  readonly timeoutGraceMs?: number | undefined;
}

/**
 * Returns the result of some work, or throws when the signal has fired (`cancelled`) or the limit has passed, whether or not the work
 * reacts. The signal passed to the work fires with that error, so that it can stop; a result within the grace period counts, an error does
 * not. The timer keeps the process alive: work that never settles ends in an error rather than in a silent exit.
 */
export async function withDeadline<T>(
  work: (signal: AbortSignal) => PromiseLike<T>,
  { operation, signal, timeoutMs, late, abortGraceMs = 0, timeoutGraceMs = 0 }: Deadline,
): Promise<T> {
  const stop = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  let forget: (() => void) | undefined;
  const over = new Promise<never>((_, reject) => {
    const end = (error: Error, graceMs: number): void => {
      stop.abort(error);
      if (graceMs === 0) reject(error);
      else timers.push(setTimeout(() => reject(error), graceMs));
    };
    const onAbort = (): void => end(cancelled(operation, signal?.reason), abortGraceMs);
    forget = () => signal?.removeEventListener('abort', onAbort);
    if (typeof timeoutMs === 'number')
      timers.push(setTimeout(() => end(late?.() ?? tookLonger(operation, timeoutMs), timeoutGraceMs), timeoutMs));
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([over, (async () => work(stop.signal))()]);
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    forget?.();
  }
}

function tookLonger(operation: string, timeoutMs: number): KebabError<'timeout'> {
  return new KebabError('timeout', `${operation} took longer than ${timeoutMs / 1000} s`, {
    details: { operation, after_ms: timeoutMs },
  });
}

/** A time limit for plugin code that cannot be interrupted, only abandoned. */
interface TimeLimit {
  /** Null for none. */
  readonly ms: number | null;
  /** The beginning of the message: `its module did not finish loading`. */
  readonly what: string;
}

/**
 * Waits for a promise with a time limit: throws `<what> within <n> s` when it has passed. The timer keeps the process alive, so that a
 * promise that never settles ends in an error rather than in a silent exit.
 */
export async function withinLimit<T>(work: T | PromiseLike<T>, { ms, what }: TimeLimit): Promise<T> {
  const late = (): Error => new Error(`${what} within ${(ms ?? 0) / 1000} s`);
  return withDeadline(async () => work, { operation: what, timeoutMs: ms, late });
}
