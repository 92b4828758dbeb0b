const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** What delivers signals: `process`, or an emitter in a test. */
export interface SignalSource {
  on(signal: (typeof SIGNALS)[number], listener: () => void): unknown;
}

/**
 * Turns the first SIGINT or SIGTERM into an abort, so that work can end in good order; every further one calls `quit`,
 * which ends the process at once.
 */
export function watchInterrupts(source: SignalSource, quit: () => void): AbortSignal {
  const controller = new AbortController();
  for (const name of SIGNALS) {
    source.on(name, () => {
      if (controller.signal.aborted) quit();
      else controller.abort(new DOMException(`interrupted by ${name}`, 'AbortError'));
    });
  }
  return controller.signal;
}
