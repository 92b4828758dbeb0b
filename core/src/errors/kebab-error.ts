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

/** The message of any thrown value. */
export function messageOf(value: unknown): string {
  const message = textMember(value, 'message');
  if (message !== undefined && message !== '') return message;
  if (value instanceof Error) return value.name;
  return typeof value === 'string' ? value : `something that is no error was thrown (${typeof value})`;
}

/** A member of any value, if it is a string. */
export function textMember(value: unknown, key: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const member = (value as Readonly<Record<string, unknown>>)[key];
  return typeof member === 'string' ? member : undefined;
}

/** A thrown value as plain data, for another process and for the service. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string | undefined;
  /** What else a `KebabError` has; absent for every other error. */
  readonly kebab?: Pick<KebabError, 'code' | 'details' | 'hint'> | undefined;
  readonly cause?: SentError | undefined;
}

/** Causes below this depth are left out: an error may be its own cause. */
export const MAX_CAUSES = 8;

/** Serialises a thrown value to plain data. */
export function sendError(error: unknown, depth = 0): SentError {
  if (!(error instanceof Error) && !isKebabError(error)) return { name: 'Error', message: messageOf(error) };
  const { name, stack, cause } = error;
  const message = messageOf(error);
  const kebab = isKebabError(error) ? { code: error.code, details: error.details, hint: error.hint } : undefined;
  const isShown = cause !== undefined && depth < MAX_CAUSES;
  return { name, message, stack, kebab, cause: isShown ? sendError(cause, depth + 1) : undefined };
}

/** Restores an error from plain data. Only a `KebabError` keeps its class. */
export function receiveError({ name, message, stack, kebab, cause }: SentError): Error {
  const options = cause === undefined ? {} : { cause: receiveError(cause) };
  const error =
    kebab === undefined ? new Error(message, options) : new KebabError(kebab.code, message, { ...kebab, ...options });
  const members = stack === undefined ? { name } : { name, stack };
  for (const [key, value] of Object.entries(members))
    Object.defineProperty(error, key, { value, configurable: true, writable: true });
  return error;
}
