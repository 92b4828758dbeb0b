import type { AbortOptions } from '@kebab/core';
import type { ChatRequest, ChatResponse, EmbedRequest, Ollama } from 'ollama';
import { AnswerFault } from './answer-fault.ts';
import { CallWatch } from './call-watch.ts';
import { checkedAnswer } from './checked-answer.ts';
import { endpointLabel } from './endpoint-label.ts';
import { httpFetch } from './http-fetch.ts';
import { modelFacts, type ModelFacts } from './model-facts.ts';
import { ollamaFailure, type CallSite } from './ollama-failure.ts';
import { PROBE_LIMITS, type TimeLimits } from './time-limits.ts';

/** Which model of which server is meant. */
export interface OllamaServerOptions {
  /** `http://…` or `https://…`, with or without a path in front of `/api`. */
  readonly endpoint: string;
  readonly model: string;
  readonly limits: TimeLimits;
  /** The keys of the configuration that name the server and the model, for hints. */
  readonly keys: CallSite['keys'];
}

/** A chat without what the server knows already. */
export type ChatCall = Omit<ChatRequest, 'model' | 'stream'>;

/** A piece of an answer, or its last part. */
export type ChatPart = ChatResponse;

/** A batch of texts without what the server knows already. */
export type EmbedCall = Omit<EmbedRequest, 'model'>;

/**
 * One model on an Ollama server. It prints nothing, leaves nothing running, and every call fails with a code: `model_unreachable`
 * (nobody there, a broken connection, an answer that cannot be used), `model_not_pulled`, `timeout`, `invalid_input` for what
 * the server refuses, and `cancelled` when the signal has fired.
 */
export class OllamaServer {
  /** Address of the server, without user name and password. */
  readonly endpoint: string;
  readonly model: string;
  readonly #options: OllamaServerOptions;

  constructor(options: OllamaServerOptions) {
    this.#options = options;
    this.endpoint = endpointLabel(options.endpoint);
    this.model = options.model;
  }

  /** Where calls of an operation go, for errors that the caller finds. */
  site(operation: string): CallSite {
    return { endpoint: this.endpoint, model: this.model, operation, keys: this.#options.keys };
  }

  /** The parts of an answer, the last one with `done: true`. Leaving the loop makes the server stop. */
  async *chat(call: ChatCall, { signal }: AbortOptions = {}): AsyncGenerator<ChatPart> {
    const watch = new CallWatch(this.#options.limits, signal);
    try {
      const client = await this.#client(watch);
      for await (const part of await client.chat({ ...call, model: this.model, stream: true })) {
        watch.heard();
        yield checkedPart(part);
      }
    } catch (error) {
      throw ollamaFailure(error, this.site('generate'), watch.givenUp);
    } finally {
      watch.end();
    }
  }

  /** What the server made of a batch: one vector a text, as it sent them. */
  async embed(call: EmbedCall, { signal }: AbortOptions = {}): Promise<readonly unknown[]> {
    const answer = await this.#ask('embed', this.#options.limits, signal, (client) =>
      client.embed({ ...call, model: this.model }),
    );
    const embeddings: unknown = answer.embeddings;
    return Array.isArray(embeddings) ? embeddings : [];
  }

  /**
   * Asks whether the server is there and has the model, and what it tells about it. Throws what a call would throw, but does not
   * wait for the model to be loaded.
   */
  async probe({ signal }: AbortOptions = {}): Promise<ModelFacts> {
    return this.#ask('probe', PROBE_LIMITS, signal, async (client) => {
      const shown = await client.show({ model: this.model });
      return modelFacts(this.model, shown, await client.list());
    });
  }

  async #ask<T>(
    operation: string,
    limits: TimeLimits,
    signal: AbortSignal | undefined,
    use: (client: Ollama) => Promise<T>,
  ): Promise<T> {
    const watch = new CallWatch(limits, signal);
    try {
      return await use(await this.#client(watch));
    } catch (error) {
      throw ollamaFailure(error, this.site(operation), watch.givenUp);
    } finally {
      watch.end();
    }
  }

  /** A client for one call: the watch takes the place of the client's own signal, which nobody fires. */
  async #client(watch: CallWatch): Promise<Ollama> {
    const { Ollama: Client } = await import('ollama');
    return new Client({
      host: this.#options.endpoint,
      fetch: async (url, { method = 'GET', headers, body } = {}) =>
        checkedAnswer(
          await httpFetch(url as string, {
            method,
            headers: headers as Readonly<Record<string, string>>, // the client always hands over texts and plain objects
            ...(typeof body === 'string' ? { body } : {}),
            signal: watch.signal,
            onConnect: () => watch.connected(),
          }),
        ),
    });
  }
}

/** Whatever a server sends as a part, its message is a text; one without a message is none. */
function checkedPart(part: ChatPart): ChatPart {
  const message: unknown = part.message;
  if (typeof message !== 'object' || message === null)
    throw new AnswerFault('garbled', 200, 'it sent a part of an answer without a message');
  const { content } = message as { readonly content?: unknown };
  return typeof content === 'string' ? part : { ...part, message: { ...part.message, content: '' } };
}
