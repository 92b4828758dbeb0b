import { OllamaServer } from '../src/ollama-server.ts';
import { startFakeOllama, type FakeOllama, type FakeOllamaOptions } from '../src/testing/index.ts';
import type { TimeLimits } from '../src/ollama-failure.ts';

const KEYS = { endpoint: 'models.llm.endpoint', model: 'models.llm.model' };
const NO_LIMITS: TimeLimits = { connectMs: 0, firstPartMs: 0, wholeMs: 0 };

/** A model of the server at an address. */
export function serverAt(endpoint: string, model = 'tiny', limits: Partial<TimeLimits> = {}): OllamaServer {
  return new OllamaServer({ endpoint, model, limits: { ...NO_LIMITS, ...limits }, keys: KEYS });
}

/** Runs a check with a fake server, and closes it. */
export async function onFake<T>(options: FakeOllamaOptions, check: (fake: FakeOllama) => Promise<T>): Promise<T> {
  const fake = await startFakeOllama(options);
  try {
    return await check(fake);
  } finally {
    await fake.close();
  }
}

/** The address of a port on which nothing listens any more. */
export async function deadAddress(): Promise<string> {
  const fake = await startFakeOllama();
  await fake.close();
  return fake.url;
}
