import { describe, expect, it } from 'vitest';
import type { Captioner } from '../../../core/src/contracts/captioner.ts';
import type { EmbedInput, Embedder } from '../../../core/src/contracts/embedder.ts';
import type { OcrEngine } from '../../../core/src/contracts/ocr-engine.ts';
import type { Reranker } from '../../../core/src/contracts/reranker.ts';
import type { OcrText } from '../../../core/src/domain/block.ts';
import { embedderSuite } from '../../src/embedder-suite.ts';
import { FakeCaptioner, FakeOcrEngine, FakeReranker, HashEmbedder } from '../../src/fake-models.ts';
import { captionerSuite, ocrEngineSuite } from '../../src/ocr-engine-suite.ts';
import { rerankerSuite } from '../../src/passage-suites.ts';
import { failuresOf } from '../failures.ts';
import { changed } from '../../../core/test/changed.ts';
import { expectAllCaught } from './mutants.ts';

type Mutate<T> = (sound: T) => T;

let calls = 0;

describe('embedderSuite', () => {
  type Vectors = Awaited<ReturnType<Embedder['embed']>>;
  const reading =
    (change: (text: string, texts: readonly EmbedInput[]) => string): Mutate<Embedder> =>
    (sound) =>
      changed(sound, {
        embed: (inputs, options) =>
          sound.embed(
            inputs.map((input) => (input.text.trim() === '' ? input : { ...input, text: change(input.text, inputs) })),
            options,
          ),
      });
  const returning =
    (change: (vectors: Vectors) => Vectors): Mutate<Embedder> =>
    (sound) =>
      changed(sound, { embed: async (inputs, options) => change(await sound.embed(inputs, options)) });

  it('detects every mutation', async () => {
    await expectAllCaught<Mutate<Embedder>>(
      (mutate) => embedderSuite({ create: () => mutate?.(new HashEmbedder()) ?? new HashEmbedder() }),
      {
        'returns vectors of another length': returning((vectors) =>
          vectors.map((vector) => vector?.map((x) => 2 * x) ?? null),
        ),
        'swaps its results': returning((vectors) => vectors.toReversed()),
        'returns NaN for empty text': returning((vectors) =>
          vectors.map((vector) => vector ?? new Float32Array(new HashEmbedder().dimensions).fill(NaN)),
        ),
        'mixes the texts of a batch': reading((text, inputs) => `${text} ${inputs[0]?.text ?? ''}`),
        'truncates long texts': reading((text) =>
          text.split(/\s+/).slice(0, new HashEmbedder().maxInputTokens).join(' '),
        ),
        'differs from call to call': reading((text) => `${text} call ${calls++}`),
        'embeds queries elsewhere': (sound) =>
          changed(sound, {
            embed: (inputs, options) =>
              sound.embed(
                inputs.map(({ text, kind }) => ({
                  kind,
                  text: kind === 'query' && text !== '' ? 'how do i reset cat' : text,
                })),
                options,
              ),
          }),
        'ignores its signal': (sound) => changed(sound, { embed: (inputs) => sound.embed(inputs) }),
        'never stops': (sound) =>
          changed(sound, {
            embed: (inputs, options) => (inputs.length > 100 ? new Promise(() => {}) : sound.embed(inputs, options)),
          }),
      },
      (sound) => changed(sound, {}),
    );
  });

  it('accepts an embedder that passes its signal to what it awaits, as fetch does', async () => {
    const create = (): Embedder =>
      changed(new HashEmbedder(), {
        embed: async (inputs, { signal } = {}) => {
          await (await fetch('data:,', { signal: signal ?? null })).text();
          return new HashEmbedder().embed(inputs);
        },
      });
    const { contract, cases } = embedderSuite({ create });
    const signalled = cases.filter(({ name }) => name === 'returns nothing when its signal has already fired');
    expect(await failuresOf({ contract, cases: signalled })).toEqual([]);
  });

  it('names the length of a vector that is not a unit vector', async () => {
    const create = (): Embedder =>
      returning((all) => all.map((one) => one?.map((x) => 2 * x) ?? null))(new HashEmbedder());
    const unit = embedderSuite({ create }).cases.find(({ name }) => name.startsWith('returns one unit-length'));
    await expect(unit?.run()).rejects.toThrow(/the vector of .* is a unit vector; its length is (?:2|1\.99)/);
  });

  it('closes every embedder it has created', async () => {
    let open = 0;
    const create = (): Embedder => {
      open++;
      return changed<Embedder>(new HashEmbedder(), { close: () => void open-- });
    };
    expect(await failuresOf(embedderSuite({ create }))).toEqual([]);
    expect(open).toBe(0);
  });
});

describe('rerankerSuite', () => {
  type Scores = Awaited<ReturnType<Reranker['rerank']>>;
  const scoring =
    (change: (score: number, count: number) => number): Mutate<Reranker> =>
    (sound) =>
      changed(sound, {
        rerank: async (query, items, options) =>
          (await sound.rerank(query, items, options)).map(({ chunkId, score }) => ({
            chunkId,
            score: change(score, items.length),
          })),
      });
  const refusing =
    (isRefused: (items: Parameters<Reranker['rerank']>[1]) => boolean): Mutate<Reranker> =>
    (sound) =>
      changed(sound, {
        rerank: async (query, items, options) => {
          if (isRefused(items)) throw new RangeError('not this');
          return sound.rerank(query, items, options);
        },
      });

  it('detects every mutation', async () => {
    await expectAllCaught<Mutate<Reranker>>(
      (mutate) =>
        rerankerSuite({ open: async () => ({ reranker: mutate?.(new FakeReranker()) ?? new FakeReranker() }) }),
      {
        'loses a passage': (sound) =>
          changed(sound, {
            rerank: async (query, items, options): Promise<Scores> =>
              (await sound.rerank(query, items, options)).slice(1),
          }),
        'returns raw scores': scoring((score) => score * 20 - 10),
        'depends on positions': (sound) =>
          changed(sound, {
            rerank: async (_query, items) => items.map(({ chunkId }, at) => ({ chunkId, score: 1 / (at + 1) })),
          }),
        'divides a score among passages': scoring((score, count) => score / Math.max(1, count)),
        'differs from call to call': scoring((score) => score / ++calls),
        'ranks backwards': scoring((score) => 1 - score),
        'requires passages': refusing((items) => items.length === 0),
        'requires text': refusing((items) => items.some(({ text }) => text === '')),
        'ignores its signal': (sound) => changed(sound, { rerank: (query, items) => sound.rerank(query, items) }),
      },
      (sound) => changed(sound, {}),
    );
  });

  it('closes every reranker it has opened', async () => {
    let open = 0;
    const suite = rerankerSuite({
      open: async () => {
        open++;
        return { reranker: new FakeReranker(), close: () => void open-- };
      },
    });
    expect(await failuresOf(suite)).toEqual([]);
    expect(open).toBe(0);
  });
});

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47);

describe('captionerSuite', () => {
  const saying =
    (change: (text: string) => string): Mutate<Captioner> =>
    (sound) =>
      changed(sound, {
        caption: async (image, context) => {
          const caption = await sound.caption(image, context);
          return { ...caption, text: change(caption.text) };
        },
      });

  it('detects every mutation', async () => {
    await expectAllCaught<Mutate<Captioner>>(
      (mutate) => {
        const sound = new FakeCaptioner();
        return captionerSuite({ open: async () => ({ captioner: mutate?.(sound) ?? sound }), png: PNG.slice() });
      },
      {
        'says nothing': saying(() => ''),
        'writes a book': saying((text) => text.repeat(100)),
        'writes several lines': saying((text) => `${text}\nThat is all.`),
        'writes English only': saying(() => 'A house.'),
        'changes the picture': (sound) =>
          changed(sound, {
            caption: async (image, context) => {
              const caption = await sound.caption(image, context);
              image.png.fill(0);
              return caption;
            },
          }),
        'ignores its signal': (sound) =>
          changed(sound, {
            caption: async (image) => ({
              text: `A picture of ${image.png.length} bytes.`,
              model: 'm',
              modelVersion: '1',
            }),
          }),
      },
      (sound) => changed(sound, {}),
    );
  });
});

describe('ocrEngineSuite', () => {
  const size = { png: PNG, height: 20, languages: ['eng'] };
  const fixtures = [
    { name: 'a page', ...size, width: 30, words: ['first', 'second'] },
    { name: 'a blank', ...size, width: 1, words: [] },
  ];
  const reading =
    (change: (text: OcrText) => OcrText): Mutate<OcrEngine> =>
    (sound) =>
      changed(sound, { recognize: async (image, context) => change(await sound.recognize(image, context)) });
  const regions = (change: Partial<OcrText['regions'][number]>): Mutate<OcrEngine> =>
    reading((text) => ({ ...text, regions: text.regions.map((region) => ({ ...region, ...change })) }));

  it('detects every mutation', async () => {
    const read = ({ width }: { readonly width: number }): readonly string[] =>
      width === 1 ? [] : ['first line', 'second line'];
    await expectAllCaught<Mutate<OcrEngine>>(
      (mutate) => {
        const make = (): OcrEngine => {
          const sound = new FakeOcrEngine({ read });
          return mutate?.(sound) ?? sound;
        };
        return ocrEngineSuite({ make, fixtures });
      },
      {
        'puts boxes outside the picture': regions({ bbox: [20, 0, 20, 5] }),
        'returns a confidence above 1': regions({ confidence: 95 }),
        'joins the regions in another order': reading((text) => ({ ...text, joined: 'second line\nfirst line' })),
        'finds text where there is none': reading((text) =>
          text.joined === ''
            ? { ...text, joined: '~', regions: [{ bbox: [0, 0, 1, 1], text: '~', confidence: 1 }] }
            : text,
        ),
        'differs from call to call': reading((text) => ({ ...text, engineVersion: String(calls++) })),
        'ignores its signal': (sound) =>
          changed(sound, {
            recognize: (image, context) => sound.recognize(image, { ...context, signal: new AbortController().signal }),
          }),
      },
      (sound) => changed(sound, {}),
    );
  });
});
