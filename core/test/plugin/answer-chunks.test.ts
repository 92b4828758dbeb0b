import { describe, expect, it } from 'vitest';
import { answerChunks, type AnswerPart } from '../../src/plugin/answer-chunks.ts';
import type { TokenChunk } from '../../src/contracts/language-model.ts';

/** Yields parts; an error among them is thrown, and an abort controller is fired. */
async function* sent(...parts: readonly (AnswerPart | Error | AbortController)[]): AsyncGenerator<AnswerPart> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    if (part instanceof AbortController) part.abort();
    else yield part;
  }
}

async function chunksOf(parts: AsyncIterable<AnswerPart>, signal?: AbortSignal): Promise<readonly TokenChunk[]> {
  const chunks: TokenChunk[] = [];
  for await (const chunk of answerChunks(parts, signal === undefined ? {} : { signal })) chunks.push(chunk);
  return chunks;
}

const token = (text: string): TokenChunk => ({ kind: 'token', token: text });
const part = (text: string): AnswerPart => ({ text });
const broken = new Error('the connection broke off\n    at a line of code');

describe('answerChunks', () => {
  it('passes on the text, omits reasoning and empty parts, and ends with the counts of the server', async () => {
    const last = { text: '', promptTokens: 7, completionTokens: 9, finishReason: 'length' } as const;
    expect(await chunksOf(sent(part('<think>well'), part('</think>'), part('one'), part(' two'), last))).toEqual([
      token('one'),
      token(' two'),
      { kind: 'done', finishReason: 'length', usage: { promptTokens: 7, completionTokens: 9 } },
    ]);
  });

  it('releases at the end a text that might have become reasoning', async () => {
    expect(await chunksOf(sent(part('<th')))).toEqual([
      token('<th'),
      { kind: 'done', finishReason: 'stop', usage: { promptTokens: 0, completionTokens: 1 } },
    ]);
  });

  it('throws an error that occurs before the first token', async () => {
    await expect(chunksOf(sent(part(''), broken))).rejects.toBe(broken);
  });

  it('ends the answer with one line about a later error', async () => {
    expect(await chunksOf(sent(part('one'), broken))).toEqual([
      token('one'),
      {
        kind: 'done',
        finishReason: 'error',
        error: 'the connection broke off',
        usage: { promptTokens: 0, completionTokens: 1 },
      },
    ]);
  });

  it.each([[[]], [[broken]], [[part('two'), part('three')]]])(
    'ends the answer when the signal fires, whatever arrives afterwards',
    async (rest) => {
      const stop = new AbortController();
      const chunks = await chunksOf(sent(part('one'), stop, ...rest), stop.signal);
      expect(chunks.slice(0, 1)).toEqual([token('one')]);
      expect(chunks.at(-1)).toMatchObject({ kind: 'done', finishReason: 'aborted' });
      expect(chunks).not.toContainEqual(token('three'));
    },
  );

  it('requests nothing when the signal has already fired', async () => {
    expect(await chunksOf(sent(broken), AbortSignal.abort())).toEqual([
      { kind: 'done', finishReason: 'aborted', usage: { promptTokens: 0, completionTokens: 0 } },
    ]);
  });
});
