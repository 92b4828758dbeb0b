import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CallContext } from '../../src/contracts/contribution.ts';
import type { ExtractInput, ExtractedDocument, Extractor } from '../../src/contracts/extractor.ts';
import { decodeText } from '../../src/domain/decode-text.ts';
import { cancelled } from '../../src/errors/abort.ts';
import { invalidInput } from '../../src/errors/invalid-input.ts';
import { largeInputCases } from '../../src/testing/extractor-large-cases.ts';
import { failuresOf } from './failures.ts';

const READS = 'reads or refuses fifty megabytes of a.txt';
const STOPS = 'stops in the middle of megabytes of a.txt';
const MANY_MINUTES_MS = 10 * 60_000;
const MEGABYTE = 2 ** 20;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

afterEach(() => void vi.useRealTimers());

type Extract = (bytes: Uint8Array, signal: AbortSignal) => ExtractedDocument | Promise<ExtractedDocument>;

/** The whole file as one paragraph. */
function wholeFile(bytes: Uint8Array): ExtractedDocument {
  const { text } = decodeText(bytes);
  const end = text.trimEnd().length;
  const lastLine = (text.slice(0, end).match(/\n/g)?.length ?? 0) + 1;
  const place = { start: 0, end, sourceSpan: { kind: 'line', start: 1, end: lastLine } } as const;
  return { text, blocks: [{ kind: 'paragraph', headingPath: [], ...place }] };
}

/** The cases that fail for an extractor, with as much time as any of them may want to wait. */
async function failures(extract: Extract, only?: string): Promise<readonly string[]> {
  const extractor: Extractor = {
    id: 'toy',
    version: '1',
    match: { media: ['text'] },
    isolation: 'worker',
    fingerprint: () => 'toy@1',
    supports: (media) => media.kind === 'text',
    parserVersion: () => 'toy-v1',
    chunkerId: () => 'toy-v1',
    extract: async ({ bytes }: ExtractInput, { signal }: CallContext) => extract(bytes, signal),
  };
  const cases = largeInputCases({ make: () => extractor }, { path: 'a.txt', content: 'One 😀.\r\n\r\n한글 two,\n' });
  const running = failuresOf({ contract: 'Extractor', cases }, only);
  await vi.advanceTimersByTimeAsync(MANY_MINUTES_MS);
  return running;
}

/** Work that is never done; it ends, if at all, as `onAbort` says. */
function endless(signal: AbortSignal, onAbort: () => Error | null): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      const error = onAbort();
      if (error !== null) reject(error);
    });
  });
}

/** Work that takes `ms`, whatever happens meanwhile. */
function slow(bytes: Uint8Array, ms: number): Promise<ExtractedDocument> {
  return new Promise((resolve) => setTimeout(() => resolve(wholeFile(bytes)), ms));
}

const READ_IN_ONE_GO: Extract = wholeFile;
const REFUSED: Extract = (bytes) => {
  if (bytes.length > MEGABYTE) throw invalidInput('it is too large');
  return wholeFile(bytes);
};

describe('largeInputCases', () => {
  it('passes an extractor that reads megabytes in one go, and one that refuses them', async () => {
    expect(await failures(READ_IN_ONE_GO)).toEqual([]);
    expect(await failures(REFUSED)).toEqual([]);
  });

  it.each<[string, Extract, string]>([
    ['takes half a minute', (bytes) => slow(bytes, 30_000), READS],
    ['ends as cancelled', (_, signal) => endless(signal, () => cancelled('extract')), STOPS],
    ['passes on the reason of the signal', (_, signal) => endless(signal, () => signal.reason as Error), STOPS],
  ])('passes one that %s', async (_, extract, promise) => {
    expect(await failures(extract, promise)).toEqual([]);
  });

  it.each<[string, Extract, string]>([
    ['never comes to an end', (_, signal) => endless(signal, () => null), READS],
    ['breaks in a way of its own', () => Promise.reject(new RangeError('Invalid string length')), READS],
    ['reads only the first of them', (bytes) => wholeFile(bytes.subarray(0, MEGABYTE)), READS],
    ['leaves out the last of them', (bytes) => ({ ...wholeFile(bytes), blocks: [] }), READS],
    ['does not hear the signal', (bytes) => slow(bytes, 60_000), STOPS],
    ['takes the signal for a failure', (_, signal) => endless(signal, () => new TypeError('no input')), STOPS],
  ])('catches one that %s', async (_, extract, promise) => {
    expect(await failures(extract, promise)).toEqual([promise]);
  });
});
