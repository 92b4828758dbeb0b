import { describe, expect, it } from 'vitest';
import { AnswerWriter } from '../../../src/ask/generate/answer-writer.ts';
import { contextBudget } from '../../../src/ask/prompt/pack-context.ts';
import type { LanguageModel, TokenChunk } from '../../../src/contracts/language-model.ts';

type Done = Pick<Extract<TokenChunk, { kind: 'done' }>, 'finishReason' | 'instead'>;

/** What is said of an answer without text, with two spaces as its tokens. */
async function failureOf(done: Done, contextTokens = 32_768): Promise<string | null> {
  const model: LanguageModel = {
    id: 'm',
    version: '1',
    contextTokens,
    model: { id: 'tiny', provider: 'test' },
    async *generate() {
      yield { kind: 'token', token: '  ' };
      yield { kind: 'done', usage: { promptTokens: 1, completionTokens: 1 }, ...done };
    },
  };
  const budget = contextBudget(contextTokens, { maxContextTokens: 8000, maxAnswerTokens: 2048 });
  const writer = new AnswerWriter({ model, asked: { temperature: 0, seed: 0 }, budget }, {});
  const delimiter = { open: '<<<', close: '>>>' };
  const { interrupted, failure } = await writer.write([], { delimiter, onToken: () => {} });
  expect(interrupted).toBe('broken');
  return failure;
}

describe('an answer without text', () => {
  it.each<[string, Done, RegExp]>([
    [
      'reasoning to the limit',
      { finishReason: 'length', instead: 'reasoning' },
      /^tiny wrote no answer: its reasoning used up the limit of 2048 tokens; raise rag\.max_answer_tokens$/,
    ],
    [
      'nothing to the limit',
      { finishReason: 'length' },
      /it used up the limit of 2048 tokens; raise rag\.max_answer_tokens$/,
    ],
    [
      'reasoning',
      { finishReason: 'stop', instead: 'reasoning' },
      /only its reasoning and no answer: .*rag\.max_answer_tokens/,
    ],
    [
      'a tool call',
      { finishReason: 'stop', instead: 'tool_calls' },
      /called a tool, and kebab offers none: .*models\.llm\.model/,
    ],
    ['nothing', { finishReason: 'stop' }, /^tiny wrote nothing: ask again/],
  ])('says its own reason and remedy: %s', async (_, done, said) => {
    expect(await failureOf(done)).toMatch(said);
  });

  it('names the size of the context where that is the limit', async () => {
    expect(await failureOf({ finishReason: 'length' }, 4096)).toMatch(
      /1024 tokens; raise models\.llm\.context_tokens$/,
    );
  });
});
