import { KebabError, cancelled, isKebabError, networkCause, networkRemedy } from '@kebab/core';

/** The context of a failed call. */
export interface CallSite {
  /** The base address of the server, without user name, password and query. */
  readonly endpoint: string;
  /** The address that was asked, likewise. */
  readonly address: string;
  readonly model: string;
  /** The configured size of the context. */
  readonly contextTokens: number;
  readonly hasKey: boolean;
  /** Whether the address has a user. */
  readonly hasUser: boolean;
  /** The operation: `generate`, `probe`. */
  readonly operation: string;
  /** The expired timeout in milliseconds; undefined if none. */
  readonly passedMs?: number;
  readonly aborted: boolean;
}

const KEY = 'models.llm.endpoint';
const RETRY = 'look at the log of the server, then try again';
const SMALLER = 'name a smaller model in models.llm.model, or lower models.llm.context_tokens';
/** What an answer is that begins with a tag. */
export const WEB_PAGE = 'it sent a web page';

/** Converts the failure of a call to an error of kebab. */
export function openaiFailure(error: unknown, site: CallSite): KebabError {
  const { endpoint, model, operation, passedMs, aborted } = site;
  if (aborted) return cancelled(operation);
  if (passedMs !== undefined) {
    const message = `${operation} with ${model} at ${endpoint} took longer than ${passedMs} ms, the limit of models.llm.timeout_s`;
    return new KebabError('timeout', message, { details: { operation, after_ms: passedMs } });
  }
  if (isKebabError(error)) return error;
  if (error instanceof AnswerFault) return answerFailure(error, site);
  const start = `start the server, or correct ${KEY} (it is ${endpoint}), then run \`kebab doctor\``;
  const tls = endpoint.startsWith('https:') ? '' : '; a server that wants TLS begins with https://';
  const cause = networkCause(error);
  const hint = networkRemedy(error, KEY) ?? start + (/broke off/.test(cause) ? tls : '');
  return unreachable(site, cause, { hint, error });
}

/** The error for a server that does not have the model. */
export function notThere({ endpoint, model }: Pick<CallSite, 'endpoint' | 'model'>, cause?: unknown): KebabError {
  return new KebabError('model_not_pulled', `the server at ${endpoint} has no model "${model}"`, {
    details: { model, provider: 'openai' },
    hint: `load it on the server, or name in models.llm.model one that ${endpoint}/models lists`,
    cause,
  });
}

const NO_MODEL =
  /\bmodels?\b[^.]{0,100}\b(?:not (?:be )?(?:found|exist)|does(?:n't| not) exist|is not available)|\b(?:unknown|invalid|no such) model\b|model_not_found/i;
const NO_CREDIT = /insufficient[_ ](?:quota|balance|credits?)|exceeded your current quota|billing|payment/i;
const TOO_LONG =
  /context[_ ](?:length|window|size)|tokens \+ .{0,3}max_new_tokens|too many (?:input )?tokens|(?:prompt|input|request) (?:is|was)? ?too (?:long|large)|reduce the length|max(?:imum)? (?:sequence|input|prompt|model) length/i;
const LIMIT = /max_(?:completion_|new_|output_)?tokens|completion tokens/i;

/** Converts a refusal by what the server says. */
function answerFailure(fault: AnswerFault, site: CallSite): KebabError {
  const { status, isReported, message, waitMs } = fault;
  const error = fault;
  const said = `${fault.reason} ${message}`;
  const retry = /\bmemory\b/i.test(said) ? SMALLER : RETRY;
  if (status === 413 || (isReported && TOO_LONG.test(said)) || refusesSchema(fault)) return refused(fault, site);
  if (status === 200) {
    const hint = message === WEB_PAGE ? addressHint(site) : retry;
    return unreachable(site, isReported ? `it reported: ${message}` : message, { hint, error });
  }
  const cause = `it answered ${status}: ${message}`;
  if (status === 401 || status === 403) return unreachable(site, cause, { hint: keyHint(site), error });
  if (status < 500 && isReported && NO_MODEL.test(said)) return notThere(site, fault);
  if (status === 402 || NO_CREDIT.test(said)) {
    const hint = 'the account of models.llm.api_key has no credit left: top it up, or use another server';
    return unreachable(site, cause, { hint, error });
  }
  if (BUSY.has(status)) return unreachable(site, `${cause}${waitOf(waitMs)}`, { hint: waitHint(waitMs), error });
  if (status >= 500 || status === 408)
    return unreachable(site, `${cause}${waitOf(waitMs)}`, { hint: waitMs === null ? retry : waitHint(waitMs), error });
  if (isReported && status !== 404 && status !== 405) return refused(fault, site);
  return unreachable(site, `${site.address} answered ${status}: ${message}`, { hint: addressHint(site, fault), error });
}

/** Too many requests, a model that is loading, and too many users. */
const BUSY: ReadonlySet<number> = new Set([429, 503, 529]);

function keyHint({ hasKey, hasUser }: CallSite): string {
  if (hasKey) return 'check models.llm.api_key: the server does not accept this API key';
  if (hasUser) return `check user and password in ${KEY}: the server does not accept them`;
  return 'set models.llm.api_key, the API key of this server';
}

/** A server that explains a 404 may lack the model instead. */
function addressHint({ endpoint, model }: CallSite, fault?: AnswerFault): string {
  const api = 'the address of an OpenAI-compatible API';
  if (!/\/v\d|\/deployments\//.test(endpoint))
    return `check ${KEY}: it must be ${api}, such as ${endpoint.replace(/\/api$/, '')}/v1`;
  if (fault?.isReported !== true) return `check ${KEY}: ${endpoint} must be ${api}`;
  return `check ${KEY} (${endpoint} must be ${api}), and that the server has the model ${model}`;
}

function waitOf(waitMs: number | null): string {
  return waitMs === null ? '' : `; it asks to wait ${seconds(waitMs)}`;
}

function waitHint(waitMs: number | null): string {
  return waitMs === null ? 'wait a minute, then ask again' : `ask again in ${seconds(waitMs)}`;
}

function seconds(ms: number): string {
  const count = Math.ceil(ms / 1000);
  return count === 1 ? '1 second' : `${count} seconds`;
}

/** The error for a request that the server rejects. */
function refused(fault: AnswerFault, { endpoint, model, operation, contextTokens }: CallSite): KebabError {
  const { message, status } = fault;
  const said = `${fault.reason} ${message}`;
  const [field, value, hint] =
    status === 413 || TOO_LONG.test(said)
      ? ([
          'models.llm.context_tokens',
          String(contextTokens),
          `set models.llm.context_tokens (it is ${contextTokens}) to ${windowIn(said)}, or lower rag.max_context_tokens`,
        ] as const)
      : LIMIT.test(said)
        ? (['rag.max_answer_tokens', '', 'lower rag.max_answer_tokens to what the server allows'] as const)
        : ([
            'models.llm.model',
            model,
            'the server says what it does not accept; `kebab config show` lists the settings below models.llm',
          ] as const);
  return new KebabError('invalid_input', `${endpoint} refused ${operation} with ${model} (${status}): ${message}`, {
    details: { field, value, allowed: null, suggestion: null },
    hint,
    cause: fault,
  });
}

/** The window that a refusal names. */
function windowIn(text: string): string {
  const named = (/n_ctx\W{0,4}(\d{3,9})/i.exec(text) ??
    /(?:context (?:length|window|size)|length|limit|<=)\D{0,30}(\d[\d,]{2,9})/i.exec(text))?.[1];
  return named === undefined ? 'the window of the model' : named.replaceAll(',', '');
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

/** Whether a server refused the form of the answer rather than anything else. */
export function refusesSchema({ status, parameters, message }: AnswerFault): boolean {
  return (
    [400, 404, 422, 500, 501].includes(status) &&
    /response_format|json_schema|schema|grammar|structured|guided|requested parameters/i.test(
      [...parameters, message].join(' '),
    )
  );
}

/** What a server said about a failure. */
interface FaultInit {
  /** The HTTP status; 200, the default, for a failure in the middle of a response. */
  readonly status?: number;
  /** Whether the server described the failure as JSON. */
  readonly isReported?: boolean;
  readonly message: string;
  /** The code and type of the failure, as the server names them. */
  readonly reason?: string;
  /** The parameters of the request that the server complains about. */
  readonly parameters?: readonly string[];
  /** How long the server asks to wait. */
  readonly waitMs?: number | null;
}

/** A failure reported in a response of the server, as opposed to a broken connection. */
export class AnswerFault extends Error implements Required<FaultInit> {
  readonly status: number;
  readonly isReported: boolean;
  readonly reason: string;
  readonly parameters: readonly string[];
  readonly waitMs: number | null;

  constructor({ status = 200, isReported = false, message, ...more }: FaultInit) {
    super(message.trim().split('\n', 1)[0]?.slice(0, 300) ?? '');
    this.name = 'AnswerFault';
    this.status = status;
    this.isReported = isReported;
    this.reason = more.reason ?? '';
    this.parameters = more.parameters ?? [];
    this.waitMs = more.waitMs ?? null;
  }
}

/** Whether a value reports a failure instead of an answer or a list: some servers and gateways do so with a status of 200. */
export function isRefusal(value: Readonly<Record<string, unknown>>): boolean {
  const { error, errors, object, choices, usage, data, models, detail, message, msg } = value;
  const all = errors ?? [];
  if ((error ?? null) !== null || !(Array.isArray(all) && all.length === 0) || object === 'error') return true;
  const isAnswer = (choices ?? usage ?? null) !== null || Array.isArray(data) || Array.isArray(models);
  return !isAnswer && (detail ?? message ?? msg ?? null) !== null;
}

/**
 * What a refusal says: OpenAI and llama.cpp send an object in `error`, Google a list of them, others a text; FastAPI lists what is wrong
 * with each parameter in `detail`. A `status` is a code that is one.
 */
export function refusalIn(
  body: Readonly<Record<string, unknown>>,
): Pick<FaultInit, 'message' | 'reason' | 'parameters' | 'status'> {
  const whole = (Array.isArray(body) ? body[0] : body) as Readonly<Record<string, unknown>> | undefined;
  const { detail, errors, message, msg } = whole ?? {};
  if (Array.isArray(detail)) {
    const issues = detail.map((issue) => (issue ?? {}) as { readonly loc?: unknown; readonly msg?: unknown });
    const names = issues.map(({ loc }) =>
      Array.isArray(loc) ? String(loc.find((part) => part !== 'body') ?? '') : '',
    );
    const texts = issues.map((issue, at) =>
      [names[at], typeof issue.msg === 'string' ? issue.msg : 'is wrong'].join(': '),
    );
    return { message: texts.join('; '), parameters: names.filter((name) => name !== '') };
  }
  const error = whole?.['error'] ?? (Array.isArray(errors) ? (errors[0] as unknown) : undefined) ?? message ?? msg;
  const { code, type, param, n_ctx } = (typeof error === 'object' && error !== null ? error : (whole ?? {})) as {
    readonly [member: string]: unknown;
  };
  const window = typeof n_ctx === 'number' ? `n_ctx ${n_ctx}` : undefined;
  return {
    message: errorText(error ?? detail ?? body),
    reason: [code, type, window].filter((part) => typeof part === 'string').join(' '),
    parameters: typeof param === 'string' && param !== '' ? [param] : [],
    ...(Number(code) >= 400 && Number(code) < 600 ? { status: Number(code) } : {}),
  };
}

/** The message in the `error` of a response: OpenAI and llama.cpp send an object, others a string; OpenRouter adds what its provider said. */
function errorText(error: unknown): string {
  if (typeof error === 'string') return error;
  const { message, metadata } = (error ?? {}) as { readonly message?: unknown; readonly metadata?: unknown };
  const { raw } = (metadata ?? {}) as { readonly raw?: unknown };
  if (typeof message !== 'string') return JSON.stringify(error);
  return typeof raw === 'string' && raw !== '' ? `${message}: ${raw}` : message;
}
