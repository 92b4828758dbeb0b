import { setTimeout } from 'node:timers/promises';

/** A failure that trying again does not change. */
export class FinalAnswer extends Error {}

/** How often and when to try again. */
export interface RetryOptions {
  readonly signal: AbortSignal | undefined;
  /** Before the second attempt; doubled before each further one. */
  readonly delayMs: number;
  /** Whether the attempt that failed brought something, so that it does not count; by default it did not. */
  readonly broughtSomething?: () => Promise<boolean>;
}

/** Attempts in a row that brought nothing. */
const MOST_FRUITLESS = 4;

/**
 * The result of an attempt that may fail for a while: it is made again until four in a row have brought nothing. A
 * {@link FinalAnswer}, a failure of the disk and a fired signal end it at once.
 */
export async function retrying<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { signal, delayMs, broughtSomething } = options;
  for (let fruitless = 0; ;) {
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      fruitless = (await broughtSomething?.()) === true ? 0 : fruitless + 1;
      if (error instanceof FinalAnswer || isDiskFailure(error) || fruitless >= MOST_FRUITLESS) throw error;
      await setTimeout(delayMs * 2 ** Math.max(0, fruitless - 1), undefined, { signal });
    }
  }
}

/** Whether a value is a failure of the file system: those of the network name no such call. */
export function isDiskFailure(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as { readonly code?: unknown; readonly syscall?: unknown };
  return typeof code === 'string' && /^(open|read|write|close|stat|rename|mkdir|rm|unlink)$/.test(String(syscall));
}

/** The failure that an answer of the hub is: final, unless the hub is only busy. */
export function refusal({ url, status, statusText }: Response): Error {
  const message = `${url} answered ${status} ${statusText}`.trimEnd();
  const isBusy = status >= 500 || status === 429 || status === 408;
  return isBusy ? new Error(message) : new FinalAnswer(message);
}
