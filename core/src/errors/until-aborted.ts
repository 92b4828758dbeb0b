import { cancelled } from './abort.ts';
import { whenAborted } from './when-aborted.ts';

/** Whose cancellation ends a wait, and what is then said to be cancelled. */
export interface AbortedBy {
  readonly signal: AbortSignal | undefined;
  readonly operation: string;
}

/** The result of some work, or `cancelled` as soon as the signal fires, whether or not the work takes notice. */
export async function untilAborted<T>(work: Promise<T>, { signal, operation }: AbortedBy): Promise<T> {
  const gone = whenAborted(signal);
  try {
    const first = await Promise.race([work.then((value) => ({ value })), gone.promise]);
    if (first === 'aborted') throw cancelled(operation, signal?.reason);
    return first.value;
  } finally {
    gone.forget();
    work.catch(() => undefined); // nobody may be waiting for it any more
  }
}
