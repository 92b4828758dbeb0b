let last: Promise<unknown> = Promise.resolve();

/**
 * Begins a piece of work when the one before it has ended, however it ended. pdf.js keeps the number of pages in a place that
 * all open files share, so that two of them in one thread would mix.
 */
export function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const run = last.then(work);
  last = run.catch(() => undefined);
  return run;
}
