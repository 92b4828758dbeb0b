import { setImmediate } from 'node:timers/promises';

const MAX_BLOCKED_MS = 25;

/** Keeps long synchronous work from starving the event loop, so that signals and timers are handled. */
export class BreathingSpace {
  #since = performance.now();

  /** Whether the thread has been blocked for too long and should {@link take} a break. */
  get isDue(): boolean {
    return performance.now() - this.#since > MAX_BLOCKED_MS;
  }

  async take(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}
