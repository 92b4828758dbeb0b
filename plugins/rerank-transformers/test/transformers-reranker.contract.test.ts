import { declareSuite, rerankerSuite, type OpenReranker } from '@kebab/testing';
import { describe, it } from 'vitest';
import { TransformersReranker } from '../src/transformers-reranker.ts';
import { configFor, tempModels } from '../../../kits/onnx/test/temp-cross-encoder.ts';

const newModel = tempModels();

/** Texts with words of the suite. */
const texts = [
  'how is the lighthouse lit at night',
  'by a lamp of four hundred watts',
  'bread is made of flour water salt and time',
  'the harbour is closed',
];

const withModel = (model: string) => async (): Promise<OpenReranker> => {
  const reranker = await TransformersReranker.open(configFor(model));
  return { reranker, close: () => reranker.close() };
};

describe.each([
  { name: 'a tiny model', model: newModel({ texts }) },
  { name: 'a tiny model with a small window', model: newModel({ texts, maxTokens: 40 }) },
  { name: 'a tiny model said to be quantised', model: newModel({ texts, file: 'onnx/model_quantized.onnx' }) },
])('with $name', ({ model }) => {
  declareSuite(rerankerSuite({ open: withModel(model) }), { describe, it });
});
