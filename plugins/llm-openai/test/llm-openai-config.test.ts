import { describe, expect, it } from 'vitest';
import plugin from '../src/index.ts';
import { llmOpenaiConfigSchema } from '../src/llm-openai-config.ts';

const sound = { endpoint: 'http://127.0.0.1:8080', model: 'm', contextTokens: 4096 };

function issuesOf(value: unknown): readonly string[] {
  const result = llmOpenaiConfigSchema['~standard'].validate(value);
  if (result instanceof Promise || result.issues === undefined) return [];
  return result.issues.map(({ path = [] }) => path.map(String).join('.'));
}

describe('llmOpenaiConfigSchema', () => {
  it('is the schema of the plugin, and adds defaults', () => {
    expect(plugin.config).toBe(llmOpenaiConfigSchema);
    expect(llmOpenaiConfigSchema['~standard'].validate(sound)).toEqual({
      value: { ...sound, timeoutMs: 300_000, apiKey: '' },
    });
  });

  it.each([
    [{ ...sound, endpoint: 'ftp://x' }, ['endpoint']],
    [{ ...sound, endpoint: 'x' }, ['endpoint']],
    [{ ...sound, model: '' }, ['model']],
    [{ ...sound, contextTokens: 0 }, ['contextTokens']],
    [{ ...sound, timeoutMs: -1 }, ['timeoutMs']],
    [{ ...sound, apiKey: 'two\nlines' }, ['apiKey']],
    [{ ...sound, apikey: 'x' }, ['apikey']],
    [{}, ['endpoint', 'model', 'contextTokens']],
    [null, ['']],
  ])('reports for %j that %j is wrong', (value, paths) => {
    expect(issuesOf(value)).toEqual(paths);
  });
});
