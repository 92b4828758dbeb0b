/** Calls a server again after a failure, with exponential backoff and jitter. */
export async function withRetries<T>(call: () => Promise<T>, attempts = 5): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (attempt === attempts) throw error;
      await sleep(backoff(attempt));
    }
  }
}

/** How long to wait before the next attempt: 100 ms, 200 ms, 400 ms …, each with up to a tenth more. */
export function backoff(attempt: number): number {
  return 100 * 2 ** (attempt - 1) * (1 + Math.random() / 10);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
