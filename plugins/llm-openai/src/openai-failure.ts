import { KebabError, cancelled, isKebabError, networkCause } from '@kebab/core';

/** The context of a failed call. */
export interface CallSite {
  /** Address of the server, without user name and password. */
  readonly endpoint: string;
  readonly model: string;
  /** The operation: `generate`, `probe`. */
  readonly operation: string;
  /** The expired timeout in milliseconds; undefined if none. */
  readonly passedMs?: number;
  readonly aborted: boolean;
}

const RETRY = 'look at the log of the server, then try again';

/** Converts the failure of a call to an error of kebab. */
export function openaiFailure(error: unknown, site: CallSite): KebabError {
  const { endpoint, model, operation, passedMs, aborted } = site;
  if (aborted) return cancelled(operation);
  if (passedMs !== undefined) {
    const message = `${operation} with ${model} at ${endpoint} took longer than ${passedMs} ms`;
    return new KebabError('timeout', message, { details: { operation, after_ms: passedMs } });
  }
  if (isKebabError(error)) return error;
  if (error instanceof AnswerFault) return answerFailure(error, site);
  return unreachable(site, networkCause(error), { hint: startHint(endpoint), error });
}

/** The error for a server that does not have the model. */
export function notThere({ endpoint, model }: Pick<CallSite, 'endpoint' | 'model'>, cause?: unknown): KebabError {
  return new KebabError('model_not_pulled', `the server at ${endpoint} has no model "${model}"`, {
    details: { model, provider: 'openai' },
    hint: `load it on the server, or name in models.llm.model one that ${endpoint}/models lists`,
    cause,
  });
}

function answerFailure(fault: AnswerFault, site: CallSite): KebabError {
  const { status, reported, message } = fault;
  const error = fault;
  if (status === 200) return unreachable(site, reported ? `it reported: ${message}` : message, { hint: RETRY, error });
  const cause = `it answered ${status}: ${message}`;
  if (status === 401 || status === 403)
    return unreachable(site, cause, { hint: 'set the API key of this server', error });
  if (!reported) {
    const hint = `check that models.llm.endpoint is the address of an OpenAI-compatible server`;
    return unreachable(site, cause, { hint, error });
  }
  if (status === 404) return notThere(site, fault);
  if (status >= 500 || status === 408 || status === 429) return unreachable(site, cause, { hint: RETRY, error });
  const { endpoint, model, operation } = site;
  return new KebabError('invalid_input', `${endpoint} refused ${operation} with ${model}: ${message}`, {
    details: { field: 'models.llm.model', value: model, allowed: null, suggestion: null },
    hint: 'name another model in models.llm.model',
    cause: fault,
  });
}

function unreachable(
  { endpoint, model }: CallSite,
  cause: string,
  { hint, error }: { readonly hint: string; readonly error: unknown },
): KebabError<'model_unreachable'> {
  return new KebabError('model_unreachable', `the model server at ${endpoint} cannot be used: ${cause}`, {
    details: { endpoint, model, cause },
    cause: error,
    hint,
  });
}

function startHint(endpoint: string): string {
  return `start the server, or correct models.llm.endpoint (it is ${endpoint}), then run \`kebab doctor\``;
}

/** A failure reported in a response of the server, as opposed to a broken connection. */
export class AnswerFault extends Error {
  /** The HTTP status; 200 for a failure in the middle of a response. */
  readonly status: number;
  /** Whether the server described the failure as JSON. */
  readonly reported: boolean;

  constructor(status: number, reported: boolean, message: string) {
    super(message.split('\n', 1)[0]?.slice(0, 300) ?? '');
    this.name = 'AnswerFault';
    this.status = status;
    this.reported = reported;
  }
}

/** The message in the `error` of a response: OpenAI and llama.cpp send an object, others a string. */
export function errorText(error: unknown): string {
  if (typeof error === 'string') return error;
  const message = (error as { readonly message?: unknown } | null | undefined)?.message;
  return typeof message === 'string' ? message : JSON.stringify(error);
}
