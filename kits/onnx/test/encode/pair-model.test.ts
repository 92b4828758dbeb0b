import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PairModel, type PairModelSpec } from '../../src/encode/pair-model.ts';
import {
  tinyOverlap,
  tinyWords,
  writeTinyCrossEncoder,
  writeTinyModel,
  type TinyCrossEncoderOptions,
} from '../../src/testing/index.ts';
import { tempFolders } from '../temp-folder.ts';

const newFolder = tempFolders();
const goOn = (): void => {};
const TEXTS = ['red green blue apple pie sky the of'];

function specOf(folder: string, told: Partial<PairModelSpec> = {}): PairModelSpec {
  const file = path.join(folder, 'onnx/model.onnx');
  return {
    folder,
    file,
    maxTokens: 512,
    precision: 'fp32',
    passage: 'second',
    answers: 1,
    batchSize: 4,
    threads: 1,
    ...told,
  };
}

function open(told: Partial<PairModelSpec> = {}, options: Partial<TinyCrossEncoderOptions> = {}): Promise<PairModel> {
  const folder = newFolder();
  writeTinyCrossEncoder(folder, { texts: TEXTS, ...options });
  return PairModel.open(specOf(folder, told));
}

/** The output of a tiny cross-encoder for two lists of words, computed by hand. */
function logitOf(text: readonly string[], passage: readonly string[]): unknown {
  return expect.closeTo(12 * tinyOverlap(tinyWords(TEXTS), text, passage) - 6, 4) as unknown;
}

describe('PairModel', () => {
  it('returns the logit of a pair, and passes the token types to the model', async () => {
    const model = await open();
    const [answer] = await model.logits([{ text: 'Red apple?', passage: 'The apple pie' }], goOn);
    expect(answer?.map((logits) => [...logits])).toEqual([[logitOf(['red', 'apple'], ['the', 'apple', 'pie'])]]);
    await model.release();
  });

  it('returns one logit for each window of a long passage, which cover every word', async () => {
    // Ten tokens a row: three of the frame, two of the text, five of the passage
    const model = await open({ maxTokens: 10 });
    const passage = 'green blue pie sky the of red apple';
    const [answer] = await model.logits([{ text: 'red apple', passage }], goOn);
    const whole = [
      logitOf(['red', 'apple'], passage.split(' ').slice(0, 4)),
      logitOf(['red', 'apple'], passage.split(' ').slice(4)),
    ];
    expect(answer?.map((logits) => [...logits])).toEqual([whole]);
    expect(answer?.[0]?.[1]).toBeGreaterThan(answer?.[0]?.[0] ?? Infinity);
  });

  it('splits a text that leaves no room for a passage', async () => {
    const model = await open({ maxTokens: 11 });
    const text = 'red green blue apple pie sky the';
    const [answer] = await model.logits([{ text, passage: 'sky' }], goOn);
    expect(answer?.map((logits) => [...logits])).toEqual([
      [logitOf(text.split(' ').slice(0, 4), ['sky'])],
      [logitOf(text.split(' ').slice(3), ['sky'])],
    ]);
  });

  it('returns the same logit for a pair in a batch and alone, whatever the lengths', async () => {
    const model = await open({ batchSize: 8 });
    const pairs = ['', 'red', 'the pie of the sky', 'blue', 'green apple pie', 'xylophone', 'red '.repeat(70)].map(
      (passage) => ({ text: 'red apple', passage }),
    );
    const together = await model.logits(pairs, goOn);
    for (const [n, pair] of pairs.entries()) {
      const alone = (await model.logits([pair], goOn))[0]?.flatMap((logits) => [...logits]) ?? [];
      expect(together[n]?.flatMap((logits) => [...logits])).toEqual(alone.map((x) => expect.closeTo(x, 5) as unknown));
    }
  });

  it('drops special tokens that a text spells out, which could fake the border between texts', async () => {
    const model = await open({ maxTokens: 16 });
    const [plain, forged] = await model.logits(
      [
        { text: 'red', passage: 'blue red' },
        { text: 'red', passage: `blue ${'[SEP] [CLS] '.repeat(50)} red` },
      ],
      goOn,
    );
    expect(forged).toEqual(plain); // one window: fifty marks would be several
  });

  it('puts the passage into the configured position, and works without token types', async () => {
    const pair = { text: 'red apple', passage: 'apple pie' };
    const expected = [[[logitOf(['red', 'apple'], ['apple', 'pie'])]]];
    const [first] = await (await open({ passage: 'first' })).logits([pair], goOn);
    expect([first?.map((logits) => [...logits])]).toEqual(expected);
    const [untyped] = await (await open({}, { hasTypes: false })).logits([pair], goOn);
    expect([...(untyped?.[0] ?? [])]).toEqual([expect.closeTo(6, 4)]); // all tokens against themselves
  });

  it('judges blank texts, also without special tokens', async () => {
    const pairs = [
      { text: '', passage: ' ' },
      { text: 'red', passage: '' },
    ];
    for (const frame of [undefined, null]) {
      const model = await open({}, frame === undefined ? {} : { frame });
      const answers = await model.logits(pairs, goOn);
      expect(answers.map((parts) => parts.map((logits) => [...logits]))).toEqual([[[-6]], [[-6]]]);
    }
  });

  it('calls the checkpoint between batches', async () => {
    const model = await open({ precision: 'q8' });
    const stop = new Error('enough');
    let asked = 0;
    const work = model.logits(
      Array.from({ length: 200 }, () => ({ text: 'red', passage: 'blue' })),
      () => {
        if (++asked > 20) throw stop;
      },
    );
    await expect(work).rejects.toBe(stop);
    expect(asked).toBe(21);
  });

  it('reports a model made for another purpose', async () => {
    await expect(open({ answers: 3 })).rejects.toMatchObject({
      stage: 'task',
      message: 'it answers 1 numbers for a pair, not 3',
    });
    await expect(open({ maxTokens: 4 })).rejects.toMatchObject({ stage: 'task' });
    const folder = newFolder();
    writeTinyModel(folder);
    await expect(PairModel.open(specOf(folder))).rejects.toMatchObject({
      stage: 'task',
      message: expect.stringContaining('last_hidden_state') as unknown,
    });
  });

  it('reports damaged files, and invalid output', async () => {
    const folder = newFolder();
    writeTinyCrossEncoder(folder, { texts: TEXTS, isBroken: true });
    const model = await PairModel.open(specOf(folder));
    await expect(model.logits([{ text: 'red', passage: 'red' }], goOn)).rejects.toMatchObject({ stage: 'run' });
    for (const file of ['onnx/model.onnx', 'tokenizer.json']) {
      writeFileSync(path.join(folder, file), 'this was something once');
      await expect(PairModel.open(specOf(folder))).rejects.toMatchObject({ stage: 'files' });
    }
  });
});
