import { KebabError, isKebabError, networkCause } from '@kebab/core';

const LARGER =
  'raise the maximum size of a request of Qdrant (service.max_request_size_mb) and of proxies before it (client_max_body_size)';
const REBUILD = 'make the vectors again: `kebab reset --vector-only`, then `kebab ingest`';

/** The error for an unusable Qdrant server. */
export function unreachable(
  endpoint: string,
  cause: string,
  { hint, error }: { readonly hint: string; readonly error?: unknown },
): KebabError<'vector_store_unreachable'> {
  return new KebabError('vector_store_unreachable', `Qdrant at ${endpoint} cannot be used: ${cause}`, {
    details: { store: 'qdrant', endpoint, cause },
    cause: error,
    hint,
  });
}

/** The error for a collection that does not exist, or no longer exists. */
export function missingCollection(endpoint: string, collection: string): KebabError<'vector_store_unreachable'> {
  return unreachable(endpoint, `there is no collection "${collection}"`, {
    hint: 'make the vectors with `kebab ingest`',
  });
}

/** The error for a collection with unexpected contents. */
export function foreignCollection(endpoint: string, cause: string): KebabError<'vector_store_unreachable'> {
  return unreachable(endpoint, cause, { hint: `name another storage.qdrant.collection_prefix, or ${REBUILD}` });
}

/** Converts the failure of a request; never an abort, which the caller handles. */
export function requestFailure(endpoint: string, error: unknown): KebabError<'vector_store_unreachable'> {
  const status = answerStatus(error);
  if (status === undefined) return unreachable(endpoint, networkCause(error), { hint: startHint(endpoint), error });
  const said = serverMessage(error);
  const cause = `it answered ${status}${said === '' ? '' : `: ${said}`}`;
  if (status === 401 || status === 403)
    return unreachable(endpoint, cause, { hint: 'set storage.qdrant.api_key to a key of this server', error });
  if (status === 429 || status >= 500)
    return unreachable(endpoint, cause, { hint: 'look at the log of the server, then try again', error });
  const hint = status === 413 ? `${LARGER}, then try again` : 'look at the log of Qdrant, then try again';
  return unreachable(endpoint, cause, { hint, error });
}

/** Whether a server refused a write that a smaller one may get past. */
export function isRefusedWrite(error: unknown): error is KebabError<'vector_store_unreachable'> {
  const status = isKebabError(error) ? answerStatus(error.cause) : undefined;
  return status === 400 || status === 413 || status === 422;
}

/** The error for a single point that a server refuses: no other vectors are concerned, so that none has to be made again. */
export function refusedWrite(
  endpoint: string,
  { details, cause }: KebabError<'vector_store_unreachable'>,
): KebabError<'vector_store_unreachable'> {
  const what = answerStatus(cause) === 413 ? LARGER : 'look at the log of Qdrant';
  const hint = `${what}, then run \`kebab ingest\` again; the vectors there are kept`;
  return unreachable(endpoint, `it refuses a single vector: ${details.cause}`, { hint, error: cause });
}

/** The HTTP status of a failed request; undefined if there was no response. */
export function answerStatus(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { status, name } = error as { readonly status?: unknown; readonly name?: unknown };
  if (typeof status === 'number') return status;
  return name === 'QdrantClientResourceExhaustedError' ? 429 : undefined;
}

/** The delay that the server requests before the next attempt; 0 if none. */
export function retryAfterMs(error: unknown): number {
  const seconds = (error as { readonly retry_after?: unknown } | null)?.retry_after;
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : 0;
}

function serverMessage(error: unknown): string {
  const { data } = error as { readonly data?: unknown };
  const message =
    (data as { readonly status?: { readonly error?: unknown } } | null | undefined)?.status?.error ?? data;
  return (typeof message === 'string' ? message : '').split('\n', 1)[0]?.slice(0, 300) ?? '';
}

function startHint(endpoint: string): string {
  return /^https?:\/\/(localhost|127\.|\[::1\])/.test(endpoint)
    ? 'start the server with `docker compose up -d`, then run `kebab doctor`'
    : 'start the server (here: `docker compose up -d`) or correct storage.qdrant.url, then run `kebab doctor`';
}
