/** The code of an error of the server (five characters) or of the network (`ECONNREFUSED`); undefined for every other value. */
export function failureCode(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as { readonly code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Whether an error means that the connection is gone, so that a read may be tried again. */
export function isLostConnection(error: unknown): boolean {
  const code = failureCode(error);
  if (code !== undefined) return /^(?:08|57P0)|^(?:ECONNRESET|EPIPE)$/.test(code);
  return error instanceof Error && (/^Connection terminated|not queryable/.test(error.message) || isSilence(error));
}

/** What listens has ended a connection before it began: it may be something else than PostgreSQL. */
export class NoGreeting extends Error {}

/** Waits until a connection has begun. */
export async function begun<T>(connecting: Promise<T>): Promise<T> {
  return connecting.catch((error: unknown) => {
    const said = error instanceof Error ? `${failureCode(error) ?? ''} ${error.message}` : '';
    const isEnded = /^(?:ECONNRESET|EPIPE) |terminated unexpectedly|error establishing an SSL connection/.test(said);
    throw isEnded ? new NoGreeting(`Connection terminated before it began: ${said.trim()}`, { cause: error }) : error;
  });
}

/** Whether an error means that a statement took longer than it may: the server has ended it, or does not respond. */
export function isTimeLimit(error: unknown): boolean {
  return failureCode(error) === '57014' || (error instanceof Error && isSilence(error));
}

/** The driver has waited long enough; the connection still waits. */
function isSilence(error: Error): boolean {
  return error.message === 'Query read timeout';
}
