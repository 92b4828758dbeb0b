import { declareSuite, embedderSuite, type ContractSuite } from '@kebab/testing';
import { sharedModel } from '@kebab/onnx-kit/testing';
import { describe, it } from 'vitest';
import { TransformersEmbedder } from '../src/transformers-embedder.ts';
import { configFor, tempModels } from './temp-model.ts';

const newModel = tempModels();

/** Texts of words in a tiny model's vocabulary. */
const texts = ['red apple pie', 'the sky of blue', 'green', 'a pie', 'red sky', 'blue apple'];
const words = ['red', 'green', 'blue', 'the', 'of', 'a'];
const folder = newModel();
const create = (): Promise<TransformersEmbedder> => TransformersEmbedder.open(configFor(folder));

declareSuite(embedderSuite({ name: 'with a tiny model', create, texts, words }), { describe, it });

const suiteWith = (name: string): ContractSuite =>
  embedderSuite({
    name: `with ${name}`,
    create: () => TransformersEmbedder.open(configFor(sharedModel(name) ?? '')),
  });

describe.skipIf(sharedModel('tiny-random-bert') === null)('a transformer (skipped without ../shared)', () => {
  declareSuite(suiteWith('tiny-random-bert'), { describe, it });
});

describe.skipIf(sharedModel('potion-base-4M-int8') === null)('a table of tokens (skipped without ../shared)', () => {
  declareSuite(suiteWith('potion-base-4M-int8'), { describe, it });
});
