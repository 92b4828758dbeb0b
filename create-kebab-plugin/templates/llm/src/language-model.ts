import { KebabError, type GenerateRequest, type LanguageModel, type TokenChunk } from '@kebab/plugin';
import { linesOf } from './lines-of.ts';

/** The settings of a user. */
export interface Settings {
  readonly endpoint: string;
  readonly model: string;
  readonly contextTokens: number;
  readonly timeoutS: number;
}

/** A line of the server, one JSON object per line: tokens, then the end reason. */
type ServerLine =
  | { readonly token: string }
  | { readonly done: 'stop' | 'length'; readonly prompt_tokens: number; readonly completion_tokens: number };

/** Creates the model: `POST <endpoint>/generate`, answered by a stream of JSON lines. */
export function createModel(settings: Settings, fetchFrom: typeof fetch): LanguageModel {
  return {
    id: '{{id}}',
    version: '1',
    model: { id: settings.model, provider: '{{id}}' },
    contextTokens: settings.contextTokens,
    fingerprint: () => settings.model,
    generate: (request, { signal = new AbortController().signal } = {}) =>
      answer(request, { settings, fetchFrom, signal }),
    health: async () => {
      try {
        await fetchFrom(settings.endpoint);
        return null;
      } catch (error) {
        return { problem: `${settings.endpoint} does not answer (${messageOf(error)})`, remedy: 'start the server' };
      }
    },
  };
}

interface Call {
  readonly settings: Settings;
  readonly fetchFrom: typeof fetch;
  readonly signal: AbortSignal;
}

/** Failures before the first token are thrown; later ones end the stream. */
async function* answer(request: GenerateRequest, call: Call): AsyncGenerator<TokenChunk> {
  const usage = { promptTokens: 0, completionTokens: 0 };
  const ended = new AbortController(); // also ends the request when the consumer stops reading
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    ended.abort();
  }, call.settings.timeoutS * 1000);
  const onAbort = (): void => ended.abort();
  call.signal.addEventListener('abort', onAbort, { once: true });
  let began = false;
  try {
    if (call.signal.aborted) return yield { kind: 'done', finishReason: 'aborted', usage };
    for await (const line of linesOf(await post(request, call, ended.signal))) {
      const read = JSON.parse(line) as ServerLine;
      clearTimeout(timer);
      if ('done' in read) {
        const counted = { promptTokens: read.prompt_tokens, completionTokens: read.completion_tokens };
        return yield { kind: 'done', finishReason: read.done, usage: counted };
      }
      began = true;
      usage.completionTokens++;
      yield { kind: 'token', token: read.token };
    }
    throw new Error('the stream broke off');
  } catch (error) {
    if (call.signal.aborted) return yield { kind: 'done', finishReason: 'aborted', usage };
    if (began) return yield { kind: 'done', finishReason: 'error', error: messageOf(error), usage };
    throw failureOf(error, call.settings, late);
  } finally {
    clearTimeout(timer);
    call.signal.removeEventListener('abort', onAbort);
    ended.abort();
  }
}

async function post(
  { messages, stop, maxTokens, temperature, seed }: GenerateRequest,
  { settings: { endpoint, model }, fetchFrom }: Call,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const response = await fetchFrom(new URL('generate', `${endpoint}/`), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages, stop, max_tokens: maxTokens, temperature, seed }),
    signal,
  });
  if (response.status === 404)
    throw new KebabError('model_not_pulled', `the server at ${endpoint} has no model "${model}"`, {
      details: { model, provider: '{{id}}' },
    });
  if (!response.ok || response.body === null) throw new Error(`the server answered ${response.status}`);
  return response.body;
}

function failureOf(error: unknown, { endpoint, model, timeoutS }: Settings, late: boolean): Error {
  if (error instanceof KebabError) return error;
  if (late)
    return new KebabError('timeout', `${model} wrote nothing within ${timeoutS} s`, {
      details: { operation: 'generate', after_ms: timeoutS * 1000 },
      cause: error,
    });
  const cause = messageOf(error);
  return new KebabError('model_unreachable', `${model} at ${endpoint} cannot be reached: ${cause}`, {
    details: { endpoint, model, cause },
    cause: error,
  });
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0] ?? '';
}
