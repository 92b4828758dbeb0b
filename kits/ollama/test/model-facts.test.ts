import type { ListResponse, ShowResponse } from 'ollama';
import { describe, expect, it } from 'vitest';
import { fullModelName, modelFacts, shortDigest } from '../src/model-facts.ts';

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
