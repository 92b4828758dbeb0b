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

/** How long work is waited for. */
interface Deadline {
  /** Names the work in `cancelled` and `timeout`. */
  readonly operation: string;
  /** Fires when the caller gives up. */
  readonly signal?: AbortSignal | undefined;
  /** Null and undefined wait as long as it takes. */
  readonly timeoutMs?: number | null | undefined;
  /** What is thrown when the limit has passed; `timeout` by default. */
  readonly late?: (() => Error) | undefined;
  /** How long work may go on after the signal has fired; not at all by default. */
  readonly abortGraceMs?: number | undefined;
  /** How long work may go on after the limit has passed; not at all by default. */
  readonly timeoutGraceMs?: number | undefined;
}

/**
 * The result of some work, or an error when the signal has fired (`cancelled`) or the limit has passed, whether or not the work takes
 * notice. Its own signal fires with that error, so that it can stop; what it still gives within the grace counts, what it throws does
 * not. The limit keeps the process alive: work that never settles ends in an error rather than in a silent exit.
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
