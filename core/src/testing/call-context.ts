import type { CallContext } from '../contracts/contribution.ts';

const ignore = (): void => {};

/** A call context that says nothing to anybody; it ends when `signal` does, and never without one. */
export function silentCallContext(signal: AbortSignal = new AbortController().signal): CallContext {
  return {
    signal,
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    progress: ignore,
  };
}
