import { KebabError, networkCause } from '@kebab/core';

/** The error for an object or a bucket that cannot be read, with what can be done about it. */
export function s3Failure(
  error: unknown,
  { what, where }: { readonly what: string; readonly where: string },
): KebabError<'io_error'> {
  const cause = causeOf(error);
  return new KebabError('io_error', `${what} at ${where} cannot be read: ${cause}`, {
    details: { kind: codeOf(error), path: what, cause },
    cause: error,
    hint: hintFor(error),
  });
}

/** Whether the storage says that there is no such object or bucket. */
export function isAbsent(error: unknown): boolean {
  return statusOf(error) === 404;
}

/** One line, without a request id or a key. */
export function causeOf(error: unknown): string {
  const status = statusOf(error);
  if (status === undefined) return isOfCredentials(error) ? 'there are no credentials' : networkCause(error);
  const reason = REASONS[status];
  return reason === undefined ? `it answered ${status} (${codeOf(error)})` : `${reason} (${status})`;
}

const REASONS: Readonly<Record<number, string>> = {
  301: 'the bucket is in another region',
  401: 'access is denied',
  403: 'access is denied',
  404: 'it does not exist',
};

function hintFor(error: unknown): string {
  const status = statusOf(error);
  if (isOfCredentials(error) || status === 401 || status === 403)
    return 'give credentials that may list and read the bucket: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile by AWS_PROFILE';
  if (status === 301 || status === 404) return 'check the bucket, and `s3.endpoint`, `s3.region` and `s3.path_style`';
  if (codeOf(error) === 'InvalidObjectState') return 'restore the object from the archive, then run `kebab ingest`';
  return 'check `s3.endpoint` and the network, then run `kebab ingest` again';
}

function isOfCredentials(error: unknown): boolean {
  return error instanceof Error && /^(?:CredentialsProviderError|TokenProviderError)$/.test(error.name);
}

function statusOf(error: unknown): number | undefined {
  const { $metadata } = (error ?? {}) as { readonly $metadata?: { readonly httpStatusCode?: number } };
  return $metadata?.httpStatusCode;
}

function codeOf(error: unknown): string {
  return error instanceof Error ? error.name : 'Error';
}
