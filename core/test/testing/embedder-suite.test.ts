import { describe, expect, it } from 'vitest';
import type { AbortOptions } from '../../src/contracts/contribution.ts';
import type { EmbedInput } from '../../src/contracts/embedder.ts';
import { embedderSuite } from '../../src/testing/embedder-suite.ts';
import { HashEmbedder } from '../../src/testing/fake-models.ts';
import { failuresOf } from './failures.ts';

type Vectors = Awaited<ReturnType<HashEmbedder['embed']>>;

class NoUnit extends HashEmbedder {
  override async embed(inputs: readonly EmbedInput[], options?: AbortOptions): Promise<Vectors> {
    return (await super.embed(inputs, options)).map((vector) => vector?.map((x) => 2 * x) ?? null);
  }
}

class Swaps extends HashEmbedder {
  override async embed(inputs: readonly EmbedInput[], options?: AbortOptions): Promise<Vectors> {
    return (await super.embed(inputs, options)).toReversed();
  }
}

class LeaksAcrossBatch extends HashEmbedder {
  override async embed(inputs: readonly EmbedInput[], options?: AbortOptions): Promise<Vectors> {
    const first = inputs[0]?.text ?? '';
    return super.embed(
      inputs.map(({ text, kind }) => ({ kind, text: text.trim() === '' ? text : `${text} ${first}` })),
      options,
    );
  }
}

class CutsOff extends HashEmbedder {
  override async embed(inputs: readonly EmbedInput[], options?: AbortOptions): Promise<Vectors> {
    const cut = (text: string): string => text.split(/\s+/).slice(0, this.maxInputTokens).join(' ');
    return super.embed(
      inputs.map(({ text, kind }) => ({ kind, text: cut(text) })),
      options,
    );
  }
}

class NotANumber extends HashEmbedder {
  override async embed(inputs: readonly EmbedInput[], options?: AbortOptions): Promise<Vectors> {
    return (await super.embed(inputs, options)).map((vector) => vector ?? new Float32Array(this.dimensions).fill(NaN));
  }
}

class Drifts extends HashEmbedder {
  #calls = 0;
  override async embed(inputs: readonly EmbedInput[], options?: AbortOptions): Promise<Vectors> {
    const text = `call ${this.#calls++}`;
    return super.embed(
      inputs.map((input) => ({ ...input, text: `${input.text} ${text}` })),
      options,
    );
  }
}

class IgnoresAbort extends HashEmbedder {
  override async embed(inputs: readonly EmbedInput[]): Promise<Vectors> {
    return super.embed(inputs);
  }
}

class NeverStops extends HashEmbedder {
  override embed(inputs: readonly EmbedInput[], options?: AbortOptions): Promise<Vectors> {
    return inputs.length > 100 ? new Promise(() => {}) : super.embed(inputs, options);
  }
}

class OtherKindsElsewhere extends HashEmbedder {
  override async embed(inputs: readonly EmbedInput[], options?: AbortOptions): Promise<Vectors> {
    const [a, b] = ['how do i reset', 'cat'];
    return super.embed(
      inputs.map(({ text, kind }) => ({ kind, text: kind === 'query' && text !== '' ? `${a} ${b}` : text })),
      options,
    );
  }
}

const failing = [
  [
    'returns vectors of another length',
    NoUnit,
    'returns one unit-length finite vector of its dimensions for each input',
  ],
  ['swaps its results', Swaps, 'keeps the order of its inputs, and a batch equals its members embedded one by one'],
  [
    'mixes the texts of a batch',
    LeaksAcrossBatch,
    'keeps the order of its inputs, and a batch equals its members embedded one by one',
  ],
  [
    'truncates long texts',
    CutsOff,
    'truncates nothing: a change at the beginning, in the middle and at the end of a long text changes its vector',
  ],
  ['returns NaN for empty text', NotANumber, 'returns null for empty text and white space, and only for these inputs'],
  ['drifts', Drifts, 'is deterministic, in every instance, even for concurrent calls'],
  ['ignores its signal', IgnoresAbort, 'returns nothing when its signal has already fired'],
  ['never stops', NeverStops, 'stops soon after its signal fires during long work, and continues with the next call'],
  ['embeds queries elsewhere', OtherKindsElsewhere, 'embeds queries near the documents with the same content'],
] as const;

describe('embedderSuite', () => {
  it.each(failing)('fails for an embedder that %s', async (_, EmbedderClass, promise) => {
    const suite = embedderSuite({ create: () => new EmbedderClass() });
    expect(await failuresOf(suite, promise)).toEqual([promise]);
  });

  it('closes every embedder it has created', async () => {
    let open = 0;
    class Closes extends HashEmbedder {
      close(): void {
        open--;
      }
    }
    const suite = embedderSuite({
      create: () => {
        open++;
        return new Closes();
      },
    });
    expect(await failuresOf(suite)).toEqual([]);
    expect(open).toBe(0);
  });
});
