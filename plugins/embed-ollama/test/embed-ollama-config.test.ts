import { describe, expect, it } from 'vitest';
import { embedOllamaConfigSchema } from '../src/embed-ollama-config.ts';
import plugin from '../src/index.ts';
import { configFor, memory } from './embedder-on-fake.ts';

describe('embedOllamaConfigSchema', () => {
  it('is the schema of the plugin, and adds defaults', () => {
    expect(plugin.config).toBe(embedOllamaConfigSchema);
    expect(embedOllamaConfigSchema['~standard'].validate({ endpoint: 'http://localhost:1', model: 'm' })).toEqual({
      value: {
        endpoint: 'http://localhost:1',
        model: 'm',
        version: 'v1',
        dimensions: null,
        batchSize: 4,
        timeoutMs: 300_000,
        apiKey: '',
      },
    });
  });

  it('lets the plugin open a described model, or report that there is no server', async () => {
    const open = plugin.contributes.embedder?.['ollama'];
    const config = configFor('http://127.0.0.1:9');
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    const context = { config, log, cache: memory(), tmpDir: '', clock: { now: () => new Date(0) } };
    await expect(open?.(context)).rejects.toMatchObject({ code: 'model_unreachable', details: { model: 'vectors' } });
  });
});
