import { availableParallelism } from 'node:os';

/** Beyond so many threads a small model gains nothing. */
const MOST_THREADS = 8;

/** How many threads a model runs in unless configured: all cores but one, so that the machine stays usable. */
export function defaultThreads(): number {
  return Math.min(MOST_THREADS, Math.max(1, availableParallelism() - 1));
}
