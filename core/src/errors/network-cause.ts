/** What Node says when the other side closes the connection in the middle of an answer. */
const CUT: ReadonlySet<string> = new Set(['aborted', 'terminated', 'socket hang up']);

/**
 * Why a request over the network failed, as one text: the message of the innermost cause, of the first where several addresses were
 * tried. What `fetch` itself throws says only that it failed.
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
