import type { AbortOptions } from '../contracts/contribution.ts';
import type { AnswerSubstitute, TokenChunk } from '../contracts/language-model.ts';
import { ThinkFilter } from '../domain/turn.ts';

/** A part of an answer from a model server: text, often empty, and what the server has reported about the answer so far. */
export interface AnswerPart {
  readonly text: string;
  /** As counted by the server. Until it reports a count, each part with text counts as one completion token. */
  readonly promptTokens?: number | undefined;
  readonly completionTokens?: number | undefined;
  /** Whether the answer is complete or was cut off at the limit. */
  readonly finishReason?: 'stop' | 'length' | undefined;
  /** What the model has produced beside text. */
  readonly instead?: AnswerSubstitute | undefined;
}

/**
 * Converts the parts of an answer into the stream that {@link LanguageModel.generate} promises: tokens without the model's reasoning, and
 * one `done`. An error before the first token is thrown; a later error, or the signal, ends the answer. No parts are requested if the
 * signal has already fired.
 */
export async function* answerChunks(
  parts: AsyncIterable<AnswerPart>,
  { signal }: AbortOptions = {},
): AsyncGenerator<TokenChunk> {
  const spoken = new ThinkFilter();
  let usage = { promptTokens: 0, completionTokens: 0 };
  let finishReason: 'stop' | 'length' | 'error' = 'stop';
  let instead: AnswerSubstitute | undefined;
  let error: string | undefined;
  let hasBegun = false;
  try {
    if (!hasFired(signal))
      for await (const part of withEnd(parts, signal)) {
        const token = part === null ? spoken.end() : spoken.push(part.text);
        hasBegun ||= token !== '';
        if (part !== null) {
          usage = {
            promptTokens: part.promptTokens ?? usage.promptTokens,
            completionTokens: part.completionTokens ?? usage.completionTokens + (part.text === '' ? 0 : 1),
          };
          finishReason = part.finishReason ?? finishReason;
          instead = part.instead ?? instead;
          if (!hasBegun && part.text.trim() !== '') instead ??= 'reasoning';
        }
        if (token !== '') yield { kind: 'token', token };
      }
  } catch (caught) {
    if (!hasFired(signal) && !hasBegun) throw caught;
    error = (caught instanceof Error ? caught.message : String(caught)).split('\n', 1)[0] ?? '';
    finishReason = 'error';
  }
  if (hasFired(signal)) yield { kind: 'done', finishReason: 'aborted', usage };
  else if (error !== undefined || hasBegun || instead === undefined) yield { kind: 'done', finishReason, error, usage };
  else yield { kind: 'done', finishReason, instead, usage };
}

/** The parts, and null at their end; nothing after the signal has fired. */
async function* withEnd<T>(parts: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T | null> {
  for await (const part of parts) {
    yield part;
    if (hasFired(signal)) return;
  }
  yield null;
}

/** A function, because the compiler assumes that `signal.aborted` does not change. */
function hasFired(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
