import type { GenerateRequest, TokenChunk } from '@kebab/core';
import { startLoopbackServer } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import type { LlmOpenaiConfig } from '../src/llm-openai-config.ts';
import { OpenaiLanguageModel } from '../src/openai-language-model.ts';
import { startFakeOpenai, type FakeOpenai, type FakeOpenaiOptions, type Fault } from './fake-openai.ts';

const KEY = 'sk-very-secret';

const configFor = (endpoint: string, changes: Partial<LlmOpenaiConfig> = {}): LlmOpenaiConfig => ({
  endpoint,
  model: 'tiny',
  contextTokens: 8192,
  timeoutMs: 0,
  apiKey: '',
  ...changes,
});

const asking = (changes: Partial<GenerateRequest> = {}): GenerateRequest => ({
  messages: [
    { role: 'system', text: 'Be brief.' },
    { role: 'user', text: 'why?' },
  ],
  stop: [],
  maxTokens: 100,
  temperature: 0,
  ...changes,
});

async function onFake<T>(options: FakeOpenaiOptions, check: (fake: FakeOpenai) => Promise<T>): Promise<T> {
  const fake = await startFakeOpenai(options);
  try {
    return await check(fake);
  } finally {
    await fake.close();
  }
}

async function chunksOf(model: OpenaiLanguageModel, request = asking()): Promise<readonly TokenChunk[]> {
  const chunks: TokenChunk[] = [];
  for await (const chunk of model.generate(request)) chunks.push(chunk);
  return chunks;
}

const answer = (
  options: FakeOpenaiOptions,
  config: Partial<LlmOpenaiConfig> = {},
  request = asking(),
): Promise<readonly TokenChunk[]> =>
  onFake(options, ({ url }) => chunksOf(new OpenaiLanguageModel(configFor(url, config)), request));

const textOf = (chunks: readonly TokenChunk[]): string =>
  chunks.map((chunk) => (chunk.kind === 'token' ? chunk.token : '')).join('');

describe('OpenaiLanguageModel', () => {
  it('passes the schema of a structured answer on as the response format', async () => {
    await onFake({}, async (fake) => {
      const schema = { type: 'object', properties: { sentences: { type: 'array' } } };
      const model = new OpenaiLanguageModel(configFor(fake.url));
      await chunksOf(model, asking({ schema }));
      await chunksOf(model);
      expect(model.structured).toBe(true);
      expect(fake.requests.map(({ body }) => body?.['response_format'])).toEqual([
        { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
        undefined,
      ]);
    });
  });

  it('sends the conversation with its roles, and every limit', async () => {
    await onFake({}, async (fake) => {
      const request = asking({ stop: ['<<<'], maxTokens: 77, temperature: 0.5, seed: 9 });
      await chunksOf(new OpenaiLanguageModel(configFor(fake.url)), request);
      expect(fake.requests).toEqual([
        {
          path: '/v1/chat/completions',
          body: {
            model: 'tiny',
            messages: [
              { role: 'system', content: 'Be brief.' },
              { role: 'user', content: 'why?' },
            ],
            stream: true,
            stream_options: { include_usage: true },
            max_tokens: 77,
            temperature: 0.5,
            seed: 9,
            stop: ['<<<'],
          },
        },
      ]);
    });
  });

  it('attaches images to the last question, as data URLs', async () => {
    await onFake({}, async (fake) => {
      await chunksOf(new OpenaiLanguageModel(configFor(fake.url)), asking({ images: [Uint8Array.of(1, 2, 3)] }));
      expect(fake.requests[0]?.body?.messages.at(-1)?.content).toEqual([
        { type: 'text', text: 'why?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } },
      ]);
    });
  });

  it('reports in the done event how the answer ended and what it cost', async () => {
    const whole = await answer({ reply: () => 'abcdefghijkl' });
    expect(whole.at(-1)).toMatchObject({ finishReason: 'stop', usage: { completionTokens: 3 } });
    const cut = await answer({ reply: () => 'abcdefghijkl' }, {}, asking({ maxTokens: 2 }));
    expect(cut.at(-1)).toMatchObject({ finishReason: 'length', usage: { completionTokens: 2 } });
  });

  it('counts tokens itself if the server does not', async () => {
    const chunks = await answer({ reply: () => 'abcdefghijkl', withoutUsage: true });
    expect(chunks.at(-1)).toMatchObject({ usage: { promptTokens: 0, completionTokens: 3 } });
  });

  it.each<[Fault, RegExp]>([
    ['cut', /the connection broke off/],
    ['incomplete', /ended before its last part/],
    ['garbled', /not JSON/],
  ])('ends with the text so far when the answer breaks off: %j', async (fault, message) => {
    const chunks = await answer({ reply: () => 'one two three four five', fault });
    expect(textOf(chunks)).toBe('one two ');
    expect(chunks.at(-1)).toMatchObject({ finishReason: 'error', error: expect.stringMatching(message) });
  });

  it('sends its key, and never shows it', async () => {
    await onFake({ apiKey: KEY, reply: () => 'yes' }, async (fake) => {
      const model = new OpenaiLanguageModel(configFor(fake.url, { apiKey: KEY }));
      expect(textOf(await chunksOf(model))).toBe('yes');
      expect(fake.requests[0]?.authorization).toBe(`Bearer ${KEY}`);
      expect(model.fingerprint()).not.toContain(KEY);
      expect(JSON.stringify(model)).not.toContain(KEY);
    });
    await onFake({ apiKey: 'another' }, async ({ url }) => {
      const error: unknown = await chunksOf(new OpenaiLanguageModel(configFor(url, { apiKey: KEY }))).catch(
        (caught: unknown) => caught,
      );
      expect(error).toMatchObject({
        code: 'model_unreachable',
        message: expect.stringMatching(/401: Incorrect.*\*\*\*/),
      });
      expect(String((error as Error).stack) + JSON.stringify(error)).not.toContain(KEY);
    });
  });
});

describe('an OpenAI-compatible server that never ends', () => {
  async function endless(path: string, type: string, use: (model: OpenaiLanguageModel) => Promise<unknown>) {
    const { url, close } = await startLoopbackServer((request, response) => {
      const more = (): void => void (response.destroyed || response.write('x'.repeat(2 ** 20), more));
      response.writeHead(200, { 'content-type': type });
      if (request.url === path) more();
      else response.end('{}');
    });
    const failure: unknown = await use(new OpenaiLanguageModel(configFor(url))).catch((error: unknown) => error);
    await close();
    return failure;
  }

  const givenUp = { code: 'model_unreachable', message: expect.stringMatching(/far too long/) };

  it('is aborted while it lists its models', async () => {
    expect(await endless('/v1/models', 'application/json', (model) => model.probe())).toMatchObject(givenUp);
  });

  it('is aborted in the middle of an event', async () => {
    expect(await endless('/v1/chat/completions', 'text/event-stream', chunksOf)).toMatchObject(givenUp);
  });
});

describe('OpenaiLanguageModel.probe', () => {
  const opened = (options: FakeOpenaiOptions, config: Partial<LlmOpenaiConfig> = {}): Promise<number> =>
    onFake(options, async ({ url }) => (await OpenaiLanguageModel.open(configFor(url, config))).contextTokens);

  it('reads the window of the model', async () => {
    expect(await opened({})).toBe(4096);
    expect(await opened({}, { contextTokens: 1000 })).toBe(1000);
    expect(await opened({ models: [{ id: 'tiny' }] })).toBe(8192);
  });

  it('accepts the only model of llama.cpp under any name', async () => {
    expect(await opened({ models: [{ id: '/x/y.gguf', owned_by: 'llamacpp', meta: { n_ctx_train: 2048 } }] })).toBe(
      2048,
    );
  });

  it('reports that the server does not have the model, or does not respond', async () => {
    await onFake({ models: [] }, async ({ url }) => {
      await expect(new OpenaiLanguageModel(configFor(url)).probe()).rejects.toMatchObject({
        code: 'model_not_pulled',
        details: { model: 'tiny', provider: 'openai' },
      });
    });
    const gone = await startFakeOpenai();
    await gone.close();
    const model = await OpenaiLanguageModel.open(configFor(gone.url));
    expect(model.contextTokens).toBe(8192);
    await expect(model.probe()).rejects.toMatchObject({ code: 'model_unreachable' });
  });
});
