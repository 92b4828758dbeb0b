import { silentCallContext } from '@kebab/core/testing';
import type { FakeChatBody, FakeOllamaOptions } from '@kebab/ollama-kit/testing';
import { describe, expect, it } from 'vitest';
import { OllamaCaptioner } from '../src/ollama-captioner.ts';
import { modelAt, onFake } from './open-on-fake.ts';
import { TINY_PNG } from './tiny-png.ts';

function caption(options: FakeOllamaOptions, lang = 'en'): Promise<string> {
  return onFake({ partChars: 200, ...options }, async ({ url }) => {
    const captioner = new OllamaCaptioner(modelAt(url, { model: 'eyes' }), url);
    return (await captioner.caption({ png: TINY_PNG, lang }, silentCallContext())).text;
  });
}

const prompt = ({ messages = [] }: FakeChatBody): string => messages.at(-1)?.content ?? '';

describe('OllamaCaptioner', () => {
  it.each([
    ['en', 'English'],
    ['ko', 'Korean'],
    ['deu', 'German'],
    ['und-x', 'English'],
    ['', 'English'],
    ['!', 'English'],
  ])('asks for the language %j in %s', async (lang, name) => {
    expect(await caption({ reply: prompt }, lang)).toContain(`Write in ${name}.`);
  });

  it('cuts a long description behind a sentence', async () => {
    const text = await caption({ reply: 'A house stands there. '.repeat(100) });
    expect(text.length).toBeLessThanOrEqual(600);
    expect(text).toMatch(/^(A house stands there\. )+A house stands there\.$/);
  });

  it('cuts a long description without sentences behind a word', async () => {
    const text = await caption({ reply: 'house '.repeat(300) });
    expect(text).toMatch(/^(house )+house…$/);
  });

  it('fails when the model says nothing, or the answer breaks off', async () => {
    await expect(caption({ reply: ' ' })).rejects.toThrow(/said nothing/);
    const fault = ({ path }: { readonly path: string }) => (path === '/api/chat' ? ('cut' as const) : null);
    await expect(caption({ reply: 'A house. '.repeat(9), partChars: 4, fault })).rejects.toMatchObject({
      code: 'model_unreachable',
    });
  });
});
