import { classifyError, type FailureContext } from '../errors/classify-error.ts';
import type { ErrorV1 } from './errors.ts';

/**
 * Converts any caught value to error.v1, so that hosts need no classification of their own. The message is one line; an unknown error
 * becomes `generic` with the messages of its cause chain.
 */
export function toErrorV1(error: unknown, context: FailureContext = {}): ErrorV1 {
  const { code, message, details, hint } = classifyError(error, context);
  return { schema_version: 'error.v1', code, message: oneLine(message), details, hint } as ErrorV1;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n\u2028\u2029]\s*/gu, ' ').trim();
}
