import { describe, expect, it } from 'vitest';
import { sentenceOutput } from '../../src/encode/sentence-output.ts';

const tokens = { name: 'last_hidden_state', shape: ['batch', 'length', 8] };
const sentence = { name: 'sentence_embedding', shape: ['batch', 8] };
const pooler = { name: 'pooler_output', shape: ['batch', 8] };

describe('sentenceOutput', () => {
  it('takes the vectors of tokens where the model has no other, and their mean unless told', () => {
    expect(sentenceOutput([tokens], 'auto')).toEqual({ name: tokens.name, pooling: 'mean', dimensions: 8 });
    expect(sentenceOutput([tokens], 'cls')).toMatchObject({ pooling: 'cls' });
  });

  it("takes the model's own sentence vector by itself, and the tokens' when told to pool", () => {
    expect(sentenceOutput([tokens, sentence], 'auto')).toMatchObject({ name: sentence.name, pooling: 'none' });
    expect(sentenceOutput([tokens, sentence], 'mean')).toMatchObject({ name: tokens.name, pooling: 'mean' });
    expect(sentenceOutput([tokens, sentence], 'none')).toMatchObject({ name: sentence.name, pooling: 'none' });
  });

  it('takes no pooled output of BERT for a sentence vector, unless there is nothing else', () => {
    expect(sentenceOutput([tokens, pooler], 'auto')).toMatchObject({ name: tokens.name, pooling: 'mean' });
    expect(sentenceOutput([pooler], 'auto')).toMatchObject({ name: pooler.name, pooling: 'none' });
  });

  it('does not know dimensions that the model does not declare', () => {
    expect(sentenceOutput([{ name: 'x', shape: ['batch', 'length', 'width'] }], 'mean').dimensions).toBeNull();
  });

  it('refuses a model that answers something else', () => {
    expect(() => sentenceOutput([{ name: 'loss', shape: [1] }], 'auto')).toThrow(
      'it answers loss, no vectors of texts',
    );
    expect(() => sentenceOutput([tokens], 'none')).toThrow('no vectors of texts');
  });
});
