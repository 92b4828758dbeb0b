import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Entailment } from '@kebab/core';
import type { CrossEncoderConfig } from '@kebab/onnx-kit';
import { tinyOverlap, tinyWords } from '@kebab/onnx-kit/testing';
import { describe, expect, it } from 'vitest';
import { TransformersChecker, entailmentOf, entailmentPlaces } from '../src/transformers-checker.ts';
import { configFor, tempModels } from '../../../kits/onnx/test/temp-cross-encoder.ts';

const newModel = tempModels();
const texts = ['the lighthouse was built in 1871 bread needs flour water salt time harbour closed at night'];
const labels = ['contradiction', 'entailment', 'neutral'];

async function withChecker<T>(
  config: CrossEncoderConfig,
  use: (checker: TransformersChecker) => Promise<T> | T,
): Promise<T> {
  const checker = await TransformersChecker.open(config);
  try {
    return await use(checker);
  } finally {
    await checker.close();
  }
}

const check = (
  model: string,
  claims: readonly string[],
  passages: readonly string[],
): Promise<readonly (readonly Entailment[])[]> =>
  withChecker(configFor(model), (checker) => checker.check(claims, passages));

describe('TransformersChecker', () => {
  it('returns probabilities under the labels of config.json, in any order', async () => {
    const [claim, passage] = ['bread needs flour', 'bread needs flour and salt'];
    const overlap = tinyOverlap(tinyWords(texts), claim.split(' '), ['bread', 'needs', 'flour', 'salt']);
    const powers = { entailment: Math.exp(12 * overlap - 6), neutral: 1, contradiction: Math.exp(-6 * overlap - 1) };
    const sum = powers.entailment + powers.neutral + powers.contradiction;
    const expected = {
      entailment: expect.closeTo(powers.entailment / sum, 5) as unknown,
      neutral: expect.closeTo(powers.neutral / sum, 5) as unknown,
      contradiction: expect.closeTo(powers.contradiction / sum, 5) as unknown,
    };
    for (const order of [labels, labels.toReversed(), ['Neutral', 'Contradiction', 'Entailment']])
      expect(await check(newModel({ texts, labels: order }), [claim], [passage])).toEqual([[expected]]);
  });

  it('returns a row for each claim with a triple for each passage, in order', async () => {
    const claims = ['bread needs flour', 'the lighthouse was built in 1871'];
    const passages = ['harbour closed at night', ...claims];
    const judged = await check(newModel({ texts, labels }), claims, passages);
    const best = judged.map((row) => row.map(({ entailment }) => entailment > 0.5));
    expect(best).toEqual([
      [false, true, false],
      [false, false, true],
    ]);
  });

  it('uses the window with the highest entailment, wherever a long passage supports the claim', async () => {
    const filler = 'harbour closed at night '.repeat(40);
    const claim = 'bread needs flour';
    const passages = [`${claim} ${filler}`, `${filler} ${claim}`, filler];
    const [row] = await check(newModel({ texts, labels, maxTokens: 12 }), [claim], passages);
    const [start, end, none] = row?.map(({ entailment }) => entailment) ?? [];
    expect(Math.min(start ?? 0, end ?? 0)).toBeGreaterThan(0.2);
    expect(none).toBeLessThan(0.05);
  });

  it('requires support for every part of a claim that is longer than its window', async () => {
    const said = 'bread needs flour water salt '.repeat(4);
    const unsaid = 'harbour closed at night '.repeat(4);
    const model = newModel({ texts, labels, maxTokens: 16 });
    const judged = await check(model, [said, `${said} ${unsaid}`, `${unsaid} ${said}`], [said]);
    const [all, ...some] = judged.map((row) => row[0]?.entailment);
    expect(all).toBeGreaterThan(0.9);
    for (const entailment of some) expect(entailment).toBeLessThan(0.1);
  });

  it('does not load a model without claims or passages', async () => {
    const model = newModel({ texts, labels });
    writeFileSync(path.join(model, 'onnx/model.onnx'), Buffer.of(0x3a, 1, 0xff)); // the outline of a model that cannot be loaded
    expect(await check(model, [], ['a'])).toEqual([]);
    expect(await check(model, ['a', 'b'], [])).toEqual([[], []]);
  });

  it('rejects a model whose labels are not the three, or are missing', async () => {
    const failure = { code: 'config_invalid', details: { key: 'models.nli.model' } };
    for (const wrong of [['entailment', 'not_entailment'], ['LABEL_0', 'LABEL_1', 'LABEL_2'], null])
      await expect(
        TransformersChecker.open(configFor(newModel({ texts, labels: wrong, answers: 3 }))),
      ).rejects.toMatchObject(failure);
    const lying = newModel({ texts, labels, answers: 2 });
    await expect(check(lying, ['a'], ['b'])).rejects.toMatchObject(failure);
  });
});

const places = { entailment: 1, neutral: 2, contradiction: 0 };

describe('entailmentOf', () => {
  it.each([[[0, 0, 0]], [[1000, -1000, 999]], [[-88, 3e38, -3e38]], [[-1e4, -1e4, -1e4]]])(
    'sums to 1 for %j',
    (logits) => {
      const { entailment, neutral, contradiction } = entailmentOf(logits, places);
      expect(entailment + neutral + contradiction).toBeCloseTo(1, 12);
    },
  );
});

describe('entailmentPlaces', () => {
  it.each([
    [null],
    [[]],
    [['LABEL_0', 'LABEL_1', 'LABEL_2']],
    [['entailment', 'not_entailment']],
    [['entailment', 'entailment', 'neutral']],
    [['entailment', 'neutral', 'contradiction', 'other']],
  ])('does not guess the meaning of %j', (names) => {
    expect(entailmentPlaces(names)).toBeNull();
  });
});
