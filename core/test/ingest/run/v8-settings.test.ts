import { cachedDataVersionTag } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { growFreely, growSlowly, inlineAsUsual, inlineLittle, unoptimised } from '../../../src/ingest/run/v8-settings.ts';

describe('what V8 is told while an ingest goes over all files', () => {
  const before = cachedDataVersionTag(); // code that was kept compiled under another tag is refused

  it('is taken back when all stretches of work are done that asked for it', async () => {
    let endLonger = (): void => {};
    const longer = unoptimised(() => new Promise<void>((resolve) => (endLonger = resolve)));
    const shorter = unoptimised(async () => cachedDataVersionTag());
    expect(await shorter).not.toBe(before);
    expect(cachedDataVersionTag()).not.toBe(before);
    endLonger();
    await longer;
    expect(cachedDataVersionTag()).toBe(before);
  });

  it('is taken back when the work fails', async () => {
    const failing = unoptimised(async () => {
      throw new Error('the disk is gone');
    });
    await expect(failing).rejects.toThrow('the disk is gone');
    expect(cachedDataVersionTag()).toBe(before);
  });

  it('lets the heap grow slowly until that is taken back', () => {
    growSlowly();
    expect(cachedDataVersionTag()).not.toBe(before);
    growFreely();
    expect(cachedDataVersionTag()).toBe(before);
  });

  it('copies few functions until that is taken back', () => {
    inlineLittle();
    expect(cachedDataVersionTag()).not.toBe(before);
    inlineAsUsual();
    expect(cachedDataVersionTag()).toBe(before);
  });
});
