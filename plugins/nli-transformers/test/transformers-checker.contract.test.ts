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

describe.each([
  { order: 'entailment first', labels: ['entailment', 'neutral', 'contradiction'] },
  { order: 'entailment last, in capitals', labels: ['CONTRADICTION', 'NEUTRAL', 'ENTAILMENT'] },
])('with a tiny model, $order', ({ labels }) => {
  const model = newModel({ texts, labels });
  /** Two in turn for all promises: a thread takes longer to start than most of them take. */
  const checkers: TransformersChecker[] = [];
  let made = 0;
  const make = async (): Promise<TransformersChecker> =>
    (checkers[made++ % 2] ??= await TransformersChecker.open(configFor(model)));
  afterAll(() => Promise.all(checkers.map((checker) => checker.close())));
  declareSuite(groundednessSuite({ make }), { describe, it });
});
