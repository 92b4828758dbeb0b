/** Milliseconds of a monotonic clock. `performance.now()` is equivalent, but loads a module that a search does not otherwise need. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1_000_000;
}
