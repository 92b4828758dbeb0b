/** Queries at once, and promises what comes of it: SQLite has no other way, but those who ask need not know. */
export function now<T>(query: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(query());
  });
}
