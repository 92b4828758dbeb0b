import { describe, expect, it } from 'vitest';
import { analyseChunk } from '../../src/analysis/index-text.ts';
import {
  estimateRelevance,
  estimateTogether,
  nearnessOf,
  type RelevanceEvidence,
} from '../../src/relevance/estimate-relevance.ts';
import { measurePassages, type WordEvidence, weighWords } from '../../src/relevance/measure-passages.ts';
import { questionWords } from '../../src/relevance/question-words.ts';

/** Measures passages of a corpus of 100 chunks in which a word occurs as often as `df` says, two times by default. */
async function measure(
  question: string,
  texts: readonly string[],
  df: Readonly<Record<string, number>> = {},
): Promise<readonly WordEvidence[]> {
  const words = await weighWords(questionWords(question), async (tokens) => ({
    chunks: 100,
    df: tokens.map((token) => df[token] ?? 2),
  }));
  const passages = texts.map((text) =>
    analyseChunk({
      text,
      title: 'Untitled',
      headingPath: [],
      workspacePath: 'a.md',
      symbol: null,
      extra: [],
      prefix: null,
    }),
  );
  return measurePassages(words, passages);
}

async function held(question: string, text: string, df: Readonly<Record<string, number>> = {}): Promise<number> {
  return (await measure(question, [text], df))[0]?.held ?? Number.NaN;
}

const said = (question: string): readonly string[] =>
  questionWords(question).map((word) => (word.kind === 'cjk' ? word.stem : word.folded));

describe('questionWords', () => {
  it.each<[string, readonly string[]]>([
    ['What is the capital of Norway?', ['capital', 'norway']],
    ['who are you', []],
    ['Norway Norway NORWAY', ['norway']],
    ['parseHTTPUrl returns null', ['parsehttpurl', 'returns', 'null']],
    ['노르웨이의 수도는 어디인가요?', ['노르웨이', '수도']],
    ['이것을 설명해주세요', []],
    ['소득세법에서 공제율은 몇 퍼센트인가요?', ['소득세법', '공제율', '퍼센트']],
    ['東京の人口', ['東京の人口']],
    ['', []],
  ])('extracts from %j the words %j', (question, words) => {
    expect(said(question)).toEqual(words);
  });

  it('gives a name inside a sentence more weight than the same everyday word', () => {
    const specificity = (question: string): number => {
      const word = questionWords(question).find((each) => each.kind === 'word' && each.folded === 'grace');
      return word?.kind === 'word' ? word.specificity : Number.NaN;
    };
    expect(specificity('where did Grace swim')).toBeGreaterThan(specificity('where did grace swim'));
  });
});

describe('measurePassages', () => {
  it('finds every word of a question in the passage that answers it, in any form', async () => {
    expect(await held('How are roses pruned?', 'Pruning of a rose: in March.')).toBeGreaterThan(0.9);
  });

  it('finds nothing of a question about something else', async () => {
    expect(await held('When were roses pruned?', 'The harbour freezes in winter.')).toBe(0);
  });

  it('lets the rare word decide when the everyday words match', async () => {
    const df = { time: 60, boat: 60, arrive: 50 };
    expect(await held('What time does the boat to Svalbard arrive?', 'The boat will arrive in time.', df)).toBeLessThan(
      0.4,
    );
    expect(await held('What time does the boat to Svalbard arrive?', 'Svalbard.', df)).toBeGreaterThan(0.5);
  });

  it('matches a word unknown to the corpus with a near spelling in the passage', async () => {
    const unknown = { charecterized: 0, winter: 2 };
    expect(await held('charecterized', 'It is characterized by frost.', unknown)).toBeCloseTo(0.8, 5);
    expect(await held('charecterized', 'It is a caricature.', unknown)).toBe(0);
  });

  it('finds a Korean word with any particle', async () => {
    expect(await held('공제율은 얼마입니까', '공제율이 15퍼센트이다.')).toBe(1);
  });

  it('measures what two passages contain together', async () => {
    const [first, second] = await measure('Svalbard glaciers', ['Svalbard.', 'Glaciers.']);
    expect(first?.held).toBeLessThan(0.7);
    expect([first?.heldByTwo, second?.heldByTwo]).toEqual([1, 1]);
  });

  it('detects whether neighbours of the question are close together, in order', async () => {
    const question = 'arctic fox den';
    expect((await measure(question, ['An arctic fox and its den.']))[0]?.inOrder).toBe(1);
    expect((await measure(question, ['A den, then a fox, and the arctic.']))[0]?.inOrder).toBe(0);
  });

  it('finds nothing of a question without content words', async () => {
    expect((await measure('who are you', ['You are who you are.']))[0]).toMatchObject({ held: 0, words: 0 });
  });
});

describe('nearnessOf', () => {
  it.each([
    [0.8, 0],
    [0.9, 1],
    [0.85, 0.5],
    [0.2, -1],
    [1, 2],
  ])('maps the cosine %d, with a background of 0.8 and a match at half of the rest, to %d', (cosine, expected) => {
    expect(nearnessOf(cosine, { background: 0.8, matching: 0.5 })).toBeCloseTo(expected, 10);
  });

  it('stays finite when nothing is left above the background', () => {
    expect(nearnessOf(1, { background: 1, matching: 0 })).toBe(0);
    expect(nearnessOf(0.5, { background: 1, matching: 0 })).toBe(-1);
  });
});

describe('estimateRelevance', () => {
  const some: RelevanceEvidence = { held: 0.5, heldByTwo: 0.6, inOrder: 0.3, words: 5, nearness: 0.5 };

  it.each(['held', 'heldByTwo', 'inOrder', 'nearness'] as const)('increases with %s alone', (kind) => {
    const estimates = [0, 0.25, 0.5, 0.75, 1].map((value) => estimateRelevance({ ...some, [kind]: value }));
    expect(estimates).toEqual(estimates.toSorted((a, b) => a - b));
    expect(new Set(estimates).size).toBe(5);
  });

  it('lies between 0 and 1 at the limits of all evidence', () => {
    for (const nearness of [null, -1, 2])
      for (const share of [0, 1])
        for (const words of [0, 1, 1000]) {
          const estimate = estimateRelevance({ held: share, heldByTwo: share, inOrder: share, words, nearness });
          expect(estimate >= 0 && estimate <= 1).toBe(true);
        }
  });

  it('treats a question without content words as irrelevant when only words are available', () => {
    expect(estimateRelevance({ held: 0, heldByTwo: 0, inOrder: 0, words: 0, nearness: null })).toBe(0);
  });

  it('trusts the nearest of what words and vectors found together less than what vectors found alone', () => {
    const near: RelevanceEvidence = { held: 0.35, heldByTwo: 0.45, inOrder: 0, words: 5, nearness: 0.95 };
    expect(estimateTogether(near, 'vector')).toBe(estimateRelevance(near));
    expect(estimateTogether(near, 'vector')).toBeGreaterThan(0.3);
    expect(estimateTogether(near, 'hybrid')).toBeLessThan(0.3);
    expect(estimateTogether({ ...near, nearness: 1.5 }, 'hybrid')).toBeGreaterThan(0.3);
    const byWords = { ...near, nearness: null };
    expect(estimateTogether(byWords, 'hybrid')).toBe(estimateRelevance(byWords));
  });

  it('uses the score of a reranker as a second estimate, which outweighs doubt and never decides alone', () => {
    const plain = estimateRelevance(some);
    expect(estimateRelevance({ ...some, reranked: plain })).toBeCloseTo(plain);
    const estimates = [0, 0.25, 0.5, 0.75, 1].map((reranked) => estimateRelevance({ ...some, reranked }));
    expect(estimates).toEqual(estimates.toSorted((a, b) => a - b));
    expect(estimates[0]).toBeGreaterThan(0);
    expect(estimates[0]).toBeLessThan(plain);
    expect(estimates[4]).toBeGreaterThan(plain);
    expect(estimates[4]).toBeLessThan(1);
  });
});
