/** Why a call was given up: the caller wanted it, or a limit passed. */
export type GivenUp =
  | { readonly kind: 'aborted' }
  | { readonly kind: 'not_connected'; readonly afterMs: number }
  | { readonly kind: 'too_slow'; readonly afterMs: number };

/**
 * Watches over one call: its signal fires when the caller's does, when a limit passes, and at the end, so that nothing goes on
 * behind the caller's back. `end` must be called.
 */
export class CallWatch {
  readonly #stop = new AbortController();
  readonly #timers = new Map<'connect' | 'first' | 'whole', NodeJS.Timeout>();
  readonly #callers: AbortSignal | undefined;
  #givenUp: GivenUp | undefined;

  constructor({ connectMs, firstPartMs, wholeMs }: TimeLimits, callers: AbortSignal | undefined) {
    this.#callers = callers;
    this.#limit('connect', { kind: 'not_connected', afterMs: connectMs });
    this.#limit('first', { kind: 'too_slow', afterMs: firstPartMs });
    this.#limit('whole', { kind: 'too_slow', afterMs: wholeMs });
    if (callers?.aborted === true) this.#onAbort();
    else callers?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Fires when the call is over, for whatever reason. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Why the call was given up; undefined while it runs, and when it came to its end. */
  get givenUp(): GivenUp | undefined {
    return this.#givenUp;
  }

  /** The server has accepted the connection. */
  connected(): void {
    clearTimeout(this.#timers.get('connect'));
  }

  /** A part of the answer has arrived. */
  heard(): void {
    this.connected();
    clearTimeout(this.#timers.get('first'));
  }

  /** Ends the call: what still runs is broken off. */
  end(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#callers?.removeEventListener('abort', this.#onAbort);
    this.#stop.abort();
  }

  readonly #onAbort = (): void => this.#giveUp({ kind: 'aborted' });

  #limit(name: 'connect' | 'first' | 'whole', reached: GivenUp & { readonly afterMs: number }): void {
    if (reached.afterMs > 0)
      this.#timers.set(
        name,
        setTimeout(() => this.#giveUp(reached), reached.afterMs),
      );
  }

  #giveUp(why: GivenUp): void {
    this.#givenUp ??= why;
    this.end();
  }
}

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
