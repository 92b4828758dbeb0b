import type { ServerResponse } from 'node:http';
import { isKebabError, type GenerateRequest } from '@kebab/core';
import { startLoopbackServer } from '@kebab/testing';
import { OllamaServer } from '@kebab/ollama-kit';
import { afterEach, describe, expect, it } from 'vitest';
import { OllamaLanguageModel } from '../src/ollama-language-model.ts';

const SECRET = 'sk-cloud-42';
const REQUEST: GenerateRequest = {
  messages: [{ role: 'user', text: 'why?' }],
  stop: [],
  maxTokens: 64,
  temperature: 0,
};

/** A chat request as a scripted server receives it; null for questions about the server. */
type Chat = { readonly think?: boolean; readonly key: string | undefined } | null;
type Script = (chat: Chat, response: ServerResponse) => unknown;

let close: (() => Promise<void>) | undefined;
afterEach(() => close?.());

const lines = (...values: readonly object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const END = { message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' };
const json = (response: ServerResponse, status: number, value: unknown, headers = {}): unknown =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
const says = (response: ServerResponse, ...messages: readonly object[]): unknown =>
  response
    .writeHead(200, { 'content-type': 'application/x-ndjson' })
    .end(lines(...messages.map((message) => ({ message: { role: 'assistant', content: '', ...message } })), END));

/** A model that thinks, on a scripted server below a path. */
async function modelOn(script: Script, { path = '', apiKey = SECRET } = {}) {
  const chats: Chat[] = [];
  const server = await startLoopbackServer(async (request, response): Promise<void> => {
    let text = '';
    for await (const part of request) text += String(part);
    if (request.url === '/api/tags')
      return void json(response, 200, { models: [{ name: 'tiny:latest', digest: 'd' }] });
    if (request.url === '/api/show') return void json(response, 200, { capabilities: ['completion', 'thinking'] });
    if (request.url !== '/api/chat') return void json(response, 404, { error: `no route ${request.url}` });
    const chat = { ...(JSON.parse(text) as { readonly think?: boolean }), key: request.headers.authorization };
    chats.push(chat);
    await script(chat, response);
  });
  ({ close } = server);
  const endpoint = `${server.url}${path}`;
  const keys = { endpoint: 'models.llm.endpoint', model: 'models.llm.model' };
  const at = new OllamaServer({ endpoint, model: 'tiny', timeoutMs: 0, apiKey, keys });
  return { model: new OllamaLanguageModel(at, null, { contextTokens: 4096, keepAlive: '' }), chats };
}

async function generated(model: OllamaLanguageModel) {
  let text = '';
  for await (const chunk of model.generate(REQUEST)) {
    if (chunk.kind === 'done') return { text, instead: chunk.instead };
    text += chunk.token;
  }
  throw new Error('the answer has no end');
}

async function failure(script: Script, options: { readonly apiKey?: string } = {}): Promise<string> {
  try {
    await generated((await modelOn(script, options)).model);
  } catch (error) {
    if (isKebabError(error)) return `${error.code}: ${error.message} / ${error.hint}`;
    throw error;
  }
  throw new Error('nothing failed');
}

describe('an Ollama server as people run it', () => {
  it('receives the key as a bearer token, and no header without one', async () => {
    for (const [apiKey, sent] of [
      [SECRET, `Bearer ${SECRET}`],
      ['', undefined],
    ] as const) {
      const { model, chats } = await modelOn((_, response) => says(response, { content: 'yes' }), { apiKey });
      expect((await generated(model)).text).toBe('yes');
      expect(chats.map((chat) => chat?.key)).toEqual([sent]);
      await close?.();
    }
  });

  it('is not told twice that the model is not to think, once it has refused that', async () => {
    const { model, chats } = await modelOn((chat, response) =>
      chat?.think === undefined
        ? says(response, { content: 'yes' })
        : json(response, 400, { error: 'think value "false" is not supported for this model' }),
    );
    expect((await generated(model)).text).toBe('yes');
    expect((await generated(model)).text).toBe('yes');
    expect(chats.map((chat) => chat?.think)).toEqual([false, undefined, undefined]);
  });

  it.each([
    ['thoughts', { thinking: 'hm' }, 'reasoning'],
    ['calls of tools', { tool_calls: [{ function: { name: 'f', arguments: {} } }] }, 'tool_calls'],
    ['nothing', {}, undefined],
  ])('says what it wrote instead of text: %s', async (_, message, instead) => {
    const { model } = await modelOn((__, response) => says(response, message));
    expect(await generated(model)).toEqual({ text: '', instead });
  });

  it.each(['/', '/api', '/api/', '/api/chat', '/v1'])('is found below a pasted %s', async (path) => {
    const { model } = await modelOn((_, response) => says(response, { content: 'yes' }), { path });
    expect((await generated(model)).text).toBe('yes');
  });

  it.each<[string, Script, RegExp]>([
    [
      'a rejected key',
      (_, response) => json(response, 401, { error: `invalid key ${SECRET}` }),
      /401: invalid key \*\*\* \/ check models\.llm\.api_key/,
    ],
    [
      'the page of a proxy',
      (_, response) => response.writeHead(403).end('<html>'),
      /403: Forbidden \/ check models\.llm\.api_key/,
    ],
    [
      'an error in an object',
      (_, response) => json(response, 400, { error: { message: 'bad option' } }),
      /invalid_input: .*bad option/,
    ],
    [
      'a window',
      (_, response) => json(response, 400, { error: 'input exceeds the context length' }),
      /lower models\.llm\.context_tokens/,
    ],
    [
      'a missing ability',
      (_, response) => json(response, 400, { error: '"tiny" does not support chat' }),
      /ollama show tiny/,
    ],
    [
      'the page of a proxy with a limit',
      (_, response) => response.writeHead(413).end('<html>'),
      /lower models\.llm\.context_tokens/,
    ],
    [
      'too little memory',
      (_, response) => json(response, 500, { error: 'model requires more system memory (8 GiB) than is available' }),
      /name a smaller model in models\.llm\.model/,
    ],
    ['a full queue', (_, response) => json(response, 503, { error: 'server busy' }), /wait a minute, then ask again/],
    [
      'the API of another server',
      (_, response) => json(response, 404, { error: { message: 'File Not Found' } }),
      /model_unreachable: .*404: File Not Found .*set models\.llm\.provider to openai/,
    ],
    [
      'a refused format',
      (_, response) => json(response, 500, { error: 'failed to load the vocabulary required for format' }),
      /^invalid_input: /,
    ],
    [
      'a long wait',
      (_, response) => json(response, 429, { error: 'hourly limit' }, { 'retry-after': '90' }),
      /ask again in 90 seconds/,
    ],
  ])('is told by what it says: %s', async (_, script, said) => {
    const text = await failure(script);
    expect(text).toMatch(said);
    expect(text).not.toMatch(/name another model|correct models\.llm\.endpoint|sk-cloud/);
  });

  it('asks for the key that is missing', async () => {
    const text = await failure((_, response) => json(response, 401, { error: 'unauthorized' }), { apiKey: '' });
    expect(text).toMatch(/set models\.llm\.api_key, the API key of this server/);
  });

  it.each(['application/json', 'text/plain'])('may send its lines as %s', async (type) => {
    const content = lines({ message: { content: 'yes' }, done: false }, END);
    const { model } = await modelOn((_, response) => response.writeHead(200, { 'content-type': type }).end(content));
    expect((await generated(model)).text).toBe('yes');
  });

  it('is asked again after a short Retry-After', async () => {
    let calls = 0;
    const { model } = await modelOn((_, response) =>
      calls++ === 0
        ? json(response, 503, { error: 'server busy' }, { 'retry-after': '0' })
        : says(response, { content: 'yes' }),
    );
    expect((await generated(model)).text).toBe('yes');
  });
});
