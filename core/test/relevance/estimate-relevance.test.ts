import { describe, expect, it } from 'vitest';
import { analyseChunk } from '../../src/analysis/index-text.ts';
import { estimateRelevance, nearnessOf, type RelevanceEvidence } from '../../src/relevance/estimate-relevance.ts';
import { measurePassages, type WordEvidence, weighWords } from '../../src/relevance/measure-passages.ts';
import { questionWords } from '../../src/relevance/question-words.ts';

/** Measures passages of a corpus of 100 chunks in which a word occurs as often as `df` says, two times by default. */
async function measure(
  question: string,
  texts: readonly string[],
  df: Readonly<Record<string, number>> = {},
): Promise<readonly WordEvidence[]> {
  const weighed = await weighWords(questionWords(question), async (tokens) => ({
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
  return measurePassages(weighed, passages);
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
    ['東京の人口', ['東京', '人口']],
    ['東京の人口はどのくらいですか?', ['東京', '人口']],
    ['うなぎ屋の予約はいつ?', ['うなぎ', '屋', '予約']],
    ['空调多久清洗一次?', ['空调', '清洗一次']],
    ['电梯坏了应该找谁?', ['电梯坏', '找']],
    ['什么时候?', []],
    ['회비 얼마야?', ['회비']],
    ['점검은 누가 담당합니까?', ['점검', '담당']],
    ['Wo ist der Schlüssel zum Tresor?', ['schlussel', 'tresor']],
    ["Où est l'échelle ?", ['echelle']],
    ['¿Cuándo le toca la vacuna?', ['vacuna']],
    ['Chi ha le chiavi?', ['chiavi']],
    ['De onde parte o barco para a ilha?', ['parte', 'barco', 'ilha']],
    ['Waar staat de huurauto?', ['staat', 'huurauto']],
    ['What was the war about?', ['war']],
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

  it.each([
    ['arroser', 'Arrosage: deux fois par semaine.', 0.8],
    ['urlaubsantrag', 'Der Antrag geht an Frau Petersen.', 0.8],
    ['grillen', 'Grillgut bringt die Firma mit.', 0.8],
    ['grillen', 'Grenzen und Grüße.', 0],
    ['rate', 'This demonstrates it.', 0],
  ])('finds %s in %j as another form, if the corpus does not have the word itself', async (word, text, share) => {
    expect(await held(word, text, { [word]: 0 })).toBeCloseTo(share, 5);
  });

  it.each([
    ['空调保修到什么时候?', '空调每年清洗一次。保修到2026年底。'],
    ['保守契約の年間費用はいくらですか?', '保守契約は2028年まで有効で、費用は年間24500ユーロです。'],
    ['谁是米粒的兽医', '兽医是刘医生,米粒十月打疫苗。'],
  ])('does not miss what lies across the border of two words: %s', async (question, text) => {
    expect(await held(question, text)).toBe(1);
  });

  it('finds words of Han in a title', async () => {
    const { words, chunks } = await weighWords(questionWords('蕎麦屋はどこ?'), (tokens) => ({
      chunks: 100,
      df: tokens.map(() => 1),
    }));
    const titled = analyseChunk({
      text: 'A',
      title: '蕎麦屋',
      headingPath: [],
      workspacePath: 'a.md',
      symbol: null,
      extra: [],
      prefix: null,
    });
    expect(measurePassages({ words, chunks }, [titled])[0]?.held).toBe(1);
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
  const nothing: RelevanceEvidence = { held: 0, heldByTwo: 0, inOrder: 0, words: 5, chunks: 1000, nearness: 0 };

  it.each(['held', 'heldByTwo', 'inOrder', 'nearness'] as const)('increases with %s', (kind) => {
    const estimates = [0.4, 0.55, 0.7, 0.85, 1].map((value) => {
      const others = { held: 0.4, heldByTwo: 0.4, inOrder: 0.4 };
      return estimateRelevance({ ...nothing, ...(kind === 'nearness' ? {} : others), [kind]: value });
    });
    expect(estimates).toEqual(estimates.toSorted((a, b) => a - b));
    expect(new Set(estimates).size).toBe(5);
  });

  it('lies between 0 and 1 at the limits of all evidence', () => {
    for (const nearness of [null, -1, 2])
      for (const share of [0, 1])
        for (const words of [0, 1, 1000])
          for (const chunks of [0, 1, 1_000_000]) {
            const shares = { held: share, heldByTwo: share, inOrder: share };
            const estimate = estimateRelevance({ ...shares, words, chunks, nearness });
            expect(estimate >= 0 && estimate <= 1).toBe(true);
          }
  });

  it('treats a question without content words as irrelevant when only words are available', () => {
    expect(estimateRelevance({ ...nothing, words: 0, nearness: null })).toBe(0);
  });

  it('lets half of the words pass in a few notes, and not in a thousand', () => {
    const half = { ...nothing, held: 0.4, heldByTwo: 0.4, words: 2 };
    expect(estimateRelevance({ ...half, chunks: 8 })).toBeGreaterThan(0.3);
    expect(estimateRelevance(half)).toBeLessThan(0.3);
  });

  it.each([
    [5, 0.4],
    [12, 0.32],
    [16, 0.27],
    [25, 0.16],
    [60, 0.1],
  ])(
    'refuses of a question of %d words what chance brings about, a share of %d, and lets half pass',
    (words, share) => {
      const some = { ...nothing, inOrder: share, held: share, heldByTwo: share, words };
      expect(estimateRelevance(some)).toBeLessThan(0.3);
      expect(estimateRelevance({ ...some, held: 0.5, heldByTwo: 0.5, inOrder: 0.4 })).toBeGreaterThan(0.3);
    },
  );

  it('expects less by chance of every further word', () => {
    const estimates = [4, 8, 12, 16, 20, 28].map((words) =>
      estimateRelevance({ ...nothing, held: 0.5, heldByTwo: 0.5, words }),
    );
    expect(estimates).toEqual(estimates.toSorted((a, b) => a - b));
    expect(new Set(estimates).size).toBe(6);
  });

  it('lets near passages pass that share no word with the question, farther ones only in a few notes', () => {
    expect(estimateRelevance({ ...nothing, nearness: 0.9 })).toBeGreaterThan(0.3);
    expect(estimateRelevance({ ...nothing, nearness: 0.55 })).toBeLessThan(0.3);
    expect(estimateRelevance({ ...nothing, nearness: 0.55, chunks: 8 })).toBeGreaterThan(0.3);
  });

  it('is 0 for a stray common word', () => {
    expect(estimateRelevance({ ...nothing, held: 0.08, heldByTwo: 0.08, chunks: 8 })).toBe(0);
  });

  it('takes the mean with the score of a reranker, if there is one', () => {
    const some = { ...nothing, held: 0.7, heldByTwo: 0.7 };
    const plain = estimateRelevance(some);
    expect(estimateRelevance({ ...some, reranked: plain })).toBeCloseTo(plain);
    expect(estimateRelevance({ ...some, reranked: 0 })).toBeCloseTo(plain / 2);
    expect(estimateRelevance({ ...some, reranked: 1 })).toBeCloseTo((plain + 1) / 2);
  });
});
