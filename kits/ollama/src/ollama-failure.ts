import { STATUS_CODES } from 'node:http';
import { ReadableStream as WebStream } from 'node:stream/web';
import { KebabError, isKebabError, networkCause, networkRemedy, retryAfterMs, type ServerAnswer } from '@kebab/core';

/** The context of a call, for errors. */
export interface CallSite {
  /** Address of the server, without user name and password. */
  readonly endpoint: string;
  readonly model: string;
  /** The operation: `generate`, `embed`, … */
  readonly operation: string;
  /** The keys of the configuration that name the server and the model, for hints. */
  readonly keys: { readonly endpoint: string; readonly model: string };
  readonly hasKey: boolean;
  /** Never shown: some servers echo a key or a password that they reject. */
  readonly secrets: readonly string[];
}

/** Converts the failure of a call to an error of kebab; `passedMs` is the limit that expired, if one did. */
export function ollamaFailure(error: unknown, site: CallSite, passedMs?: number): KebabError {
  const { operation, model, endpoint, keys } = site;
  if (passedMs !== undefined) {
    const setting = keys.endpoint.replace(/[^.]*$/, 'timeout_s');
    const message = `${operation} with ${model} at ${endpoint} took longer than ${passedMs} ms, the limit of ${setting}`;
    return new KebabError('timeout', message, { details: { operation, after_ms: passedMs } });
  }
  if (isKebabError(error)) return error;
  return error instanceof AnswerFault
    ? answerFailure(error.masked(site.secrets), site)
    : unreachable(site, networkCause(error), { hint: networkRemedy(error, site.keys.endpoint), error });
}

/** Whether a call failed because a text does not fit into the window of the model; servers differ in status and message. */
export function isTooLong(error: unknown): boolean {
  return TOO_LONG.test(refusalOf(error)?.message ?? '');
}

const TOO_LONG = /context (length|size|window)|input (length|is too)|too (long|large)/i;

/** Whether a server refused to be told whether a model thinks. */
export function refusesThink(error: unknown): boolean {
  const { status, message } = refusalOf(error) ?? {};
  return status === 400 && /\bthink(?:ing)?\b/i.test(message ?? '');
}

/** What a server said with a status other than 200. */
function refusalOf(error: unknown): AnswerFault | undefined {
  const fault = isKebabError(error) ? error.cause : undefined;
  return fault instanceof AnswerFault && fault.kind === 'refused' ? fault : undefined;
}

/** The error for an unusable server. */
export function unreachable(
  { endpoint, model, keys }: CallSite,
  cause: string,
  { hint, error }: { readonly hint?: string | undefined; readonly error?: unknown } = {},
): KebabError<'model_unreachable'> {
  return new KebabError('model_unreachable', `Ollama at ${endpoint} cannot be used: ${cause}`, {
    details: { endpoint, model, cause },
    cause: error,
    hint: hint ?? startHint(endpoint, keys.endpoint),
  });
}

const LOG = 'look at the log of the server, then try again';

function answerFailure(fault: AnswerFault, site: CallSite): KebabError {
  const { kind, status, message } = fault;
  const failed = (cause: string, hint: string): KebabError => unreachable(site, cause, { hint, error: fault });
  if (kind === 'broken') return failed(message, LOG);
  const cause = status === 200 ? message : `it answered ${status}: ${message}`;
  if (kind === 'garbled') return failed(cause, addressHint(site));
  if (isUnknownPath(fault)) return failed(cause, addressHint(site));
  if (status === 404) return notPulled(site, fault);
  if (status === 401 || status === 403) return failed(cause, keyHint(site));
  const isAboutFormat = /\b(?:grammar|format|schema)\b/i.test(message);
  if (isBusy(status) || (status >= 500 && !isAboutFormat)) return failed(cause, retryHint(fault, site.keys.model));
  return refused(fault, site);
}

/** Whether a server does not know the path of a request, as opposed to its model. */
export function isUnknownPath(error: unknown): boolean {
  if (!(error instanceof AnswerFault)) return false;
  return error.status === 405 || (error.status === 404 && !/model/i.test(error.message));
}

function isBusy(status: number): boolean {
  return status === 408 || status === 429 || status === 503;
}

function retryHint({ status, message, waitMs }: AnswerFault, model: string): string {
  if (waitMs !== null) return `ask again in ${Math.ceil(waitMs / 1000)} seconds`;
  if (isBusy(status)) return 'wait a minute, then ask again';
  return /\bmemory\b/i.test(message) ? `name a smaller model in ${model}` : LOG;
}

function addressHint({ endpoint, keys }: CallSite): string {
  const other = 'for a server with the API of OpenAI, set models.llm.provider to openai';
  const hint = `check that Ollama answers at ${endpoint} (${keys.endpoint})`;
  return keys.endpoint === 'models.llm.endpoint' ? `${hint}; ${other}` : hint;
}

function keyHint({ hasKey, secrets, keys }: CallSite): string {
  if (!hasKey && secrets.length > 0)
    return `check user and password in ${keys.endpoint}: the server does not accept them`;
  if (hasKey) return 'check models.llm.api_key: the server does not accept this API key';
  return keys.endpoint === 'models.llm.endpoint'
    ? 'set models.llm.api_key, the API key of this server'
    : `set models.llm.api_key, which is sent where models.llm.endpoint and ${keys.endpoint} are one server`;
}

/** The error for a request that the server rejects, with a hint that fits what it says. */
function refused(fault: AnswerFault, { model, operation, keys }: CallSite): KebabError<'invalid_input'> {
  const { message } = fault;
  const [field, hint] =
    fault.status === 413 || TOO_LONG.test(message)
      ? [
          'models.llm.context_tokens',
          'lower models.llm.context_tokens to the window of the model, or rag.max_context_tokens',
        ]
      : /does not support|not capable|capabilit/i.test(message)
        ? [
            keys.model,
            `\`ollama show ${model}\` lists what the model can do; name one in ${keys.model} that can do this`,
          ]
        : [
            keys.model,
            `the server says what it does not accept; \`ollama show ${model}\` shows the model of ${keys.model}`,
          ];
  return new KebabError('invalid_input', `Ollama refused ${operation} with ${model} (${fault.status}): ${message}`, {
    details: { field, value: model, allowed: null, suggestion: null },
    hint,
    cause: fault,
  });
}

function notPulled({ model, endpoint }: CallSite, cause: unknown): KebabError<'model_not_pulled'> {
  return new KebabError('model_not_pulled', `Ollama at ${endpoint} has no model "${model}"`, {
    details: { model, provider: 'ollama' },
    hint: `fetch it with \`ollama pull ${model}\``,
    cause,
  });
}

function startHint(endpoint: string, key: string): string {
  return /^https?:\/\/(localhost|127\.|\[::1\])/.test(endpoint)
    ? 'start the server with `ollama serve` (https://ollama.com), then run `kebab doctor`'
    : `start the server there (\`ollama serve\`) or correct ${key}, then run \`kebab doctor\``;
}

/** The maximum size of a response; the vectors of a batch take a tenth of it. */
const MAX_ANSWER_BYTES = 64 * 2 ** 20;
/** The maximum length of a line, which is a part of an answer or an error. */
const MAX_LINE_CHARS = 2 ** 20;

/**
 * Passes only responses to the client that it handles correctly. With others it would print to stdout or stderr, skip lines, or throw
 * untyped errors; here they become an {@link AnswerFault}. In a stream every line is JSON, none reports an error, and the last one is
 * marked as done. The size of a response is bounded, and so is each line of a stream.
 */
export async function checkedAnswer(answer: ServerAnswer, isStream: boolean): Promise<Response> {
  const { status, body } = answer;
  if (status < 200 || status > 299) throw await refusal(answer);
  if (isStream) return new Response(WebStream.from(checkedLines(body, status)));
  const text = await boundedText(answer, MAX_ANSWER_BYTES);
  const value = parsed(text);
  if (typeof value !== 'object' || value === null) throw notJson(status);
  return new Response(text);
}

async function refusal(answer: ServerAnswer): Promise<AnswerFault> {
  const { status } = answer;
  const value = parsed(await boundedText(answer, MAX_LINE_CHARS));
  const { error, message } = (value ?? {}) as { readonly error?: unknown; readonly message?: unknown };
  const said = (error as { readonly message?: unknown } | null | undefined)?.message ?? error ?? message;
  const waitMs = retryAfterMs(answer);
  if (typeof said === 'string' && said !== '') return new AnswerFault('refused', status, said, waitMs);
  const text = STATUS_CODES[status] ?? 'it gave no reason';
  const isFromProxy = [401, 403, 413, 429].includes(status); // such as the page of a proxy that wants a key
  return isFromProxy ? new AnswerFault('refused', status, text, waitMs) : new AnswerFault('garbled', status, text);
}

async function* checkedLines(body: ServerAnswer['body'], status: number): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let complete = false;
  for await (const line of linesOf(body, status)) {
    const value = parsed(line);
    if (typeof value !== 'object' || value === null) throw notJson(status);
    const { error, done } = value as Readonly<Record<string, unknown>>;
    if (error !== undefined) throw new AnswerFault('broken', status, `it reported: ${textOf(error)}`);
    complete = done === true;
    yield encoder.encode(`${line}\n`);
  }
  if (!complete) throw new AnswerFault('broken', status, 'the answer ended before its last line');
}

/** Yields non-blank lines of text; characters may be split between packets. */
async function* linesOf(body: ServerAnswer['body'], status: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun: string[] = []; // pieces of an incomplete line, joined once, since a line may arrive in a thousand packets
  let length = 0;
  for await (const bytes of body) {
    const [first = '', ...others] = decoder.decode(bytes, { stream: true }).split('\n');
    begun.push(first);
    length += first.length;
    if (length > MAX_LINE_CHARS) throw tooLong(status);
    for (const next of others) {
      const line = begun.join('');
      begun = [next];
      length = next.length;
      if (line.trim() !== '') yield line;
    }
  }
  const rest = begun.join('') + decoder.decode();
  if (rest.trim() !== '') yield rest;
}

async function boundedText({ body, status }: ServerAnswer, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.byteLength;
    if (size > maxBytes) throw tooLong(status);
    parts.push(part);
  }
  return new TextDecoder().decode(Buffer.concat(parts));
}

function tooLong(status: number): AnswerFault {
  return new AnswerFault('garbled', status, 'it sent an answer that is far too long');
}

function textOf(error: unknown): string {
  return typeof error === 'string' ? error : JSON.stringify(error);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function notJson(status: number): AnswerFault {
  return new AnswerFault('garbled', status, 'it sent something that is not JSON');
}

/** The problem with a response of the server. */
type FaultKind =
  /** A status other than 200; `status` says which. */
  | 'refused'
  /** A line, or the whole answer, is not JSON. */
  | 'garbled'
  /** The answer ended before its last line, or with the error that the server reported there. */
  | 'broken';

/** A failure reported in a response of the server, as opposed to a broken connection. */
export class AnswerFault extends Error {
  readonly kind: FaultKind;
  /** The HTTP status of the answer. */
  readonly status: number;
  /** How long the server asks to wait; null if it does not say. */
  readonly waitMs: number | null;

  constructor(kind: FaultKind, status: number, message: string, waitMs: number | null = null) {
    super(message.split('\n', 1)[0]?.slice(0, 300) ?? '');
    this.name = 'AnswerFault';
    this.kind = kind;
    this.status = status;
    this.waitMs = waitMs;
  }

  /** The same failure without secrets. */
  masked(secrets: readonly string[]): AnswerFault {
    const message = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), this.message);
    return new AnswerFault(this.kind, this.status, message, this.waitMs);
  }
}
