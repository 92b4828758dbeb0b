import { describe, expect, it } from 'vitest';
import type { GroundednessChecker } from '../../src/contracts/groundedness-checker.ts';
import type { Script } from '@kebab/testing';
import { openForTests } from '../kb/open-for-tests.ts';
import { citing, teaWorld } from './ask-world.ts';

const open = openForTests();
const QUESTION = 'At how many degrees is green tea steeped?';
const write = citing('80 degrees', 'Green tea is steeped at "80 degrees" @.');

/** Answers the first requests with lists of sub-queries, and later ones from the evidence. */
const hops =
  (...lists: readonly string[]): Script =>
  (request, call) =>
    lists[call] ?? write(request);

function checkerOf(check: NonNullable<GroundednessChecker['check']>): GroundednessChecker {
  return { id: 'fake', version: '1', fingerprint: () => 'fake', check };
}

const constant = (entailment: number): GroundednessChecker =>
  checkerOf(async (claims, passages) =>
    claims.map(() => passages.map(() => ({ entailment, neutral: 1 - entailment, contradiction: 0 }))),
  );

const VERIFY = { KEBAB_RAG_NLI_THRESHOLD: '0.5', KEBAB_MODELS_NLI_PROVIDER: 'transformers' };

describe('a multi-hop question', () => {
  it('searches for its parts, decides, and answers with its own template', async () => {
    const world = await teaWorld(open, hops('```json\n["black tea water", "when are roses pruned"]\n```', '[]'));
    const answer = await world.ask(QUESTION, { multiHop: true, k: 2 });
    expect(answer).toMatchObject({ grounded: true, prompt_template_version: 'rag-multi-hop-v1' });
    expect(
      answer.hops?.map(({ iter, kind, sub_queries: queries, forced_stop: forced }) => [iter, kind, queries, forced]),
    ).toEqual([
      [0, 'decompose', ['black tea water', 'when are roses pruned'], false],
      [1, 'decide', [], false],
      [2, 'synthesize', [], false],
    ]);
    expect(answer.hops?.every(({ llm_call_ms: ms }) => ms > 0)).toBe(true);
    const evidence = world.model.requests[2]?.messages[1]?.text ?? '';
    for (const text of ['80 degrees', 'boiling water', 'pruned in late winter']) expect(evidence).toContain(text);
    expect(world.events.filter(({ kind }) => kind === 'retrieval_done')).toHaveLength(1);
    expect(answer.usage.prompt_tokens).toBeGreaterThan(0);
  });

  it('does not call a model before the gate passes', async () => {
    const world = await teaWorld(open, hops());
    expect(await world.ask('xylophone zeppelin', { multiHop: true })).toMatchObject({
      refusal_reason: 'no_chunks',
      hops: [],
    });
    expect(world.model.requests).toEqual([]);
  });

  it("is refused with the reason and the model's text when the model fails to decompose it", async () => {
    const world = await teaWorld(open, [{ text: 'x', fails: { after: 0, error: new Error('down') } }]);
    expect(await world.ask(QUESTION, { multiHop: true })).toMatchObject({
      refusal_reason: 'multi_hop_decompose_failed',
      failure: 'down',
    });
    const chatty = await teaWorld(open, 'Green tea, I think.');
    expect(await chatty.ask(QUESTION, { multiHop: true })).toMatchObject({
      refusal_reason: 'multi_hop_decompose_failed',
      failure: 'scripted named no searches',
      written: 'Green tea, I think.',
    });
  });

  it('is interrupted, not refused, when it is cancelled meanwhile', async () => {
    const controller = new AbortController();
    const world = await teaWorld(open, [{ text: '["a", "b"]', delayMs: 5 }]);
    const onEvent = (): void => controller.abort();
    const answer = await world.ask(QUESTION, { multiHop: true }, { signal: controller.signal, onEvent });
    expect(answer.refusal_reason).toBe('llm_stream_aborted');
  });
});

describe('the verification of a multi-hop answer', () => {
  const script = hops('["black tea"]', '[]');

  it.each([
    [0.9, true, null],
    [0.5, true, null],
    [0.49, false, 'nli_verification_failed'],
  ])('with an entailment of %d leaves grounded %j', async (entailment, grounded, reason) => {
    const world = await teaWorld(open, script, {
      env: VERIFY,
      contributions: { groundedness: { transformers: constant(entailment) } },
    });
    const answer = await world.ask(QUESTION, { multiHop: true });
    expect(answer).toMatchObject({
      grounded,
      refusal_reason: reason,
      verification: { nli_score: entailment, nli_threshold: 0.5, nli_passed: grounded },
    });
  });

  it('compares at most a hundred statements by meaning, each once, and reports it', async () => {
    const asked: number[] = [];
    const checker = checkerOf(async (claims, passages) => {
      asked.push(claims.length);
      return claims.map(() => passages.map(() => ({ entailment: 1, neutral: 0, contradiction: 0 })));
    });
    const answerOf = async (statements: readonly string[]) => {
      const written = citing('80 degrees', statements.join(' '));
      const replies: Script = (request, call) => ['["black tea"]', '[]'][call] ?? written(request);
      const contributions = { groundedness: { transformers: checker } };
      const world = await teaWorld(open, replies, { env: VERIFY, contributions });
      return world.ask(QUESTION, { multiHop: true });
    };
    const same = 'Green tea is steeped at "80 degrees" @.';
    expect(await answerOf(Array.from({ length: 200 }, () => same))).toMatchObject({ grounded: true });
    expect(asked).toEqual([1]);
    const many = await answerOf(Array.from({ length: 101 }, (_, i) => `Green tea number ${i} is steeped @.`));
    expect(many).toMatchObject({ grounded: false, refusal_reason: 'nli_verification_failed' });
    expect(many.failure).toMatch(/101 things.*100/);
    expect(asked).toEqual([1]);
  });

  it.each<[string, Record<string, GroundednessChecker>]>([
    ['is missing', {}],
    ['fails', { transformers: checkerOf(() => Promise.reject(new Error('broken'))) }],
    ['judges too few claims', { transformers: checkerOf(async () => []) }],
  ])('refuses when its checker %s', async (_, groundedness) => {
    const world = await teaWorld(open, script, { env: VERIFY, contributions: { groundedness } });
    const answer = await world.ask(QUESTION, { multiHop: true });
    expect(answer).toMatchObject({ grounded: false, refusal_reason: 'nli_model_unavailable' });
    expect(answer.failure).not.toBe('');
    expect(answer.verification).toBeUndefined();
  });

  it('keeps the text, checked literally and not grounded, when it is cancelled', async () => {
    const controller = new AbortController();
    const checker = checkerOf(() => {
      controller.abort();
      return new Promise(() => {});
    });
    const world = await teaWorld(open, script, {
      env: VERIFY,
      contributions: { groundedness: { transformers: checker } },
    });
    const answer = await world.ask(QUESTION, { multiHop: true }, { signal: controller.signal });
    expect(answer).toMatchObject({
      grounded: false,
      refusal_reason: 'llm_stream_aborted',
      checks: { method: 'lexical' },
    });
    expect(answer.citations.some(({ marker }) => marker !== null)).toBe(true);
    expect(answer.hops?.at(-1)).toMatchObject({ kind: 'synthesize' });
  });

  it('is for multi-hop only, and only with a threshold', async () => {
    const contributions = { groundedness: { transformers: constant(0) } };
    const single = await teaWorld(open, hops(), { env: VERIFY, contributions });
    expect(await single.ask(QUESTION)).toMatchObject({ grounded: true });
    const off = await teaWorld(open, script, { env: { ...VERIFY, KEBAB_RAG_NLI_THRESHOLD: '0' }, contributions });
    expect(await off.ask(QUESTION, { multiHop: true })).toMatchObject({ grounded: true });
  });
});
