import { expect, it } from 'vitest';
import plugin from '../src/index.ts';
import { configFor, memory } from './embedder-on-fake.ts';

it('the plugin opens a described model, or reports that there is no server', async () => {
  const open = plugin.contributes.embedder?.['ollama'];
  const config = configFor('http://127.0.0.1:9');
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const context = { config, log, cache: memory(), tmpDir: '', clock: { now: () => new Date(0) } };
  await expect(open?.(context)).rejects.toMatchObject({ code: 'model_unreachable', details: { model: 'vectors' } });
});
