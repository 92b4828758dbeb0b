import { KebabError, cancelled } from '@kebab/core';

/** How long a piece of work may take, and who may stop it before. */
export interface Limits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Names the work in the error. */
  readonly operation: string;
  /** Fires when the work can no longer succeed; its reason is the error. */
  readonly broken?: AbortSignal;
}

/**
 * Waits for a piece of work, but not beyond its limits; the work itself has to be stopped by the caller. Errors: `timeout`,
 * `cancelled`.
 */
export async function within<T>(work: Promise<T>, { signal, timeoutMs, operation, broken }: Limits): Promise<T> {
  let rest: (() => void) | undefined;
  const end = new Promise<never>((_, reject) => {
    const onAbort = (): void => reject(cancelled(operation, signal.reason));
    const onBroken = (): void => reject(broken?.reason as Error);
    const timer = setTimeout(() => reject(timedOut(operation, timeoutMs)), timeoutMs);
    signal.addEventListener('abort', onAbort);
    broken?.addEventListener('abort', onBroken);
    rest = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      broken?.removeEventListener('abort', onBroken);
    };
    if (signal.aborted) onAbort();
    if (broken?.aborted === true) onBroken();
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    rest?.();
  }
}

function timedOut(operation: string, timeoutMs: number): KebabError<'timeout'> {
  return new KebabError('timeout', `${operation} took longer than ${timeoutMs / 1000} s`, {
    details: { operation, after_ms: timeoutMs },
  });
}
