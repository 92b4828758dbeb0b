import type { OcrText } from '@kebab/core';
import { silentCallContext } from '@kebab/testing';
import type { FakeChatBody, FakeOllamaOptions } from '@kebab/ollama-kit/testing';
import { describe, expect, it } from 'vitest';
import { OllamaCaptioner, OllamaOcrEngine } from '../src/ollama-pictures.ts';
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
  ])('requests the language %j as %s', async (lang, name) => {
    expect(await caption({ reply: prompt }, lang)).toContain(`Write in ${name}.`);
  });

  it('cuts a long description after a sentence', async () => {
    const text = await caption({ reply: 'A house stands there. '.repeat(100) });
    expect(text.length).toBeLessThanOrEqual(600);
    expect(text).toMatch(/^(A house stands there\. )+A house stands there\.$/);
  });

  it('cuts a long description without sentences after a word', async () => {
    const text = await caption({ reply: 'house '.repeat(300) });
    expect(text).toMatch(/^(house )+house…$/);
  });

  it('fails if the answer is empty or breaks off', async () => {
    await expect(caption({ reply: ' ' })).rejects.toThrow(/said nothing/);
    const fault = ({ path }: { readonly path: string }) => (path === '/api/chat' ? ('cut' as const) : null);
    await expect(caption({ reply: 'A house. '.repeat(9), partChars: 4, fault })).rejects.toMatchObject({
      code: 'model_unreachable',
    });
  });
});

function read(reply: string | ((body: FakeChatBody) => string), languages = ['eng', 'kor']): Promise<OcrText> {
  return onFake({ reply, partChars: 100, partDelayMs: 0 }, async ({ url }) => {
    const engine = new OllamaOcrEngine(modelAt(url, { model: 'eyes' }), url);
    return engine.recognize({ png: TINY_PNG, width: 1, height: 1, languages }, silentCallContext());
  });
}

describe('OllamaOcrEngine', () => {
  it('returns one region per line, with the box of the image and a confidence of 0.5', async () => {
    expect(await read('First line\n\n  둘째 줄  \n')).toEqual({
      joined: 'First line\n둘째 줄',
      regions: [
        { bbox: [0, 0, 1, 1], text: 'First line', confidence: 0.5 },
        { bbox: [0, 0, 1, 1], text: '둘째 줄', confidence: 0.5 },
      ],
      engine: 'ollama/eyes',
      engineVersion: expect.stringMatching(/^[0-9a-f]{12}$/),
    });
  });

  it.each(['NO_TEXT', ' NO_TEXT.\n', '`no_text`', '', '\n'])(
    'reads nothing when the model answers %j',
    async (reply) => {
      expect(await read(reply)).toMatchObject({ joined: '', regions: [] });
    },
  );

  it('removes the code fence that models put around a text', async () => {
    expect((await read('```text\nfn main() {}\n```')).joined).toBe('fn main() {}');
    expect((await read('see ``` here')).joined).toBe('see ``` here');
  });

  it('requests the verbatim text, in the expected languages', async () => {
    const asked = (await read(({ messages = [] }) => messages.at(-1)?.content ?? '')).joined;
    expect(asked).toMatch(/word for word.*English, Korean.*NO_TEXT/s);
    expect((await read(({ messages = [] }) => messages.at(-1)?.content ?? '', ['zzz'])).joined).not.toMatch(/probably/);
  });

  it('stops when the signal has fired', async () => {
    await onFake({ reply: 'text' }, async ({ url }) => {
      const engine = new OllamaOcrEngine(modelAt(url, { model: 'eyes' }), url);
      const image = { png: TINY_PNG, width: 1, height: 1, languages: [] };
      const work = engine.recognize(image, silentCallContext(AbortSignal.abort()));
      await expect(work).rejects.toMatchObject({ code: 'cancelled' });
    });
  });

  it('rejects a reading that reaches the token limit', async () => {
    await expect(read('and again '.repeat(41_000))).rejects.toThrow(/came to no end/);
  });
});
