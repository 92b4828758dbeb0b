import type { DerivationCache, EmbedInput } from '@kebab/core';
import { startFakeOllama, type FakeOllama, type FakeOllamaOptions } from '@kebab/ollama-kit/testing';
import type { EmbedOllamaConfig } from '../src/embed-ollama-config.ts';
import { OllamaEmbedder } from '../src/ollama-embedder.ts';

/** An in-memory cache for one test. */
export function memory(): DerivationCache {
  const entries = new Map<string, Uint8Array>();
  return { get: (key) => entries.get(key), set: (key, payload) => void entries.set(key, payload) };
}

/** A configuration for the model `vectors` of a fake server. */
export function configFor(endpoint: string, changes: Partial<EmbedOllamaConfig> = {}): EmbedOllamaConfig {
  return {
    endpoint,
    model: 'vectors',
    version: 'v1',
    dimensions: null,
    batchSize: 4,
    timeoutMs: 0,
    apiKey: '',
    ...changes,
  };
}

/** An open embedder and its fake server. */
export interface EmbedderOnFake {
  readonly embedder: OllamaEmbedder;
  readonly fake: FakeOllama;
  readonly embed: (...texts: readonly string[]) => Promise<readonly (Float32Array | null)[]>;
  /** The texts of each request for vectors. */
  readonly asked: () => readonly (readonly string[])[];
}

/** Runs a check with an embedder on a fake server, and closes it. */
export async function withEmbedder<T>(
  options: FakeOllamaOptions & { readonly config?: Partial<EmbedOllamaConfig> },
  check: (opened: EmbedderOnFake) => Promise<T>,
): Promise<T> {
  const fake = await startFakeOllama(options);
  try {
    const embedder = await OllamaEmbedder.open(configFor(fake.url, options.config), { cache: memory() });
    const input = (text: string): EmbedInput => ({ text, kind: 'document' });
    return await check({
      embedder,
      fake,
      embed: (...texts) => embedder.embed(texts.map(input)),
      asked: () =>
        fake.requests.filter(({ path }) => path === '/api/embed').map(({ body }) => body['input'] as string[]),
    });
  } finally {
    await fake.close();
  }
}
