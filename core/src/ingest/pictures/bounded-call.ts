import { cancelled } from '../../errors/abort.ts';
import { KebabError } from '../../errors/kebab-error.ts';

/** What bounds a call of a model. */
export interface CallBounds {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Names the limit in the message, for example `ocr`. */
  readonly operation: string;
}

/** How long a call may go on after it was told to stop, before nobody waits for it any more. */
const GRACE_MS = 1000;

/**
 * Calls a model with a signal that fires when the caller's does or the time is over. Throws `cancelled` and `timeout`, also
 * when the model does not stop by itself.
 */
export async function boundedCall<T>(call: (signal: AbortSignal) => Promise<T>, bounds: CallBounds): Promise<T> {
  const { signal, timeoutMs, operation } = bounds;
  const stop = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const over = new AbortController();
  const overdue = new Promise<never>((_, reject) => {
    const end = (error: Error): void => {
      stop.abort(error);
      timers.push(setTimeout(() => reject(error), GRACE_MS));
    };
    const onAbort = (): void => end(cancelled('ingest', signal.reason));
    timers.push(setTimeout(() => end(late(operation, timeoutMs)), timeoutMs));
    signal.addEventListener('abort', onAbort, { once: true, signal: over.signal });
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([call(stop.signal), overdue]);
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    over.abort();
  }
}

function late(operation: string, timeoutMs: number): KebabError<'timeout'> {
  return new KebabError('timeout', `it was not done after ${timeoutMs / 1000} s`, {
    details: { operation, after_ms: timeoutMs },
    hint: `raise ${operation}.timeout_s in the configuration`,
  });
}
