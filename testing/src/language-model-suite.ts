import assert from 'node:assert/strict';
import { type GenerateRequest, type LanguageModel, type TokenChunk, isKebabError } from '@kebab/core';
import type { ErrorCode } from '@kebab/core/store';
import type { ErrorDetails } from '@kebab/core/suites';
import { assertIdentified, casesOn, type ContractSuite, soon } from './contract-suite.ts';

/** A language model under test, with ways to cause failures. Ways that cannot be arranged are left out. */
export interface OpenLanguageModel {
  /** Answers {@link COUNTING_PROMPT} with at least twenty numbers. */
  readonly model: LanguageModel;
  /** The same kind of model at an address where nothing listens. */
  readonly unreachable?: () => LanguageModel | Promise<LanguageModel>;
  /** A model that its server does not have. */
  readonly missing?: () => LanguageModel | Promise<LanguageModel>;
  /** A model whose time limit passes before its first token. */
  readonly impatient?: () => LanguageModel | Promise<LanguageModel>;
  /** A model that breaks off after its first token. */
  readonly breaking?: () => LanguageModel | Promise<LanguageModel>;
  /** A model that generates for minutes unless it is stopped; `stopped` resolves when the server has stopped. */
  readonly endless?: () => EndlessModel | Promise<EndlessModel>;
  readonly close?: () => void | Promise<void>;
}

/** A model that does not end by itself, with a way to detect that it was stopped. */
export interface EndlessModel {
  readonly model: LanguageModel;
  readonly stopped: () => Promise<void>;
}

/** The prompt for a long answer: "1, 2, 3 …". */
export const COUNTING_PROMPT = 'Count from 1 to 40. Write the numbers only, separated by ", ".';

/** The answer of a test double to {@link COUNTING_PROMPT}. */
export const COUNTED = Array.from({ length: 40 }, (_, n) => n + 1).join(', ');

const REPEAT = 'Repeat the following, and write nothing else: ';

/** The prompt for specific characters. */
export function repeatPrompt(text: string): string {
  return `${REPEAT}${text}`;
}

/** The answer of an endless test double: some twenty thousand tokens. */
export const ENDLESS = 'and so on '.repeat(20_000);

/** The schema of a structured answer to {@link COUNTING_PROMPT}. */
const COUNTED_SCHEMA = {
  type: 'object',
  properties: { numbers: { type: 'array', items: { type: 'integer' } } },
  required: ['numbers'],
  additionalProperties: false,
} as const;

/** The answer of a test double to the prompts of the suite; `isStructured` when the request that reached its server had a schema. */
export function suiteReply(prompt: string, { isStructured = false }: { readonly isStructured?: boolean } = {}): string {
  if (isStructured) return JSON.stringify({ numbers: Array.from({ length: 40 }, (_, n) => n + 1) });
  return prompt.startsWith(REPEAT) ? prompt.slice(REPEAT.length) : COUNTED;
}

/** Options of {@link languageModelSuite}. */
export interface LanguageModelSuiteOptions {
  readonly open: () => OpenLanguageModel | Promise<OpenLanguageModel>;
  /**
   * The failures that `open` arranges; promises that need another one are not tested. `repeats` means that the model answers {@link
   * repeatPrompt} verbatim: a test double does, a real model may not.
   */
  readonly arranges: readonly Arrangement[];
}

/** A condition that the suite can test only if the test arranges it. */
export type Arrangement = 'unreachable' | 'missing' | 'impatient' | 'breaking' | 'endless' | 'repeats';

/**
 * The contract suite of a language model: one `done`, limits and stop texts are honoured, seeds are repeatable, aborts reach the server,
 * characters are whole, and errors have the right kind before and after the first token.
 */
export function languageModelSuite({ open, arranges }: LanguageModelSuiteOptions): ContractSuite {
  const promise = casesOn(open);
  return {
    contract: 'LanguageModel',
    cases: CASES.filter(({ needs }) => needs === undefined || arranges.includes(needs)).map(({ name, check }) =>
      promise(name, check),
    ),
  };
}

interface Promised {
  readonly name: string;
  readonly needs?: Arrangement;
  readonly check: (opened: OpenLanguageModel) => Promise<void>;
}

const HARD_TEXT = '김치찌개는 naïve 😀👩‍👩‍👧 ‮עברית 𝔘𝔫𝔦𝔠𝔬𝔡𝔢 é';

const CASES: readonly Promised[] = [
  {
    name: 'declares itself',
    check: async ({ model }) => {
      assertIdentified(model);
      for (const text of [model.model.id, model.model.provider]) assert.match(text, /\S/);
      assert.ok(
        Number.isSafeInteger(model.contextTokens) && model.contextTokens > 0,
        'its window is a number of tokens',
      );
    },
  },
  {
    name: 'answers in tokens and ends with exactly one done',
    check: async ({ model }) => {
      const { text, done } = await answerOf(model, asking(COUNTING_PROMPT));
      assert.match(text, /\b3\b.*\b4\b.*\b5\b/s, 'it answers the question');
      assert.equal(done.finishReason, 'stop');
      assert.ok(done.usage.promptTokens > 0 && done.usage.completionTokens > 0, 'it counts what it used');
    },
  },
  {
    name: 'stops at maxTokens and reports it',
    check: async ({ model }) => {
      const whole = await answerOf(model, asking(COUNTING_PROMPT));
      const { text, done } = await answerOf(model, { ...asking(COUNTING_PROMPT), maxTokens: 3 });
      assert.equal(done.finishReason, 'length');
      assert.ok(text.length < whole.text.length, 'the answer is shorter');
      assert.ok(done.usage.completionTokens <= 3, `${done.usage.completionTokens} tokens are not more than 3`);
    },
  },
  {
    name: 'stops at a stop text and omits it',
    check: async ({ model }) => {
      const { text, done } = await answerOf(model, { ...asking(COUNTING_PROMPT), stop: ['no such text', ' 7'] });
      assert.ok(!text.includes(' 7'), 'the stop text is not part of the answer');
      assert.match(text, /\b6\b/, 'the text before it is');
      assert.equal(done.finishReason, 'stop');
    },
  },
  {
    name: 'answers as one JSON value of the schema, if it declares itself structured',
    check: async ({ model }) => {
      if (model.structured !== true) return;
      const { text, done } = await answerOf(model, { ...asking(COUNTING_PROMPT), schema: COUNTED_SCHEMA });
      assert.equal(done.finishReason, 'stop');
      const { numbers, ...others } = JSON.parse(text) as { readonly numbers: readonly unknown[] };
      assert.deepEqual(others, {}, 'it has the members of the schema only');
      assert.ok(numbers.length > 0 && numbers.every(Number.isInteger), 'its items are of the type of the schema');
    },
  },
  {
    name: 'is repeatable with the same seed',
    check: async ({ model }) => {
      const request = { ...asking(COUNTING_PROMPT), temperature: 0.8, seed: 42, maxTokens: 40 };
      const first = await answerOf(model, request);
      assert.equal((await answerOf(model, request)).text, first.text);
    },
  },
  {
    name: 'keeps answers apart that are generated at the same time',
    check: async ({ model }) => {
      const requests = [COUNTING_PROMPT, repeatPrompt(HARD_TEXT), COUNTING_PROMPT].map(asking);
      const alone: Answered[] = [];
      for (const request of requests) alone.push(await answerOf(model, request));
      const together = await Promise.all(requests.map((request) => answerOf(model, request)));
      for (const [at, { text }] of together.entries()) assert.equal(text, alone[at]?.text);
    },
  },
  {
    name: 'never splits a character',
    check: async ({ model }) => {
      const { text } = await answerOf(model, asking(repeatPrompt(HARD_TEXT)));
      assert.ok(!text.includes('\uFFFD'), 'no character was lost');
    },
  },
  {
    name: 'returns every character as the model wrote it',
    needs: 'repeats',
    check: async ({ model }) => {
      assert.equal((await answerOf(model, asking(repeatPrompt(HARD_TEXT)))).text, HARD_TEXT);
    },
  },
  {
    name: 'ends as aborted when the signal had already fired',
    check: async ({ model }) => {
      const { text, done } = await answerOf(model, asking(COUNTING_PROMPT), AbortSignal.abort());
      assert.deepEqual([text, done.finishReason], ['', 'aborted']);
    },
  },
  {
    name: 'ends as aborted when the signal fires during an answer',
    check: async ({ model }) => {
      const stop = new AbortController();
      const chunks = model.generate(asking(COUNTING_PROMPT), { signal: stop.signal });
      const { tokens, done } = await soon(collect(chunks, () => stop.abort()));
      assert.ok(tokens.length >= 1, 'it had begun');
      assert.equal(done.finishReason, 'aborted');
    },
  },
  {
    name: 'stops the server when the signal fires',
    needs: 'endless',
    check: async ({ endless }) => {
      assert.ok(endless !== undefined);
      const { model, stopped } = await endless();
      const stop = new AbortController();
      const chunks = model.generate(UNBOUNDED, { signal: stop.signal });
      assert.equal((await soon(collect(chunks, () => stop.abort()))).done.finishReason, 'aborted');
      await soon(stopped());
    },
  },
  {
    name: 'stops the server when its answer is abandoned',
    needs: 'endless',
    check: async ({ endless }) => {
      assert.ok(endless !== undefined);
      const { model, stopped } = await endless();
      for await (const chunk of model.generate(UNBOUNDED)) {
        assert.equal(chunk.kind, 'token');
        break;
      }
      await soon(stopped());
    },
  },
  {
    name: 'throws model_unreachable when nothing answers',
    needs: 'unreachable',
    check: async ({ unreachable }) => {
      const { details } = await failureOf(unreachable, 'model_unreachable');
      assert.match(details.endpoint, /\S/);
      assert.match(details.model, /\S/);
      assert.match(details.cause, /\S/);
    },
  },
  {
    name: 'throws model_not_pulled when the server lacks the model',
    needs: 'missing',
    check: async ({ missing }) => {
      const { details } = await failureOf(missing, 'model_not_pulled');
      assert.match(details.model, /\S/);
      assert.match(details.provider, /\S/);
    },
  },
  {
    name: 'throws timeout when its limit passes before the first token',
    needs: 'impatient',
    check: async ({ impatient }) => {
      const { details } = await failureOf(impatient, 'timeout');
      assert.ok(details.after_ms > 0, 'it says how long it waited');
    },
  },
  {
    name: 'throws nothing after the first token: it ends as error, with the text so far',
    needs: 'breaking',
    check: async ({ breaking }) => {
      assert.ok(breaking !== undefined);
      const { text, done } = await answerOf(await breaking(), asking(COUNTING_PROMPT));
      assert.notEqual(text, '');
      assert.equal(done.finishReason, 'error');
      assert.match(done.error ?? '', /^[^\n]*\S[^\n]*$/, 'it describes the failure in one line');
    },
  },
];

type Done = Extract<TokenChunk, { kind: 'done' }>;

interface Answered {
  readonly text: string;
  readonly tokens: readonly string[];
  readonly done: Done;
}

function asking(text: string): GenerateRequest {
  const system = { role: 'system', text: 'You do exactly what the user asks.' } as const;
  return { messages: [system, { role: 'user', text }], stop: [], maxTokens: 400, temperature: 0, seed: 1 };
}

/** For a model that does not end by itself. */
const UNBOUNDED: GenerateRequest = { ...asking(COUNTING_PROMPT), maxTokens: 1_000_000 };

function answerOf(model: LanguageModel, request: GenerateRequest, signal?: AbortSignal): Promise<Answered> {
  return collect(model.generate(request, { signal }));
}

/** Collects the whole stream; anything after `done`, and a missing `done`, breaks the contract. */
async function collect(chunks: AsyncIterable<TokenChunk>, onToken = (): void => {}): Promise<Answered> {
  const tokens: string[] = [];
  let done: Done | undefined;
  for await (const chunk of chunks) {
    assert.equal(done, undefined, 'nothing follows the done');
    if (chunk.kind === 'done') done = chunk;
    else {
      assert.notEqual(chunk.token, '', 'a token is not empty');
      tokens.push(chunk.token);
      onToken();
    }
  }
  assert.ok(done !== undefined, 'the stream ends with a done');
  for (const count of Object.values(done.usage)) assert.ok(Number.isSafeInteger(count) && count >= 0, `usage ${count}`);
  return { text: tokens.join(''), tokens, done };
}

async function failureOf<C extends ErrorCode>(
  make: (() => LanguageModel | Promise<LanguageModel>) | undefined,
  code: C,
): Promise<{ readonly details: ErrorDetails[C] }> {
  assert.ok(make !== undefined);
  const model = await make();
  try {
    await soon(answerOf(model, asking(COUNTING_PROMPT)));
  } catch (error) {
    assert.ok(isKebabError(error, code), `${code} was expected, not ${String(error)}`);
    assert.match(error.hint, /\S/, 'it has a remedy');
    return error;
  }
  return assert.fail(`${code} was expected, and it answered`);
}
