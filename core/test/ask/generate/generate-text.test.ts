import { describe, expect, it } from 'vitest';
import { generateText } from '../../../src/ask/generate/generate-text.ts';
import type { GenerateRequest, LanguageModel } from '../../../src/contracts/language-model.ts';
import { KebabError } from '../../../src/errors/kebab-error.ts';
import { ScriptedModel } from '../../../src/testing/scripted-model.ts';

const request: GenerateRequest = {
  messages: [{ role: 'user', text: 'why?' }],
  stop: [],
  maxTokens: 100,
  temperature: 0,
};
const down = new KebabError('model_unreachable', 'down', { details: { endpoint: 'x', model: 'm', cause: 'refused' } });

describe('generateText', () => {
  it('gives the whole text, each token as it comes, and what it took', async () => {
    const tokens: string[] = [];
    const done = await generateText(new ScriptedModel('one two three'), request, {
      onToken: (token) => tokens.push(token),
    });
    expect(done).toEqual({
      text: 'one two three',
      interrupted: null,
      failure: null,
      promptTokens: 1,
      completionTokens: 3,
    });
    expect(tokens.join('')).toBe('one two three');
  });

  it('throws what the model throws before its first token', async () => {
    const model = new ScriptedModel([{ text: 'never', fails: { after: 0, error: down } }]);
    await expect(generateText(model, request)).rejects.toMatchObject({ code: 'model_unreachable' });
  });

  it('keeps the text and the reason of a stream that breaks behind its first token', async () => {
    const model = new ScriptedModel([{ text: 'one two three', fails: { after: 2, error: down } }]);
    expect(await generateText(model, request)).toMatchObject({
      text: 'one two ',
      interrupted: 'broken',
      failure: 'down',
    });
  });

  it('keeps the text and the reason of a model that throws behind its first token', async () => {
    const model = modelOf(async function* () {
      yield { kind: 'token', token: 'one ' };
      throw down;
    });
    expect(await generateText(model, request)).toMatchObject({
      text: 'one ',
      interrupted: 'broken',
      failure: 'down',
    });
  });

  it('takes no more than 100,000 characters of a server that never ends, and says so', async () => {
    let given = 0;
    let shown = 0;
    const model = modelOf(async function* () {
      for (;;) {
        given++;
        yield { kind: 'token', token: 'seven__'.repeat(100) };
      }
    });
    const done = await generateText(model, request, { onToken: (token) => (shown += token.length) });
    expect([done.text.length, shown, given]).toEqual([100_000, 100_000, 143]);
    expect(done).toMatchObject({
      interrupted: null,
      failure: expect.stringContaining('stopped at the limit of 100000 characters'),
    });
  });

  it('says when the limit of tokens ended a text', async () => {
    expect(await generateText(new ScriptedModel('one two three'), { ...request, maxTokens: 2 })).toMatchObject({
      text: 'one two ',
      interrupted: null,
      failure: 'scripted stopped at the limit of 2 tokens',
    });
  });

  it('stops when the signal fires, with the text so far', async () => {
    const controller = new AbortController();
    const model = new ScriptedModel([{ text: 'one two three', delayMs: 1 }]);
    const onToken = (token: string): void => {
      if (token.startsWith('two')) controller.abort();
    };
    const { signal } = controller;
    expect(await generateText(model, request, { signal, onToken })).toMatchObject({
      text: 'one two ',
      interrupted: 'cancelled',
    });
    await expect.poll(() => model.running).toBe(0);
  });

  it('does not wait for a model that takes no notice of the signal', async () => {
    const controller = new AbortController();
    const model = modelOf(async function* () {
      yield { kind: 'token', token: 'one' };
      controller.abort();
      await new Promise(() => undefined);
    });
    expect(await generateText(model, request, { signal: controller.signal })).toMatchObject({
      text: 'one',
      interrupted: 'cancelled',
    });
  });

  it('asks nothing once the signal has fired', async () => {
    const model = new ScriptedModel('text');
    expect(await generateText(model, request, { signal: AbortSignal.abort() })).toMatchObject({
      interrupted: 'cancelled',
    });
    expect(model.requests).toEqual([]);
  });
});

function modelOf(generate: LanguageModel['generate']): LanguageModel {
  return {
    id: 'm',
    version: '1',
    model: { id: 'm', provider: 'p' },
    contextTokens: 1000,
    fingerprint: () => 'm',
    generate,
  };
}
