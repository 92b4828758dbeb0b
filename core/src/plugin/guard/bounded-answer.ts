import { cancelled } from '../../errors/abort.ts';

/** How long an answer may take. */
export interface AnswerBounds {
  /** Null for as long as it takes. */
  readonly ms: number | null;
  readonly signal: AbortSignal | undefined;
}

/** How long a call may go on after its signal has fired, before nobody waits for it any more. */
const GRACE_MS = 1000;

/**
 * Waits for the answer of somebody else's code, but not for ever: throws when the limit has passed, and `cancelled` a second
 * after the signal has fired.
 */
export async function boundedAnswer<T>(answer: PromiseLike<T>, { ms, signal }: AnswerBounds): Promise<T> {
  const timers: NodeJS.Timeout[] = [];
  const over = new AbortController();
  const overdue = new Promise<never>((_, reject) => {
    const later = (after: number, error: () => Error): void =>
      void timers.push(setTimeout(() => reject(error()), after));
    const onAbort = (): void => later(GRACE_MS, () => cancelled('the call', signal?.reason));
    if (ms !== null) later(ms, () => new Error(`it was not done after ${ms / 1000} s`));
    signal?.addEventListener('abort', onAbort, { once: true, signal: over.signal });
    if (signal?.aborted === true) onAbort();
  });
  try {
    return await Promise.race([answer, overdue]);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    over.abort();
  }
}
