import type { ErrorCode, ErrorDetails } from './codes.ts';
import { KebabError } from './kebab-error.ts';

/** A `KebabError` as plain data, for another process. */
export interface SentError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails[ErrorCode];
  readonly hint: string;
  readonly cause: string | null;
}

/** Makes an error plain data. */
export function sendError({ code, message, details, hint, cause }: KebabError): SentError {
  return { code, message, details, hint, cause: cause instanceof Error ? (cause.stack ?? cause.message) : null };
}

/** Makes plain data an error again. */
export function receiveError({ code, message, details, hint, cause }: SentError): KebabError {
  return new KebabError(code, message, { details, hint, ...(cause === null ? {} : { cause: new Error(cause) }) });
}
