import { OllamaServer } from '../src/ollama-server.ts';
import { startFakeOllama, type FakeOllama, type FakeOllamaOptions } from '../src/testing/index.ts';

const KEYS = { endpoint: 'models.llm.endpoint', model: 'models.llm.model' };

/** A model of the server at an address. */
export function serverAt(endpoint: string, model = 'tiny', timeoutMs = 0): OllamaServer {
  return new OllamaServer({ endpoint, model, timeoutMs, keys: KEYS });
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
