import { describe, expect, it } from 'vitest';
import type { AnswerToJudge, GroundednessChecker } from '../../src/contracts/groundedness-checker.ts';
import { openForTests } from '../kb/open-for-tests.ts';
import { citing, teaWorld } from './ask-world.ts';

const open = openForTests();
const QUESTION = 'At how many degrees is green tea steeped?';
const script = citing('80 degrees', 'Green tea is steeped at 80 degrees @.');
const CHECKER = { KEBAB_RAG_ANSWER_CHECKER: 'own' };

function checkerOf(members: Partial<GroundednessChecker>): Record<string, GroundednessChecker> {
  return { own: { id: 'own', version: '1', ...members } };
}

describe('the checker of answers', () => {
  it('can be replaced by that of a plugin, which receives the answer with its citations and passages as plain data', async () => {
    const received: AnswerToJudge[] = [];
    const groundedness = checkerOf({
      judge: async (answer) => {
        received.push(structuredClone(answer));
        const { text } = answer;
        return {
          method: 'entailment',
          text,
          sentences: [{ start: 0, end: text.length, text, verdict: 'supported', cited: [1], quotations: [] }],
          findings: [],
          reason: null,
          cited: [1],
          attributed: [],
          details: 0,
          deniesOnly: false,
          unsupported: [],
          missingValue: null,
        };
      },
    });
    const world = await teaWorld(open, script, { env: CHECKER, contributions: { groundedness } });
    expect(await world.ask(QUESTION)).toMatchObject({ grounded: true, checks: { method: 'entailment', sentences: 1 } });
    expect(received).toMatchObject([
      { question: QUESTION, citations: [{ numbers: [1] }], removedCitations: [], isCutOff: false },
    ]);
    expect(received[0]?.passages[0]).toMatchObject({ number: 1, title: 'green', path: 'tea/green.md', orders: [] });
  });

  it.each<[string, string, string, Record<string, GroundednessChecker>]>([
    ['is switched off', 'none', 'provider_none', {}],
    ['belongs to a plugin that is disabled', 'own', 'provider_none', {}],
    ['judges no answers', 'own', 'provider_none', checkerOf({ check: async () => [] })],
    ['fails', 'own', 'plugin_failed', checkerOf({ judge: () => Promise.reject(new Error('broken')) })],
  ])('leaves an answer unverified, and says so, when it %s', async (_, id, reason, groundedness) => {
    const env = { KEBAB_RAG_ANSWER_CHECKER: id };
    const world = await teaWorld(open, script, { env, contributions: { groundedness } });
    const answer = await world.ask(QUESTION);
    expect(answer).toMatchObject({
      answer: expect.stringContaining('80 degrees') as string,
      grounded: false,
      refusal_reason: 'unverified',
    });
    expect(answer.degraded.filter(({ stage }) => stage === 'check')).toMatchObject([{ reason }]);
    expect(answer.checks).toBeUndefined();
    expect(answer.citations.map(({ marker }) => marker)).toEqual(['[1]']);
  });

  it('is abandoned when the question is cancelled', async () => {
    const controller = new AbortController();
    const groundedness = checkerOf({
      judge: () => {
        controller.abort();
        return new Promise(() => {});
      },
    });
    const world = await teaWorld(open, script, { env: CHECKER, contributions: { groundedness } });
    const answer = await world.ask(QUESTION, {}, { signal: controller.signal });
    expect(answer).toMatchObject({
      answer: expect.stringContaining('80 degrees') as string,
      refusal_reason: 'llm_stream_aborted',
    });
    expect(answer.degraded.some(({ stage }) => stage === 'check')).toBe(false);
  });
});
