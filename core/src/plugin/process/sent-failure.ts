import { isAbort } from '../../errors/abort.ts';
import { isKebabError } from '../../errors/kebab-error.ts';
import { receiveError, sendError } from '../../errors/sent-error.ts';
import { deniedAccess } from '../plugin-failure.ts';
import type { Outcome, SentFailure } from './plugin-messages.ts';

/** What came of some work, as plain data; what it threw included. */
export async function outcomeOf(work: () => unknown): Promise<Outcome> {
  try {
    return { kind: 'value', value: await work() };
  } catch (error) {
    return { kind: 'failed', error: sentFailure(error) };
  }
}

/** Like {@link outcomeOf}, for work that is done at once. */
export function outcomeAtOnce(work: () => unknown): Outcome {
  try {
    return { kind: 'value', value: work() };
  } catch (error) {
    return { kind: 'failed', error: sentFailure(error) };
  }
}

/** What work gave in another process. Throws what it threw there. */
export function receivedFrom(outcome: Outcome): unknown {
  if (outcome.kind === 'value') return outcome.value;
  const { error } = outcome;
  switch (error.kind) {
    case 'kebab':
      throw receiveError(error.error);
    case 'abort':
      throw new DOMException(error.message, 'AbortError');
    case 'other':
      throw Object.assign(new Error(error.message), error.stack === undefined ? {} : { stack: error.stack });
    default:
      return error satisfies never;
  }
}

/** What was thrown, as plain data. */
export function sentFailure(error: unknown): SentFailure {
  if (isKebabError(error)) return { kind: 'kebab', error: sendError(error) };
  if (isAbort(error)) return { kind: 'abort', message: (error as Error).message };
  if (!(error instanceof Error)) return { kind: 'other', message: String(error), stack: undefined };
  return { kind: 'other', message: deniedAccess(error) ?? error.message, stack: error.stack };
}
