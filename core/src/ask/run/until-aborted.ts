import { cancelled } from '../../errors/abort.ts';
import { whenAborted } from '../generate/when-aborted.ts';

/** The result of some work, or `cancelled` as soon as the signal fires, whether or not the work takes notice. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const gone = whenAborted(signal);
  try {
    const first = await Promise.race([work.then((value) => ({ value })), gone.promise]);
    if (first === 'aborted') throw cancelled('ask', signal?.reason);
    return first.value;
  } finally {
    gone.forget();
    work.catch(() => undefined); // nobody may be waiting for it any more
  }
}
