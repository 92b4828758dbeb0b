import { KebabError } from '@kebab/core';
import { silentCallContext } from '@kebab/testing';
import { describe, expect, it } from 'vitest';
import { readPages, type PageSource } from '../../src/document/read-pages.ts';

const context = silentCallContext();

describe('readPages', () => {
  it('continues after a page that fails', async () => {
    const pages = await readPages(new FakeFile(3, { failing: [2] }), context);
    expect(pages.map(({ kind }) => kind)).toEqual(['read', 'failed', 'read']);
    expect(pages[1]).toMatchObject({ reason: 'page 2 is broken' });
  });

  it('reopens the file after a page that times out', async () => {
    const file = new FakeFile(4, { endless: [2] });
    const pages = await readPages(file, context);
    expect(pages.map(({ kind }) => kind)).toEqual(['read', 'failed', 'read', 'read']);
    expect(file.reopened).toBe(1);
  });

  it('skips the rest after three pages that time out', async () => {
    const file = new FakeFile(10, { endless: [1, 3, 4, 6] });
    const pages = await readPages(file, context);
    expect(pages.map(({ kind }) => kind)).toEqual([
      'failed',
      'read',
      'failed',
      'failed',
      ...Array.from({ length: 6 }, () => 'failed'),
    ]);
    expect(pages[9]).toMatchObject({ reason: 'not tried after 3 pages that took too long' });
    expect(file.reopened).toBe(2);
  });

  it('skips the rest if the file cannot be reopened', async () => {
    const pages = await readPages(new FakeFile(3, { endless: [1], opensAgain: false }), context);
    expect(pages[2]).toMatchObject({ kind: 'failed', reason: 'it does not open' });
  });

  it('propagates a cancellation', async () => {
    const cancelled = silentCallContext(AbortSignal.abort());
    await expect(readPages(new FakeFile(3, {}), cancelled)).rejects.toMatchObject({ code: 'cancelled' });
  });
});

interface Faults {
  readonly failing?: readonly number[];
  readonly endless?: readonly number[];
  readonly opensAgain?: boolean;
}

/** A file whose pages fail or hang as configured. */
class FakeFile implements PageSource {
  readonly numPages: number;
  readonly #faults: Faults;
  isStuck = false;
  reopened = 0;

  constructor(numPages: number, faults: Faults) {
    this.numPages = numPages;
    this.#faults = faults;
  }

  getPage(number: number): ReturnType<PageSource['getPage']> {
    if (this.#faults.failing?.includes(number) === true) return Promise.reject(new Error(`page ${number} is broken`));
    if (this.#faults.endless?.includes(number) === true) return Promise.reject(new TooLong());
    const page = {
      view: [0, 0, 595, 842],
      getViewport: () => ({ transform: [1, 0, 0, 1, 0, 0] }),
      streamTextContent: () => ReadableStream.from([]),
      getAnnotations: () => Promise.resolve([]),
      cleanup: () => true,
    };
    return Promise.resolve(page as unknown as Awaited<ReturnType<PageSource['getPage']>>);
  }

  async limited<T>(work: Promise<T>, operation: string): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof TooLong)) throw error;
      this.isStuck = true;
      throw new KebabError('timeout', 'it took too long', { details: { operation, after_ms: 1 } });
    }
  }

  reopen(): Promise<void> {
    if (this.#faults.opensAgain === false) return Promise.reject(new Error('it does not open'));
    this.isStuck = false;
    this.reopened++;
    return Promise.resolve();
  }
}

class TooLong extends Error {}
