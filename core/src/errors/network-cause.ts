/** Messages of Node for a connection that closed in the middle of a response. */
const CUT: ReadonlySet<string> = new Set(['aborted', 'terminated', 'socket hang up']);

/**
 * The reason why a network request failed, as one text: the message of the innermost cause; of the first one where several addresses were
 * tried. The error of `fetch` itself only says that it failed.
 */
export function networkCause(error: unknown): string {
  const seen = new Set<unknown>();
  for (let link = error; link instanceof Error && !seen.has(link);) {
    seen.add(link);
    const inner: unknown = link instanceof AggregateError ? link.errors[0] : link.cause;
    if (inner === undefined) return CUT.has(link.message) ? 'the connection broke off' : link.message || link.name;
    link = inner;
  }
  return String(error);
}
