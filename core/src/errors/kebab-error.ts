import { DEFAULT_HINTS, type ErrorCode, type ErrorDetails } from './codes.ts';

const brand = Symbol.for('@kebab/core/error');

/** Options of a {@link KebabError}. */
export interface KebabErrorOptions<C extends ErrorCode> {
  readonly details: ErrorDetails[C];
  /** The lower-level failure, shown by `--verbose`. */
  readonly cause?: unknown;
  /** The remedy, when the default hint of the code is not specific enough. */
  readonly hint?: string | undefined;
}

/**
 * The only kind of failure that leaves a module of kebab: a code of the closed list, a sentence that names the offending value, and what to
 * do next. Recognised by {@link isKebabError}, never by `instanceof`, so that it works across two copies of the package.
 */
export class KebabError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C;
  readonly details: ErrorDetails[C];
  readonly hint: string;
  readonly [brand] = true;

  constructor(code: C, message: string, options: KebabErrorOptions<C>) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'KebabError';
    this.code = code;
    this.details = options.details;
    this.hint = options.hint ?? DEFAULT_HINTS[code];
  }
}

/** Whether a caught value is a {@link KebabError}, of this or of another copy of the package; with `code`, of that code. */
export function isKebabError<C extends ErrorCode = ErrorCode>(value: unknown, code?: C): value is KebabError<C> {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as Record<symbol, unknown>)[brand] === true &&
    (code === undefined || (value as KebabError).code === code)
  );
}

/** A `KebabError` as plain data, for another process. */
export interface SentError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails[ErrorCode];
  readonly hint: string;
  readonly cause: string | null;
}

/** Serialises an error to plain data. */
export function sendError({ code, message, details, hint, cause }: KebabError): SentError {
  return { code, message, details, hint, cause: cause instanceof Error ? (cause.stack ?? cause.message) : null };
}

/** Restores an error from plain data. */
export function receiveError({ code, message, details, hint, cause }: SentError): KebabError {
  return new KebabError(code, message, { details, hint, ...(cause === null ? {} : { cause: new Error(cause) }) });
}
