import assert from 'node:assert/strict';

/** What some work gives, or its failure; it fails as still running when it has not ended after `limitMs`. */
export async function withinLimit<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    const message = `still running after ${limitMs / 1000} s`;
    timer = setTimeout(() => reject(new assert.AssertionError({ message })), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
