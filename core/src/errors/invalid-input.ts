import { KebabError } from './kebab-error.ts';

/** What is known of a bad argument; every member may be left out. */
export interface InvalidInputContext {
  readonly field?: string;
  readonly value?: string;
  readonly allowed?: readonly string[];
  readonly suggestion?: string | undefined;
  readonly hint?: string | undefined;
}

/** Makes the `invalid_input` error for an argument, flag, id, URI, filter or cursor that cannot be used. */
export function invalidInput(message: string, context: InvalidInputContext = {}): KebabError<'invalid_input'> {
  return new KebabError('invalid_input', message, {
    details: {
      field: context.field ?? null,
      value: context.value ?? null,
      allowed: context.allowed ?? null,
      suggestion: context.suggestion ?? null,
    },
    ...(context.hint === undefined ? {} : { hint: context.hint }),
  });
}
