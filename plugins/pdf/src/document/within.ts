import { isKebabError, withDeadline } from '@kebab/core';

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
  const ends = broken === undefined ? signal : AbortSignal.any([signal, broken]);
  try {
    return await withDeadline(() => work, { operation, signal: ends, timeoutMs });
  } catch (error) {
    throw isKebabError(error, 'cancelled') && broken?.aborted === true && !signal.aborted ? broken.reason : error;
  }
}
