import { startFakeOllama, type FakeOllama, type FakeOllamaOptions } from '@kebab/ollama-kit/testing';
import { OllamaServer } from '@kebab/ollama-kit';
import { OllamaLanguageModel } from '../src/ollama-language-model.ts';

/** The properties of the model that matter for a test. */
export interface ModelChanges {
  readonly model?: string;
  readonly contextTokens?: number;
  readonly timeoutMs?: number;
  readonly keepAlive?: string;
}

/** A language model for an address, before its server was contacted. */
export function modelAt(endpoint: string, changes: ModelChanges = {}): OllamaLanguageModel {
  const { model = 'tiny', contextTokens = 32_768, timeoutMs = 0, keepAlive = '' } = changes;
  const keys = { endpoint: 'models.llm.endpoint', model: 'models.llm.model' };
  const server = new OllamaServer({ endpoint, model, timeoutMs, keys });
  return new OllamaLanguageModel(server, null, { contextTokens, keepAlive });
}

/** Runs a check with a fake server, and closes it. */
export async function onFake<T>(options: FakeOllamaOptions, check: (server: FakeOllama) => Promise<T>): Promise<T> {
  const server = await startFakeOllama(options);
  try {
    return await check(server);
  } finally {
    await server.close();
  }
}
