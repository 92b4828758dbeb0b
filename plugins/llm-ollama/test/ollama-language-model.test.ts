import type { GenerateRequest, TokenChunk } from '@kebab/core';
import type { FakeChatBody } from '@kebab/ollama-kit/testing';
import { describe, expect, it } from 'vitest';
import type { OllamaLanguageModel } from '../src/ollama-language-model.ts';
import { modelAt, onFake } from './open-on-fake.ts';

const asking = (changes: Partial<GenerateRequest> = {}): GenerateRequest => ({
  messages: [{ role: 'user', text: 'why?' }],
  stop: [],
  maxTokens: 100,
  temperature: 0,
  ...changes,
});

async function chunksOf(model: OllamaLanguageModel, request = asking()): Promise<readonly TokenChunk[]> {
  const chunks: TokenChunk[] = [];
  for await (const chunk of model.generate(request)) chunks.push(chunk);
  return chunks;
}

const textOf = (chunks: readonly TokenChunk[]): string =>
  chunks.map((chunk) => (chunk.kind === 'token' ? chunk.token : '')).join('');

/** The chat request that a model sends. */
async function sentFor(
  request: GenerateRequest,
  changes: Parameters<typeof modelAt>[1] = {},
): Promise<FakeChatBody | undefined> {
  return onFake({}, async (fake) => {
    await chunksOf(modelAt(fake.url, changes), request);
    return fake.requests.find(({ path }) => path === '/api/chat')?.body as unknown as FakeChatBody;
  });
}

describe('OllamaLanguageModel', () => {
  it('sends the conversation with its roles, and every limit', async () => {
    const sent = await sentFor(
      asking({
        messages: [
          { role: 'system', text: 'Be brief.' },
          { role: 'user', text: 'one' },
          { role: 'assistant', text: 'two' },
          { role: 'user', text: 'three' },
        ],
        stop: ['<<<'],
        maxTokens: 77,
        temperature: 0.5,
        seed: 9,
      }),
    );
    expect(sent).toEqual({
      model: 'tiny',
      stream: true,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'one' },
        { role: 'assistant', content: 'two' },
        { role: 'user', content: 'three' },
      ],
      options: { num_ctx: 4096, num_predict: 77, temperature: 0.5, seed: 9, stop: ['<<<'] },
    });
  });

  it('passes the schema of a structured answer on as the format', async () => {
    const schema = { type: 'object', properties: { sentences: { type: 'array' } } };
    expect(await sentFor(asking({ schema }))).toMatchObject({ format: schema });
    expect(await sentFor(asking())).not.toHaveProperty('format');
    expect(modelAt('http://127.0.0.1:1').structured).toBe(true);
  });

  it('omits options that are not set', async () => {
    expect((await sentFor(asking()))?.options).toEqual({ num_ctx: 4096, num_predict: 100, temperature: 0 });
  });

  it("requests the configured window, limited to the model's own", async () => {
    expect((await sentFor(asking(), { contextTokens: 1000 }))?.options?.num_ctx).toBe(1000);
    await onFake({}, async ({ url }) => {
      const model = modelAt(url, { contextTokens: 999_999 });
      expect(model.contextTokens).toBe(999_999);
      await model.probe();
      expect(model.contextTokens).toBe(4096);
    });
  });

  it('keeps the model loaded for the configured time', async () => {
    expect(await sentFor(asking(), { keepAlive: '10m' })).toMatchObject({ keep_alive: '10m' });
  });

  it('attaches images to the last question', async () => {
    const messages = [
      { role: 'user', text: 'look' },
      { role: 'assistant', text: 'I look' },
    ] as const;
    const sent = await sentFor(asking({ messages, images: [Uint8Array.of(1, 2, 3)] }), { model: 'eyes' });
    expect(sent?.messages?.map(({ images }) => images)).toEqual([['AQID'], undefined]);
  });

  it('reports in the done event how the answer ended and what it cost', async () => {
    await onFake({ reply: 'abcdefghijkl' }, async ({ url }) => {
      const whole = await chunksOf(modelAt(url));
      const usage = { promptTokens: 1, completionTokens: 3 };
      expect(whole.at(-1)).toEqual({ kind: 'done', finishReason: 'stop', usage });
      const cut = await chunksOf(modelAt(url), asking({ maxTokens: 2 }));
      expect(cut.at(-1)).toMatchObject({ finishReason: 'length', usage: { completionTokens: 2 } });
    });
  });

  it('ends with the text so far when the timeout expires after the first token', async () => {
    await onFake({ reply: 'on and on '.repeat(5000) }, async ({ url }) => {
      const chunks = await chunksOf(modelAt(url, { timeoutMs: 2000 }), asking({ maxTokens: 99_999 }));
      expect(chunks.length).toBeGreaterThan(1);
      expect(chunks.at(-1)).toMatchObject({
        finishReason: 'error',
        error: expect.stringMatching(/longer than 2000 ms/),
      });
    });
  });

  it('tells a thinking model not to think, and drops its thinking', async () => {
    const reply = () => ({ content: 'the answer', thinking: 'hm' });
    await onFake({ reply }, async (fake) => {
      expect(textOf(await chunksOf(modelAt(fake.url, { model: 'thinker' })))).toBe('the answer');
      expect(fake.requests.at(-1)?.body).toMatchObject({ think: false });
    });
    expect(await sentFor(asking())).not.toHaveProperty('think');
  });

  it('reports errors of the model before the first token', async () => {
    await onFake({}, async ({ url }) => {
      await expect(chunksOf(modelAt(url, { model: 'vectors' }))).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('does not support chat'),
        hint: expect.stringContaining('models.llm.model'),
      });
    });
  });

  it('includes the digest of its weights in the fingerprint', async () => {
    await onFake({}, async ({ url }) => {
      const [tiny, eyes] = [modelAt(url), modelAt(url, { model: 'eyes' })];
      expect(tiny.modelVersion).toBe('unknown');
      await Promise.all([tiny.probe(), eyes.probe()]);
      expect(tiny.modelVersion).toMatch(/^[0-9a-f]{12}$/);
      expect(tiny.fingerprint()).toContain(tiny.modelVersion);
      expect(eyes.fingerprint()).not.toBe(tiny.fingerprint());
    });
  });
});
