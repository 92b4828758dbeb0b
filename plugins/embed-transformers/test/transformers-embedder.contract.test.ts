import { declareSuite, embedderSuite, type EmbedderSuiteOptions } from '@kebab/testing';
import { sharedModel } from '@kebab/onnx-kit/testing';
import { afterAll, describe, it } from 'vitest';
import { changed } from '../../../core/test/changed.ts';
import { TransformersEmbedder } from '../src/transformers-embedder.ts';
import { configFor, tempModels } from './temp-model.ts';

const newModel = tempModels();

/** Texts of words in a tiny model's vocabulary. */
const texts = ['red apple pie', 'the sky of blue', 'green', 'a pie', 'red sky', 'blue apple'];
const words = ['red', 'green', 'blue', 'the', 'of', 'a'];

/** Tests the embedder of a model: two in turn for all promises, since a thread takes longer to start than most of them take. */
function declareFor(model: string, options: Partial<EmbedderSuiteOptions>): void {
  const embedders: TransformersEmbedder[] = [];
  let made = 0;
  const create = async (): Promise<TransformersEmbedder> => {
    const embedder = (embedders[made++ % 2] ??= await TransformersEmbedder.open(configFor(model)));
    return changed(embedder, { close: async () => {} });
  };
  afterAll(() => Promise.all(embedders.map((embedder) => embedder.close())));
  declareSuite(embedderSuite({ ...options, create }), { describe, it });
}

declareFor(newModel(), { name: 'with a tiny model', texts, words });

describe.skipIf(sharedModel('tiny-random-bert') === null)('a transformer (skipped without ../shared)', () => {
  declareFor(sharedModel('tiny-random-bert') ?? '', {});
});

describe.skipIf(sharedModel('potion-base-4M-int8') === null)('a table of tokens (skipped without ../shared)', () => {
  declareFor(sharedModel('potion-base-4M-int8') ?? '', {});
});
