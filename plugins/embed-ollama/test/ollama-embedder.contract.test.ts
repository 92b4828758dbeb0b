import { declareSuite, embedderSuite } from '@kebab/testing';
import { startFakeOllama, type FakeModels, type FakeOllama } from '@kebab/ollama-kit/testing';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { OllamaEmbedder } from '../src/ollama-embedder.ts';
import { configFor, memory } from './embedder-on-fake.ts';

const MODELS: FakeModels = {
  'vectors:latest': { contextTokens: 512, capabilities: ['embedding'], dimensions: 256 },
};

describe('on the double', () => {
  let fake: FakeOllama | undefined;
  beforeAll(async () => {
    fake = await startFakeOllama({ models: MODELS });
  });
  afterAll(() => fake?.close());
  const create = (): Promise<OllamaEmbedder> => OllamaEmbedder.open(configFor(fake?.url ?? ''), { cache: memory() });
  declareSuite(embedderSuite({ create }), { describe, it });
});

const realUrl = process.env['KEBAB_TEST_OLLAMA_URL'];
const realModel = process.env['KEBAB_TEST_OLLAMA_EMBED_MODEL'] ?? 'all-minilm';

describe.skipIf(realUrl === undefined)(
  'on the server of KEBAB_TEST_OLLAMA_URL, with the model of KEBAB_TEST_OLLAMA_EMBED_MODEL (skipped when no server is named)',
  () => {
    const config = configFor(realUrl ?? '', { model: realModel });
    declareSuite(embedderSuite({ create: () => OllamaEmbedder.open(config, { cache: memory() }) }), { describe, it });
  },
);
