import { setTimeout as sleep } from 'node:timers/promises';
import { answerStatus, askedDelayMs } from './qdrant-failure.ts';

/** When a request is tried again. */
export interface RetryPolicy {
  readonly attempts: number;
  /** The delay before the second attempt; it doubles with each. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

/** Four attempts within two seconds, unless the server asks for more time. */
export const RETRY_POLICY: RetryPolicy = { attempts: 4, firstDelayMs: 200, maxDelayMs: 10_000 };

/**
 * Repeats a request that the server answered with 429 or 5xx: it is busy, or restarting. Anything else is thrown at once; a
 * server that does not answer will not be there two seconds later either.
 */
export async function withRetries<T>(
  request: () => Promise<T>,
  { attempts, firstDelayMs, maxDelayMs }: RetryPolicy,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      const status = answerStatus(error) ?? 0;
      if (attempt >= attempts || (status !== 429 && status < 500)) throw error;
      const askedMs = askedDelayMs(error);
      if (askedMs > maxDelayMs) throw error; // it says itself that trying earlier is of no use
      const delayMs = Math.min(maxDelayMs, Math.max(firstDelayMs * 2 ** (attempt - 1), askedMs));
      await sleep(delayMs, undefined, signal === undefined ? {} : { signal });
    }
  }
}
