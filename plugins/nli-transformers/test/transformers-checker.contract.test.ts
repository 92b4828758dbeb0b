import { declareSuite, groundednessSuite } from '@kebab/testing';
import { afterAll, describe, it } from 'vitest';
import { TransformersChecker } from '../src/transformers-checker.ts';
import { configFor, tempModels } from '../../../kits/onnx/test/temp-cross-encoder.ts';

const newModel = tempModels();

/** Texts with words of the suite. */
const texts = [
  'the lighthouse on the northern rock was built in 1871 and is painted white',
  'sourdough bread needs flour water salt and time',
  'one word',
];

const open: TransformersChecker[] = [];
afterAll(() => Promise.all(open.map((checker) => checker.close())));

describe.each([
  { order: 'entailment first', labels: ['entailment', 'neutral', 'contradiction'] },
  { order: 'entailment last, in capitals', labels: ['CONTRADICTION', 'NEUTRAL', 'ENTAILMENT'] },
])('with a tiny model, $order', ({ labels }) => {
  const model = newModel({ texts, labels });
  const make = async (): Promise<TransformersChecker> => {
    const checker = await TransformersChecker.open(configFor(model));
    open.push(checker);
    return checker;
  };
  declareSuite(groundednessSuite({ make }), { describe, it });
});
