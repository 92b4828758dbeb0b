import { declareSuite, rerankerSuite, type OpenReranker } from '@kebab/testing';
import { afterAll, describe, it } from 'vitest';
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

describe.each([
  { name: 'a tiny model', model: newModel({ texts }) },
  { name: 'a tiny model with a small window', model: newModel({ texts, maxTokens: 40 }) },
  { name: 'a tiny model said to be quantised', model: newModel({ texts, file: 'onnx/model_quantized.onnx' }) },
])('with $name', ({ model }) => {
  /** One for all promises: its thread takes longer to start than most of them take. */
  let opening: Promise<TransformersReranker> | undefined;
  const open = async (): Promise<OpenReranker> => ({
    reranker: await (opening ??= TransformersReranker.open(configFor(model))),
  });
  afterAll(async () => (await opening)?.close());
  declareSuite(rerankerSuite({ open }), { describe, it });
});
