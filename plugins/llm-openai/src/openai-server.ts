import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { KebabError } from '@kebab/core';
import { createParser } from 'eventsource-parser';
import { AnswerFault, errorText, openaiFailure } from './openai-failure.ts';
import type { LlmOpenaiConfig } from './llm-openai-config.ts';

/** One call; a GET if there is no body. */
export interface ServerCall {
  readonly operation: string;
  /** The path after `/v1`, such as `/models`. */
  readonly path: string;
  readonly body?: object;
  /** 0 for no limit. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** The maximum size of a response; a list of a thousand models takes a tenth of it. */
const MAX_ANSWER_BYTES = 4 * 2 ** 20;

type Values = AsyncGenerator<Readonly<Record<string, unknown>>>;

/** The maximum size of an event, which contains a few words and metadata. */
const MAX_EVENT_CHARS = 2 ** 20;

/**
 * A server with OpenAI's API. Calls use Node's HTTP client, one connection each, because the global `fetch` fails if the first byte takes
 * longer than 300 seconds. Nothing keeps running after a call, and every failure has a code.
 */
export class OpenaiServer {
  /** The base address for messages, without user name and password. */
  readonly endpoint: string;
  readonly #base: string;
  readonly #apiKey: string;
  readonly #model: string;

  constructor({ endpoint, apiKey, model }: Pick<LlmOpenaiConfig, 'endpoint' | 'apiKey' | 'model'>) {
    this.#base = endpoint.replace(/\/+$/, '').replace(/(\/v1)?$/, '/v1');
    const { protocol, host, pathname } = new URL(this.#base);
    this.endpoint = `${protocol}//${host}${pathname}`;
    this.#apiKey = apiKey;
    this.#model = model;
  }

  /** The values of a streamed answer. Leaving the loop makes the server stop. */
  stream(call: ServerCall): Values {
    return this.#call(call, async function* (answer) {
      if (!/event-stream/.test(answer.headers['content-type'] ?? ''))
        throw new AnswerFault(200, false, 'it sent no stream of events');
      yield* serverEvents(answer);
    });
  }

  /** The value of a non-streamed response. */
  async ask(call: ServerCall): Promise<Readonly<Record<string, unknown>>> {
    const values = this.#call(call, async function* (answer) {
      yield jsonOf(await textOf(answer), 200);
    });
    for await (const value of values) return value;
    throw new TypeError('an answer in one piece has one value');
  }

  /** The error for a complete but unusable response. */
  unusable(operation: string, cause: string): KebabError {
    const site = { endpoint: this.endpoint, model: this.#model, operation, aborted: false };
    return openaiFailure(new AnswerFault(200, false, cause), site);
  }

  async *#call(call: ServerCall, read: (answer: IncomingMessage) => Values): Values {
    const { operation, signal, timeoutMs } = call;
    const over = new AbortController();
    const limit = timeoutMs > 0 ? AbortSignal.timeout(timeoutMs) : undefined;
    const ends = [over.signal, signal, limit].filter((each) => each !== undefined);
    try {
      const answer = await this.#send(call, AbortSignal.any(ends));
      const { statusCode: status = 0 } = answer;
      if (status !== 200) throw this.#refusal(status, await textOf(answer));
      for await (const value of read(answer)) {
        if (value['error'] !== undefined) throw new AnswerFault(200, true, this.#masked(errorText(value['error'])));
        yield value;
      }
    } catch (error) {
      throw openaiFailure(error, {
        endpoint: this.endpoint,
        model: this.#model,
        operation,
        aborted: signal?.aborted === true,
        ...(limit?.aborted === true ? { passedMs: timeoutMs } : {}),
      });
    } finally {
      over.abort();
    }
  }

  #send({ path, body }: ServerCall, signal: AbortSignal): Promise<IncomingMessage> {
    const url = `${this.#base}${path}`;
    const method = body === undefined ? 'GET' : 'POST';
    const headers = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(this.#apiKey === '' ? {} : { authorization: `Bearer ${this.#apiKey}` }),
    };
    return new Promise((resolve, reject) => {
      const request = url.startsWith('https:') ? secureRequest : plainRequest;
      const sent = request(url, { method, headers, signal, agent: false });
      sent.on('response', resolve).on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  #refusal(status: number, text: string): AnswerFault {
    try {
      const { error, message } = jsonOf(text, status) as { readonly error?: unknown; readonly message?: unknown };
      return new AnswerFault(status, true, this.#masked(errorText(error ?? message ?? text)));
    } catch {
      return new AnswerFault(status, false, 'not in JSON');
    }
  }

  /** Removes the key from a text: some servers echo a key that they reject. */
  #masked(text: string): string {
    return this.#apiKey === '' ? text : text.replaceAll(this.#apiKey, '***');
  }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer) {
    size += (part as Buffer).length;
    if (size > MAX_ANSWER_BYTES)
      throw new AnswerFault(answer.statusCode ?? 0, false, 'it sent an answer that is far too long');
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString('utf8');
}

function jsonOf(text: string, status: number): Readonly<Record<string, unknown>> {
  const fault = new AnswerFault(status, false, 'it sent something that is not JSON');
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch {
    throw fault;
  }
  throw fault;
}

/**
 * The JSON values of a stream of server-sent events, up to `[DONE]`. Characters may be split between packets. Throws an {@link AnswerFault}
 * for an event that is not JSON or reports an error; the caller decides what a stream without `[DONE]` means.
 */
async function* serverEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<Readonly<Record<string, unknown>>> {
  for await (const data of eventData(body)) {
    if (data === '[DONE]') return;
    const value = parsed(data);
    if (value === undefined) throw new AnswerFault(200, false, 'it sent something that is not JSON');
    yield value;
  }
}

/** The data of each event; llama.cpp once sent errors in a field named `error`. */
async function* eventData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const arrived: string[] = [];
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARS,
    onEvent: ({ data }) => arrived.push(data),
    onError: ({ type, field, value }) => {
      isTooLong ||= type === 'max-buffer-size-exceeded';
      if (field === 'error') arrived.push(`{"error":${value ?? '""'}}`);
    },
  });
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    if (isTooLong) throw new AnswerFault(200, false, 'it sent a part that is far too long');
    yield* arrived.splice(0);
  }
  // Some servers close the connection without the empty line that ends the last event.
  parser.feed(`${decoder.decode()}\n\n`);
  yield* arrived;
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
