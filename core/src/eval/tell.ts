/** Calls a listener, if there is one; what it throws is nobody's failure. */
export function tell<T>(listener: ((value: T) => void) | undefined, value: T): void {
  try {
    listener?.(value);
  } catch {
    // whoever listens has gone
  }
}
