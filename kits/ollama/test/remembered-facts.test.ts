import type { DerivationCache } from '@kebab/core';
import { describe, expect, it } from 'vitest';
import { rememberedFacts } from '../src/remembered-facts.ts';
import { startFakeOllama } from '../src/testing/index.ts';
import { deadAddress, onFake, serverAt } from './server-at.ts';

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
