import type { ServerResponse } from 'node:http';
import { sendFault, sendJson, type Fault } from './fake-answer.ts';
import { countTokens, type FakeModel } from './fake-models.ts';

/** The body of `POST /api/embed`. */
export interface FakeEmbedBody {
  readonly model: string;
  readonly input?: unknown;
  readonly truncate?: boolean;
  readonly dimensions?: number;
  readonly options?: { readonly num_ctx?: number };
}

/** The vector of one text; it is sent as it is, so that a test can send nonsense. */
export type EmbedText = (text: string, dimensions: number) => readonly (number | null)[];

/** One batch to answer. */
export interface FakeEmbedding {
  readonly body: FakeEmbedBody;
  readonly model: FakeModel;
  readonly fault: Fault | null;
  readonly embed: EmbedText;
  /** Loses the first vector of every batch. */
  readonly losesVectors: boolean;
}

/** Answers a batch as `/api/embed` does: one vector a text, none for a lone empty text, 400 for what is too long. */
export function answerEmbedding(
  response: ServerResponse,
  { body, model, fault, embed, losesVectors }: FakeEmbedding,
): void {
  if (sendFault(response, fault)) return;
  const { input = '' } = body;
  const given: readonly unknown[] = Array.isArray(input) ? input : input === '' ? [] : [input];
  const texts = given.filter((text): text is string => typeof text === 'string');
  if (texts.length < given.length) return sendJson(response, 400, { error: 'invalid input type' });
  const { dimensions } = model;
  if (dimensions === undefined) return sendJson(response, 500, { error: 'this model does not support embeddings' });
  const window = Math.min(model.contextTokens, body.options?.num_ctx ?? Infinity);
  if (body.truncate === false && texts.some((text) => countTokens(text) > window))
    return sendJson(response, 400, { error: 'the input length exceeds the context length' });
  const kept = texts.map((text) => text.slice(0, window * 4));
  const length = body.dimensions === undefined ? dimensions : Math.min(dimensions, body.dimensions);
  sendJson(response, 200, {
    model: body.model,
    embeddings: (losesVectors ? kept.slice(1) : kept).map((text) => embed(text, dimensions).slice(0, length)),
    total_duration: 1_000_000, // nanoseconds
    load_duration: 1_000,
    prompt_eval_count: kept.reduce((sum, text) => sum + countTokens(text), 0),
  });
}

/**
 * The vector of a text by its words: each adds a number to a few places that its letters choose, so that texts which share
 * words are near each other. Unit length; the same text has the same vector everywhere.
 */
export const wordVector: EmbedText = (text, dimensions) => {
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text]) {
    let state = 2_166_136_261;
    for (const character of word) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0;
    for (let place = 0; place < 4; place++) {
      state = Math.imul(state ^ (state >>> 15), 2_246_822_519) >>> 0;
      const at = state % dimensions;
      vector[at] = (vector[at] ?? 0) + ((state & 0x1_0000) === 0 ? 1 : -1);
    }
  }
  const length = Math.hypot(...vector);
  return length === 0 ? vector.map((_, at) => (at === 0 ? 1 : 0)) : vector.map((number) => number / length);
};
