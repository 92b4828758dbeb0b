import { describe, expect, it } from 'vitest';
import {
  collectEvidence,
  type CollectRequest,
  verifyEntailment,
  parseSubQueries,
} from '../../../src/ask/multi-hop/collect-evidence.ts';
import type { Evidence } from '../../../src/ask/retrieval/retrieve-evidence.ts';
import { passage } from '../evidence-example.ts';
import type { GroundednessChecker } from '../../../src/contracts/groundedness-checker.ts';

const found: Readonly<Record<string, readonly Evidence[]>> = {
  a: [passage('a1', { score: 0.9 }), passage('shared', { score: 0.4 })],
  b: [passage('shared', { score: 0.6 }), passage('b1', { score: 0.1 })],
  c: [passage('c1', { score: 0.8 })],
};

function collect(replies: readonly (string | null)[], more: Partial<CollectRequest> = {}) {
  const prompts: string[] = [];
  const queries: string[] = [];
  return collectEvidence({
    question: 'why?',
    first: [passage('first', { score: 0.5 })],
    limits: { maxDepth: 3, maxSubQueries: 5, maxPoolChunks: 15 },
    budget: 1000,
    drawDelimiter: () => ({ open: '<<<', close: '>>>' }),
    ask: async (messages) => {
      prompts.push(messages.map(({ text }) => text).join('\n'));
      const reply = replies[prompts.length - 1] ?? null;
      return reply === null
        ? { text: '', ms: 0, failure: 'the server is down' }
        : { text: reply, ms: 7, failure: null };
    },
    retrieve: async (query) => {
      queries.push(query);
      return found[query] ?? [];
    },
    ...more,
  }).then((collected) => ({
    ...collected,
    texts: collected.evidence?.map(({ text }) => text) ?? null,
    steps: collected.hops.map((hop) => [
      hop.iter,
      hop.kind,
      hop.sub_queries,
      hop.context_chunks_added,
      hop.forced_stop,
      hop.llm_call_ms,
    ]),
    prompts,
    queries,
  }));
}

describe('collectEvidence', () => {
  it('pools the results of all sub-queries, each passage once, most relevant first', async () => {
    const { texts, steps } = await collect(['["a", "b"]', '["c"]', '[]']);
    expect(texts).toEqual(['a1', 'c1', 'shared', 'first', 'b1']);
    expect(steps).toEqual([
      [0, 'decompose', ['a', 'b'], 4, false, 7],
      [1, 'decide', ['c'], 1, false, 7],
      [2, 'decide', [], 0, false, 7],
    ]);
  });

  it('stops when the model requests nothing more or repeats a search, or its output is not a list', async () => {
    for (const reply of ['[]', '["a"]', 'enough', null]) {
      const { steps, queries } = await collect(['["a"]', reply]);
      expect(queries).toEqual(['a']);
      expect(steps[1]?.slice(0, 5)).toEqual([1, 'decide', [], 0, false]);
      expect(steps).toHaveLength(2);
    }
  });

  it('stops at the maximum depth, without another call', async () => {
    const { steps, prompts } = await collect(['["a"]'], {
      limits: { maxDepth: 1, maxSubQueries: 5, maxPoolChunks: 15 },
    });
    expect(steps.at(-1)).toEqual([1, 'decide', [], 0, true, 0]);
    expect(prompts).toHaveLength(1);
  });

  it('stops when the pool is full, which all searches share fairly', async () => {
    const { texts, steps } = await collect(['["a", "b"]'], {
      limits: { maxDepth: 3, maxSubQueries: 5, maxPoolChunks: 3 },
    });
    expect(texts).toEqual(['a1', 'shared', 'first']);
    expect(steps.at(-1)).toEqual([1, 'decide', [], 0, true, 0]);
  });

  it('limits the sub-queries of a round', async () => {
    const { queries } = await collect(['["a", "b", "c"]', '[]'], {
      limits: { maxDepth: 3, maxSubQueries: 2, maxPoolChunks: 15 },
    });
    expect(queries).toEqual(['a', 'b']);
  });

  it.each([null, '', 'no list', '[]', '[1, 2]'])(
    'returns null when the question cannot be decomposed: %j',
    async (reply) => {
      const { evidence, steps } = await collect([reply]);
      expect(evidence).toBeNull();
      expect(steps).toEqual([[0, 'decompose', [], 0, false, reply === null ? 0 : 7]]);
    },
  );

  it('shows the model the evidence so far between fences, within the budget', async () => {
    const { prompts } = await collect(['["a"]', '[]']);
    expect(prompts[1]).toContain('<<<\na1\n>>>');
    const long = await collect(['["a"]', '[]'], { first: [passage('x'.repeat(9000), { score: 1 })], budget: 500 });
    expect(long.prompts[1]).not.toContain('xxx');
  });
});

function checker(entailments: readonly (readonly number[])[]): GroundednessChecker {
  return {
    id: 'nli',
    version: '1',
    fingerprint: () => 'nli',
    check: async () =>
      entailments.map((row) => row.map((entailment) => ({ entailment, neutral: 1 - entailment, contradiction: 0 }))),
  };
}

const verify = (
  entailments: readonly (readonly number[])[],
  claims = ['a', 'b'],
  passages = ['p', 'q'],
): Promise<number> => verifyEntailment(checker(entailments), { claims, passages });

describe('verifyEntailment', () => {
  it('is the minimum over the claims of their maximum entailment over the passages', async () => {
    expect(
      await verify([
        [0.2, 0.9],
        [0.6, 0.1],
      ]),
    ).toBe(0.6);
  });

  it('is 0 when there is nothing to compare', async () => {
    expect([await verify([], []), await verify([], ['a'], [])]).toEqual([0, 0]);
  });

  it.each([
    [[[0.5, 0.5]]],
    [[[0.5], [0.5]]],
    [
      [
        [Number.NaN, 1],
        [1, Number.NaN],
      ],
    ],
  ])('rejects the judgement %j', async (judged) => {
    await expect(verify(judged)).rejects.toThrow(/checker/);
  });
});

describe('parseSubQueries', () => {
  it.each<[string, readonly string[] | null]>([
    ['["a", "b"]', ['a', 'b']],
    ['```json\n["a"]\n```', ['a']],
    ['Sure! Here [they] are: ["a", "b"]. Anything [else]?', ['a', 'b']],
    ['[]', []],
    ['["a", 1, null, "", "  ", "a", ["x"]]', ['a']],
    ['["\\"exact\\" -not"]', ['exact not']],
    ['{"queries": ["a"]}', ['a']],
    ['', null],
    ['no list', null],
    ['["a", ', null],
    ['[a, b]', null],
  ])('parses %j as %j', (text, expected) => {
    expect(parseSubQueries(text)).toEqual(expected);
  });

  it('gives up on endless brackets, and truncates endless queries', () => {
    expect(parseSubQueries('['.repeat(100_000))).toBeNull();
    expect(parseSubQueries(JSON.stringify(['x'.repeat(10_000)]))?.[0]).toHaveLength(500);
  });
});
