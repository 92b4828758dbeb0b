import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<string | undefined>();

/** From here on, what is done for the request that is being answered belongs to the trace of its header `traceparent`. */
export function enterTrace(traceparent: string | undefined): void {
  current.enterWith(traceparent);
}

/** The header `traceparent` of the request that is being answered; undefined without one. */
export function traceEntered(): string | undefined {
  return current.getStore();
}
