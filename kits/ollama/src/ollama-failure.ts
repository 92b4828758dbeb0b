import { KebabError, cancelled, isKebabError } from '@kebab/core';
import { AnswerFault } from './checked-answer.ts';
import type { GivenUp } from './call-watch.ts';

/** Where a call went, and what to name when it fails. */
export interface CallSite {
  /** Address of the server, without user name and password. */
  readonly endpoint: string;
  readonly model: string;
  /** What was being done: `generate`, `embed`, … */
  readonly operation: string;
  /** The keys of the configuration that name the server and the model, for hints. */
  readonly keys: { readonly endpoint: string; readonly model: string };
}

/** The error that a failed call became; `givenUp` tells why the call was broken off, if it was. */
export function ollamaFailure(error: unknown, site: CallSite, givenUp: GivenUp | undefined): KebabError {
  if (givenUp !== undefined) return givenUpFailure(givenUp, site);
  if (isKebabError(error)) return error;
  return error instanceof AnswerFault ? answerFailure(error, site) : unreachable(site, networkCause(error), { error });
}

/** Whether a call failed because a text does not fit into the window of the model; servers differ in status and words. */
export function isTooLong(error: unknown): boolean {
  return /context (length|size|window)|input (length|is too)|too (long|large)/i.test(refusalOf(error));
}

function refusalOf(error: unknown): string {
  const fault = isKebabError(error) ? error.cause : undefined;
  return fault instanceof AnswerFault && fault.kind === 'refused' ? fault.message : '';
}

/** The error for a server that cannot be used as it is. */
export function unreachable(
  { endpoint, model, keys }: CallSite,
  cause: string,
  { hint, error }: { readonly hint?: string; readonly error?: unknown } = {},
): KebabError<'model_unreachable'> {
  return new KebabError('model_unreachable', `Ollama at ${endpoint} cannot be used: ${cause}`, {
    details: { endpoint, model, cause },
    cause: error,
    hint: hint ?? startHint(endpoint, keys.endpoint),
  });
}

function givenUpFailure(why: GivenUp, site: CallSite): KebabError {
  switch (why.kind) {
    case 'aborted':
      return cancelled(site.operation);
    case 'not_connected':
      return unreachable(site, `it accepted no connection within ${why.afterMs} ms`);
    case 'too_slow': {
      const { operation, model, endpoint } = site;
      const message = `${operation} with ${model} at ${endpoint} took longer than ${why.afterMs} ms`;
      return new KebabError('timeout', message, { details: { operation, after_ms: why.afterMs } });
    }
    default:
      return why satisfies never;
  }
}

function answerFailure(fault: AnswerFault, site: CallSite): KebabError {
  const { endpoint, model, keys } = site;
  const { kind, status, message } = fault;
  const log = 'look at the log of the server, then try again';
  switch (kind) {
    case 'reported':
      return unreachable(site, `it reported: ${message}`, { hint: log, error: fault });
    case 'incomplete':
      return unreachable(site, message, { hint: log, error: fault });
    case 'garbled':
      return unreachable(site, status === 200 ? message : `it answered ${message}`, {
        hint: `check that Ollama answers at ${endpoint} (${keys.endpoint})`,
        error: fault,
      });
    case 'refused':
      if (status === 404 && /model/i.test(message)) return notPulled(site, fault);
      if (status === 401 || status === 403)
        return unreachable(site, `it answered ${status}: ${message}`, {
          hint: `correct ${keys.endpoint}`,
          error: fault,
        });
      if (status >= 400 && status < 500 && status !== 429 && status !== 408)
        return new KebabError('invalid_input', `Ollama refused ${site.operation} with ${model}: ${message}`, {
          details: { field: keys.model, value: model, allowed: null, suggestion: null },
          hint: `name another model in ${keys.model}`,
          cause: fault,
        });
      return unreachable(site, `it answered ${status}: ${message}`, { hint: log, error: fault });
    default:
      return kind satisfies never;
  }
}

function notPulled({ model, endpoint }: CallSite, cause: unknown): KebabError<'model_not_pulled'> {
  return new KebabError('model_not_pulled', `Ollama at ${endpoint} has no model "${model}"`, {
    details: { model, provider: 'ollama' },
    hint: `fetch it with \`ollama pull ${model}\``,
    cause,
  });
}

/** What Node says when the other side closes the connection in the middle of an answer. */
const CUT: ReadonlySet<string> = new Set(['aborted', 'terminated', 'socket hang up']);

/** `fetch failed` says nothing; what failed stands behind it, or among several attempts. */
function networkCause(error: unknown): string {
  const seen = new Set<unknown>();
  for (let link = error; link instanceof Error && !seen.has(link);) {
    seen.add(link);
    const inner: unknown = link instanceof AggregateError ? link.errors[0] : link.cause;
    if (inner === undefined) return CUT.has(link.message) ? 'the connection broke off' : link.message || link.name;
    link = inner;
  }
  return String(error);
}

function startHint(endpoint: string, key: string): string {
  return /^https?:\/\/(localhost|127\.|\[::1\])/.test(endpoint)
    ? 'start the server with `ollama serve`, then look at `kebab doctor`'
    : `start the server there (\`ollama serve\`) or correct ${key}, then look at \`kebab doctor\``;
}
