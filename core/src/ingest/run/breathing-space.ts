import { setImmediate } from 'node:timers/promises';

const MAX_BLOCKED_MS = 25;

/** Lets a long stretch of synchronous work be interrupted: signals and timers get a turn now and then. */
export class BreathingSpace {
  #since = performance.now();

  /** Whether the thread has been blocked for too long: then {@link take} a breath. */
  get isDue(): boolean {
    return performance.now() - this.#since > MAX_BLOCKED_MS;
  }

  async take(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}
