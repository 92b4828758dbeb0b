import type { DerivationCache, PluginContext } from '@kebab/core';
import { silentCallContext } from '@kebab/testing';
import { startFakeOllama } from '@kebab/ollama-kit/testing';
import { describe, expect, it } from 'vitest';
import plugin from '../src/index.ts';
import { llmOllamaConfigSchema, type LlmOllamaConfig } from '../src/llm-ollama-config.ts';
import { onFake } from './open-on-fake.ts';

function memory(): DerivationCache {
  const entries = new Map<string, Uint8Array>();
  return { get: (key) => entries.get(key), set: (key, payload) => void entries.set(key, payload) };
}

function contextFor(config: Partial<LlmOllamaConfig>, cache = memory()): PluginContext<LlmOllamaConfig> {
  const checked = llmOllamaConfigSchema['~standard'].validate({ model: 'tiny', contextTokens: 9999, ...config });
  if (checked instanceof Promise || checked.issues !== undefined) throw new Error('the configuration is wrong');
  const { log } = silentCallContext();
  return { config: checked.value, log, cache, tmpDir: '', clock: { now: () => new Date(0) } };
}

const eyes = { endpoint: '', model: 'eyes', timeoutMs: 1000, apiKey: '' };

describe('the plugin', () => {
  it("opens a language model with the model's window", async () => {
    await onFake({}, async ({ url }) => {
      const model = await plugin.contributes.llm?.['ollama']?.(contextFor({ endpoint: url }));
      expect(model).toMatchObject({ model: { id: 'tiny', provider: 'ollama' }, contextTokens: 4096 });
    });
  });

  it('opens a language model while the server is unreachable, with its cached properties', async () => {
    const fake = await startFakeOllama();
    const cache = memory();
    const open = async (): Promise<string | undefined> =>
      (await plugin.contributes.llm?.['ollama']?.(contextFor({ endpoint: fake.url }, cache)))?.fingerprint?.();
    const before = await open();
    await fake.close();
    expect(await open()).toBe(before);
    const unknown = await plugin.contributes.llm?.['ollama']?.(contextFor({ endpoint: fake.url }));
    expect(unknown?.contextTokens).toBe(9999);
  });

  it('rejects an embedding-only model for answers, and says how to find a chat model', async () => {
    await onFake({}, async ({ url }) => {
      const opened = plugin.contributes.llm?.['ollama']?.(contextFor({ endpoint: url, model: 'vectors' }));
      await expect(opened).rejects.toMatchObject({
        code: 'config_invalid',
        message: 'models.llm.model: vectors cannot write answers; its capabilities are: embedding',
        details: { key: 'models.llm.model' },
        hint: expect.stringContaining('`ollama list`') as string,
      });
    });
  });

  it('reads and describes images with the configured models', async () => {
    await onFake({ reply: 'some words' }, async (fake) => {
      const context = contextFor({ endpoint: fake.url, ocr: eyes, caption: eyes });
      const [ocr, captioner] = await Promise.all([
        plugin.contributes.ocr?.['ollama']?.(context),
        plugin.contributes.captioner?.['ollama']?.(context),
      ]);
      const png = Uint8Array.of(1);
      const read = await ocr?.recognize({ png, width: 5, height: 7, languages: [] }, silentCallContext());
      const said = await captioner?.caption({ png, lang: 'en' }, silentCallContext());
      expect([read?.joined, said?.text]).toEqual(['some words', 'some words']);
      expect(ocr?.fingerprint?.()).not.toBe(captioner?.fingerprint?.());
    });
  });

  it('uses another server for images if one is configured', async () => {
    await onFake({ reply: 'here' }, async (here) => {
      const context = contextFor({ endpoint: 'http://127.0.0.1:9', caption: { ...eyes, endpoint: here.url } });
      const captioner = await plugin.contributes.captioner?.['ollama']?.(context);
      const said = await captioner?.caption({ png: Uint8Array.of(1), lang: 'en' }, silentCallContext());
      expect(said?.text).toBe('here');
      const ocr = await plugin.contributes.ocr?.['ollama']?.(context);
      const image = { png: Uint8Array.of(1), width: 1, height: 1, languages: [] };
      await expect(ocr?.recognize(image, silentCallContext())).rejects.toMatchObject({ code: 'model_unreachable' });
    });
  });

  it('rejects a model without vision for images, and names the configuration key', async () => {
    await onFake({}, async ({ url }) => {
      const context = contextFor({ endpoint: url, caption: { ...eyes, model: 'tiny' } });
      await expect(plugin.contributes.captioner?.['ollama']?.(context)).rejects.toMatchObject({
        code: 'config_invalid',
        details: { key: 'caption.model' },
      });
      await expect(plugin.contributes.ocr?.['ollama']?.(context)).rejects.toMatchObject({
        details: { key: 'ocr.model' },
      });
    });
  });
});
