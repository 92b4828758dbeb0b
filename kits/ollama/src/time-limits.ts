/** How long a call may take, in milliseconds; 0 is no limit. */
export interface TimeLimits {
  /** Until the server has accepted the connection. */
  readonly connectMs: number;
  /** Until the first part of the answer has arrived: the model may have to be loaded, and the prompt to be read. */
  readonly firstPartMs: number;
  /** Until the end of the answer. */
  readonly wholeMs: number;
}

/** Limits for questions about the server itself, which it answers at once. */
export const PROBE_LIMITS: TimeLimits = { connectMs: 2000, firstPartMs: 0, wholeMs: 10_000 };

/** Limits for the work of a model: a server that is there accepts a connection within ten seconds, the rest is up to the user. */
export function workLimits(timeoutMs: number): TimeLimits {
  return { connectMs: 10_000, firstPartMs: 0, wholeMs: timeoutMs };
}
