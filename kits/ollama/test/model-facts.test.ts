import type { ListResponse, ShowResponse } from 'ollama';
import { describe, expect, it } from 'vitest';
import type { DerivationCache } from '@kebab/core';
import { fullModelName, modelFacts, shortDigest, rememberedFacts } from '../src/model-facts.ts';
import { startFakeOllama } from '../src/testing/index.ts';
import { deadAddress, onFake, serverAt } from './server-at.ts';

const show = (value: object): ShowResponse => value as ShowResponse;
const list = (...models: object[]): ListResponse => ({ models }) as ListResponse;

describe('modelFacts', () => {
  it('reads the window and the length of vectors under the name of the architecture', () => {
    const shown = show({
      model_info: { 'general.architecture': 'bert', 'bert.context_length': 512, 'bert.embedding_length': 384 },
      capabilities: ['embedding'],
    });
    expect(modelFacts('minilm', shown, list({ name: 'minilm:latest', digest: 'abc' }))).toEqual({
      digest: 'abc',
      contextTokens: 512,
      embeddingLength: 384,
      capabilities: ['embedding'],
    });
  });

  it('says null for what an old server does not tell', () => {
    const unknown = { digest: null, contextTokens: null, embeddingLength: null, capabilities: null };
    expect(modelFacts('x', show({}), list())).toEqual(unknown);
    expect(modelFacts('x', show({ model_info: { 'general.architecture': 7 } }), {} as ListResponse)).toEqual(unknown);
  });
});

describe('fullModelName', () => {
  it.each([
    ['qwen2.5', 'qwen2.5:latest'],
    ['qwen2.5:14b', 'qwen2.5:14b'],
    ['me/model', 'me/model:latest'],
    ['host:5000/me/model', 'host:5000/me/model:latest'],
    ['host:5000/me/model:q4', 'host:5000/me/model:q4'],
  ])('is, for %s, %s', (name, full) => {
    expect(fullModelName(name)).toBe(full);
  });
});

describe('shortDigest', () => {
  it('is the beginning of the digest, or says that there is none', () => {
    const facts = { digest: '0123456789abcdef', contextTokens: null, embeddingLength: null, capabilities: null };
    expect([shortDigest(facts), shortDigest(null)]).toEqual(['0123456789ab', 'unknown']);
  });
});

function memory(): DerivationCache {
  const entries = new Map<string, Uint8Array>();
  return { get: (key) => entries.get(key), set: (key, payload) => void entries.set(key, payload) };
}

describe('rememberedFacts', () => {
  it('asks the server, and remembers while the server is away', async () => {
    const cache = memory();
    const fake = await startFakeOllama();
    const server = serverAt(fake.url, 'vectors');
    const facts = await rememberedFacts(server, cache);
    await fake.close();
    expect(facts.embeddingLength).toBe(64);
    expect(await rememberedFacts(server, cache)).toEqual(facts);
  });

  it('fails when the server never told anything', async () => {
    const server = serverAt(await deadAddress());
    await expect(rememberedFacts(server, memory())).rejects.toMatchObject({ code: 'model_unreachable' });
  });

  it('does not remember a model that the server has no more', async () => {
    const cache = memory();
    const { port } = await onFake({}, async (fake) => {
      await rememberedFacts(serverAt(fake.url, 'tiny'), cache);
      return fake;
    });
    await onFake({ port, models: {} }, async (fake) => {
      await expect(rememberedFacts(serverAt(fake.url, 'tiny'), cache)).rejects.toMatchObject({
        code: 'model_not_pulled',
      });
    });
  });
});
