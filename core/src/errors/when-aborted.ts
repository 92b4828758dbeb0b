/** Waits for a signal. */
export interface AbortWait {
  /** Resolves when the signal fires; at once when it has; never without one. */
  readonly promise: Promise<'aborted'>;
  /** Takes the listener off; call it when nobody waits any more. */
  readonly forget: () => void;
}

/** Begins to wait for a signal to fire. */
export function whenAborted(signal: AbortSignal | undefined): AbortWait {
  const waiting = new AbortController();
  const promise = new Promise<'aborted'>((resolve) => {
    if (signal?.aborted === true) resolve('aborted');
    else signal?.addEventListener('abort', () => resolve('aborted'), { once: true, signal: waiting.signal });
  });
  return { promise, forget: () => waiting.abort() };
}
