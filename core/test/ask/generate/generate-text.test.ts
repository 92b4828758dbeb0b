import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateText, MarkerStream, rewriteMarkers } from '../../../src/ask/generate/generate-text.ts';
import type { GenerateRequest, LanguageModel } from '../../../src/contracts/language-model.ts';
import { KebabError } from '../../../src/errors/kebab-error.ts';
import { ScriptedModel } from '@kebab/testing';

const request: GenerateRequest = {
  messages: [{ role: 'user', text: 'why?' }],
  stop: [],
  maxTokens: 100,
  temperature: 0,
};
const down = new KebabError('model_unreachable', 'down', { details: { endpoint: 'x', model: 'm', cause: 'refused' } });

describe('generateText', () => {
  it('returns the whole text, each token as it arrives, and the usage', async () => {
    const tokens: string[] = [];
    const done = await generateText(new ScriptedModel('one two three'), request, {
      onToken: (token) => tokens.push(token),
    });
    expect(done).toEqual({
      text: 'one two three',
      interrupted: null,
      failure: null,
      instead: null,
      promptTokens: 1,
      completionTokens: 3,
    });
    expect(tokens.join('')).toBe('one two three');
  });

  it('throws what the model throws before its first token', async () => {
    const model = new ScriptedModel([{ text: 'never', fails: { after: 0, error: down } }]);
    await expect(generateText(model, request)).rejects.toMatchObject({ code: 'model_unreachable' });
  });

  it('keeps the text and the reason of a stream that breaks after its first token', async () => {
    const model = new ScriptedModel([{ text: 'one two three', fails: { after: 2, error: down } }]);
    expect(await generateText(model, request)).toMatchObject({
      text: 'one two ',
      interrupted: 'broken',
      failure: 'down',
    });
  });

  it('keeps the text and the reason of a model that throws after its first token', async () => {
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

  it('accepts at most 100,000 characters from a server that never ends, and reports it', async () => {
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

  it('reports when the token limit ended a text', async () => {
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

  it('does not wait for a model that ignores the signal', async () => {
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

  it('requests nothing once the signal has fired', async () => {
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

function streamed(tokens: readonly string[], passages = 3): readonly string[] {
  const stream = new MarkerStream(passages);
  return [...tokens.map((token) => stream.push(token)), stream.end()];
}

describe('MarkerStream', () => {
  it('shows text as it arrives and holds back what may become a marker', () => {
    expect(streamed(['Tea ', 'is ', 'hot ', '[', '#', '2', ']', ', no'])).toEqual([
      'Tea',
      ' is',
      ' hot',
      '',
      '',
      '',
      ' [2]',
      ', no',
      '',
    ]);
  });

  it('holds back only a few of many spaces, which may precede a marker', () => {
    const shown = streamed(['Tea', ...Array.from({ length: 1000 }, () => ' '), 'is hot']);
    expect(shown.slice(0, -2).join('')).toBe(`Tea${' '.repeat(936)}`);
    expect(shown.join('')).toBe(`Tea${' '.repeat(1000)}is hot`);
  });

  it('removes markers of nonexistent passages', () => {
    expect(streamed(['Hot [#99', '] tea [#0]', ' [#1].']).join('')).toBe('Hot tea [1].');
  });

  it('shows brackets that turn out not to be a marker', () => {
    expect(streamed(['see [', 'here](x) [#a] [#1234] [']).join('')).toBe('see [here](x) [#a] [#1234] [');
  });

  it('shows nothing of an answer that begins with the sentinel, however it is split', () => {
    expect(streamed(['  [', '[NO_EV', 'IDENCE]]', ' Sorry.'])).toEqual(['', '', '', '', '']);
    expect(streamed(['**', '[[no', '_evidence]]**'])).toEqual(['', '', '', '']);
    expect(streamed(['[', 'NO_EVIDENCE', '] Sorry.'])).toEqual(['', '', '', '']);
    expect(streamed(['**', 'Tea**'])).toEqual(['', '**Tea**', '']);
    expect(streamed(['[[NO', ' WAY'])).toEqual(['', '[[NO WAY', '']);
    expect(streamed(['[[NO_EVID'])).toEqual(['', '[[NO_EVID']);
  });

  it('produces the same text however it is split into tokens', () => {
    const piece = fc.constantFrom(
      'tea',
      ' ',
      '[#1]',
      '[#9]',
      '[',
      '#',
      ']',
      '2',
      '\n',
      '[[NO_EVIDENCE]]',
      '한국',
      '[#12]',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(30)), (pieces, cuts) => {
        const text = pieces.join('');
        const at = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))].toSorted((a, b) => a - b);
        const tokens = [...at, text.length].map((end, i) => text.slice(at[i - 1] ?? 0, end));
        expect(streamed(tokens).join('').trim()).toBe(streamed([text]).join('').trim());
      }),
    );
  });
});

describe('rewriteMarkers', () => {
  it.each([
    ['a [#1][#2] b [#3].', 'a [1][2] b.'],
    ['[#007]', ''],
    ['[#02] x', '[2] x'],
    ['[1] [# 1] [#x]', '[1] [# 1] [#x]'],
  ])('rewrites %j as %j', (text, expected) => {
    expect(rewriteMarkers(text, 2)).toBe(expected);
  });
});
