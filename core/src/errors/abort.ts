import { KebabError } from './kebab-error.ts';

/** Whether a caught value is an abort rather than a failure; aborts pass through every layer untouched. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || (error as { code?: unknown }).code === 'ABORT_ERR');
}

/** Throws the `cancelled` error of an operation when its signal has fired. */
export function throwIfCancelled(signal: AbortSignal | undefined, operation: string): void {
  if (signal?.aborted === true) throw cancelled(operation, signal.reason);
}

/** Makes the `cancelled` error of an operation. */
export function cancelled(operation: string, reason?: unknown): KebabError<'cancelled'> {
  const text = typeof reason === 'string' ? reason : null;
  return new KebabError('cancelled', `${operation} was cancelled`, { details: { operation, reason: text } });
}
