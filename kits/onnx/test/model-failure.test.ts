import { KebabError } from '@kebab/core';
import { describe, expect, it } from 'vitest';
import { stageErrorOf } from '../src/encode/model-stage-error.ts';
import { modelError } from '../src/model-failure.ts';

const site = { model: 'e5', plugin: { name: '@kebab/plugin-embed-transformers', version: '1' }, kind: 'embedder' };

describe('modelError', () => {
  it('keeps the hint of the underlying error, whatever its message', () => {
    const missing = new KebabError('model_not_pulled', 'embedding needs a part that is not installed', {
      details: { model: 'embeddings', provider: 'kebab' },
      hint: '`kebab plugin install embeddings`',
    });
    expect(modelError(stageErrorOf(missing, 'files'), site)).toMatchObject({
      code: 'model_not_pulled',
      hint: '`kebab plugin install embeddings`',
    });
  });

  it('never takes a command from a message, such as one quoted by a damaged file', () => {
    const damaged = new Error('config.json says `kebab plugin install ocr`');
    expect(modelError(stageErrorOf(damaged, 'files'), site)).toMatchObject({
      hint: 'fetch it with `kebab models pull`',
    });
  });
});
