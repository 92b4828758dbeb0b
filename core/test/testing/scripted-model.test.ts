import { describe, expect, it } from 'vitest';
import type { GenerateRequest, TokenChunk } from '../../src/contracts/language-model.ts';
import { ScriptedModel } from '../../src/testing/scripted-model.ts';

const ask = (text: string, changes: Partial<GenerateRequest> = {}): GenerateRequest => ({
  messages: [{ role: 'user', text }],
  stop: [],
  maxTokens: 100,
  temperature: 0,
  ...changes,
});

async function answer(model: ScriptedModel, request = ask('?')): Promise<readonly TokenChunk[]> {
  const found: TokenChunk[] = [];
  for await (const chunk of model.generate(request)) found.push(chunk);
  return found;
}

const textOf = (chunks: readonly TokenChunk[]): string =>
  chunks.map((chunk) => (chunk.kind === 'token' ? chunk.token : '')).join('');

describe('ScriptedModel', () => {
  it('says a text word by word, white space included', async () => {
    expect(await answer(new ScriptedModel(' one\n two  three'))).toEqual([
      { kind: 'token', token: ' one\n ' },
      { kind: 'token', token: 'two  ' },
      { kind: 'token', token: 'three' },
      { kind: 'done', finishReason: 'stop', usage: { promptTokens: 1, completionTokens: 3 } },
    ]);
  });

  it('says one text after the other, and repeats the last', async () => {
    const model = new ScriptedModel(['first', 'second']);
    const texts = [await answer(model), await answer(model), await answer(model)].map(textOf);
    expect(texts).toEqual(['first', 'second', 'second']);
  });

  it('asks a function for its answer, with the request and the number of the call', async () => {
    const model = new ScriptedModel(({ messages, seed }, call) => `${call} ${messages[0]?.text} ${seed}`);
    await answer(model);
    expect(textOf(await answer(model, ask('why', { seed: 7 })))).toBe('1 why 7');
  });

  it('remembers what it was asked', async () => {
    const model = new ScriptedModel('');
    const request = ask('what', { stop: ['x'] });
    await answer(model, request);
    expect(model.requests).toEqual([request]);
  });

  it('ends an empty answer at once', async () => {
    expect(await answer(new ScriptedModel(''))).toEqual([
      { kind: 'done', finishReason: 'stop', usage: { promptTokens: 1, completionTokens: 0 } },
    ]);
  });

  it('breaks off where it is told to', async () => {
    const model = new ScriptedModel([{ text: 'a b c', fails: { after: 2, error: new Error('the line went dead') } }]);
    const chunks = await answer(model);
    expect(textOf(chunks)).toBe('a b ');
    expect(chunks.at(-1)).toMatchObject({ finishReason: 'error', error: 'the line went dead' });
  });

  it('throws when it is to break off before the first token', async () => {
    const model = new ScriptedModel([{ text: '', fails: { after: 0, error: new Error('nobody there') } }]);
    await expect(answer(model)).rejects.toThrow('nobody there');
  });

  it('knows how many answers are being written', async () => {
    const model = new ScriptedModel('a b c');
    for await (const chunk of model.generate(ask('?'))) if (chunk.kind === 'token') expect(model.running).toBe(1);
    expect(model.running).toBe(0);
  });
});
