import { describe, expect, it } from 'vitest';
import type { GenerateRequest, TokenChunk } from '../../src/contracts/language-model.ts';
import { ScriptedModel, HashEmbedder } from '../../src/testing/fake-models.ts';
import { cosine } from '../../src/testing/sample-vectors.ts';

const ask = (text: string, changes: Partial<GenerateRequest> = {}): GenerateRequest => ({
  messages: [{ role: 'user', text }],
  stop: [],
  maxTokens: 100,
  temperature: 0,
  ...changes,
});

async function answer(model: ScriptedModel, request = ask('?')): Promise<readonly TokenChunk[]> {
  const found: TokenChunk[] = [];
  for await (const chunk of model.generate(request)) found.push(chunk);
  return found;
}

const textOf = (chunks: readonly TokenChunk[]): string =>
  chunks.map((chunk) => (chunk.kind === 'token' ? chunk.token : '')).join('');

describe('ScriptedModel', () => {
  it('emits a text word by word, including white space', async () => {
    expect(await answer(new ScriptedModel(' one\n two  three'))).toEqual([
      { kind: 'token', token: ' one\n ' },
      { kind: 'token', token: 'two  ' },
      { kind: 'token', token: 'three' },
      { kind: 'done', finishReason: 'stop', usage: { promptTokens: 1, completionTokens: 3 } },
    ]);
  });

  it('emits one text after the other, and repeats the last', async () => {
    const model = new ScriptedModel(['first', 'second']);
    const texts = [await answer(model), await answer(model), await answer(model)].map(textOf);
    expect(texts).toEqual(['first', 'second', 'second']);
  });

  it('calls a function for its answer, with the request and the number of the call', async () => {
    const model = new ScriptedModel(({ messages, seed }, call) => `${call} ${messages[0]?.text} ${seed}`);
    await answer(model);
    expect(textOf(await answer(model, ask('why', { seed: 7 })))).toBe('1 why 7');
  });

  it('records its requests', async () => {
    const model = new ScriptedModel('');
    const request = ask('what', { stop: ['x'] });
    await answer(model, request);
    expect(model.requests).toEqual([request]);
  });

  it('ends an empty answer at once', async () => {
    expect(await answer(new ScriptedModel(''))).toEqual([
      { kind: 'done', finishReason: 'stop', usage: { promptTokens: 1, completionTokens: 0 } },
    ]);
  });

  it('breaks off as configured', async () => {
    const model = new ScriptedModel([{ text: 'a b c', fails: { after: 2, error: new Error('the line went dead') } }]);
    const chunks = await answer(model);
    expect(textOf(chunks)).toBe('a b ');
    expect(chunks.at(-1)).toMatchObject({ finishReason: 'error', error: 'the line went dead' });
  });

  it('throws when it breaks off before the first token', async () => {
    const model = new ScriptedModel([{ text: '', fails: { after: 0, error: new Error('nobody there') } }]);
    await expect(answer(model)).rejects.toThrow('nobody there');
  });

  it('counts the answers in progress', async () => {
    const model = new ScriptedModel('a b c');
    for await (const chunk of model.generate(ask('?'))) if (chunk.kind === 'token') expect(model.running).toBe(1);
    expect(model.running).toBe(0);
  });
});

async function cosines(one: string, ...others: readonly string[]): Promise<readonly number[]> {
  const vectors = await new HashEmbedder().embed([one, ...others].map((text) => ({ text, kind: 'document' })));
  const [first, ...rest] = vectors.map((vector) => vector ?? new Float32Array());
  return rest.map((vector) => cosine(first ?? new Float32Array(), vector));
}

describe('HashEmbedder', () => {
  it('puts texts with common words near each other, regardless of order and case, in any language', async () => {
    const [same, half, none] = await cosines('red apple pie', 'Pie, apple: RED!', 'red apple cake', 'blue sky');
    expect(same).toBeCloseTo(1, 5);
    expect(half).toBeGreaterThan(0.4);
    expect(none).toBeLessThan(0.4);
    const [korean, other] = await cosines('검색 엔진은 빠르다', '빠르다 검색', '오늘 날씨');
    expect(korean).toBeGreaterThan(other ?? 1);
  });

  it('counts the texts it received, and fails with the configured error', async () => {
    const embedder = new HashEmbedder({ dimensions: 8 });
    await embedder.embed([
      { text: 'one', kind: 'query' },
      { text: '', kind: 'document' },
    ]);
    embedder.failure = new Error('out of order');
    await expect(embedder.embed([{ text: 'two', kind: 'query' }])).rejects.toThrow('out of order');
    embedder.failure = null;
    await embedder.embed([{ text: 'three', kind: 'query' }]);
    expect(embedder.textsEmbedded).toBe(3);
  });

  it('has a fingerprint that distinguishes models of other dimensions', () => {
    const prints = [new HashEmbedder(), new HashEmbedder({ dimensions: 8 }), new HashEmbedder({ modelId: 'other' })];
    expect(new Set(prints.map((embedder) => embedder.fingerprint())).size).toBe(3);
  });
});
