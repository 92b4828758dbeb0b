import { describe, expect, it, afterEach, beforeEach, vi } from 'vitest';
import { paragraphsOf } from '../../core/src/chunking/prose-pieces.ts';
import type { ExtractedDocument, Extractor, ExtractInput } from '../../core/src/contracts/extractor.ts';
import { decodeText } from '../../core/src/domain/decode-text.ts';
import { KebabError } from '../../core/src/errors/kebab-error.ts';
import { extractorSuite, largeInputCases } from '../src/extractor-suite.ts';
import { hostileTexts } from '../src/hostile-texts.ts';
import { failuresOf } from './failures.ts';
import { expectAllCaught } from './mutations/mutants.ts';
import type { CallContext } from '../../core/src/contracts/contribution.ts';
import { cancelled } from '../../core/src/errors/abort.ts';
import { invalidInput } from '../../core/src/errors/invalid-input.ts';

const FIXTURES = [{ path: 'a.txt', content: 'One 😀.\r\n\r\nTwo,\nthree. 한글\n\n\nFour.' }];
let serial = 0;
let left = 0;
let current = new Uint8Array();

/** An extractor that meets its contract. */
const SOUND: Extractor = {
  id: 'toy',
  version: '1',
  match: { media: ['text'] },
  isolation: 'inline',
  fingerprint: () => 'toy@1',
  supports: (media) => media.kind === 'text',
  parserVersion: () => 'toy-v1',
  chunkerId: () => 'toy-v1',
  extract: ({ bytes }) => extractToy(bytes),
};

async function extractToy(bytes: Uint8Array): Promise<ExtractedDocument> {
  const { text } = await decodeText(bytes);
  const blocks = paragraphsOf(text).map(({ start, end, firstLine, lastLine }) => ({
    kind: 'paragraph' as const,
    start,
    end,
    headingPath: [],
    sourceSpan: { kind: 'line' as const, start: firstLine, end: lastLine },
  }));
  return { text, blocks };
}

/** An extractor whose extraction is modified in one point. */
function broken(change: (extracted: ExtractedDocument) => ExtractedDocument): Extractor {
  return { ...SOUND, extract: async ({ bytes }) => change(await extractToy(bytes)) };
}

/** The short ones: the long ones take seconds, and test an extractor rather than the suite. */
const HOSTILE = hostileTexts().filter(({ bytes }) => bytes.length < 100_000);

function failures(extractor: Extractor, only?: string): Promise<readonly string[]> {
  return failuresOf(extractorSuite({ make: () => extractor, fixtures: FIXTURES, hostile: HOSTILE }), only);
}

describe('extractorSuite', () => {
  it('passes one that rejects hostile input with a KebabError, but with no other error', async () => {
    const failing = (error: Error): Extractor => ({
      ...SOUND,
      extract: async ({ bytes }) => {
        if (bytes[0] !== FIXTURES[0]?.content.charCodeAt(0)) throw error;
        return extractToy(bytes);
      },
    });
    const survives = 'survives newlines of every kind';
    expect(await failures(failing(new KebabError('generic', 'no', { details: { chain: [] } })), survives)).toEqual([]);
    expect(await failures(failing(new TypeError('no')), survives)).toEqual([survives]);
  });

  it.each<[string, (extracted: ExtractedDocument) => ExtractedDocument]>([
    [
      'loses the last passage',
      (e) => ({ text: e.text.slice(0, e.blocks.at(-1)?.start), blocks: e.blocks.slice(0, -1) }),
    ],
    [
      'counts lines from 0',
      (e) => ({
        ...e,
        blocks: e.blocks.map((block) => ({ ...block, sourceSpan: { kind: 'line', start: 0, end: 0 } })),
      }),
    ],
    [
      'measures in bytes',
      (e) => {
        const size = (end: number): number => Math.min(e.text.length, Buffer.byteLength(e.text.slice(0, end)));
        return {
          ...e,
          blocks: e.blocks.map((block) => ({ ...block, start: size(block.start), end: size(block.end) })),
        };
      },
    ],
  ])('detects by the passages of a fixture one that %s', async (_, change) => {
    const fixtures = [{ ...FIXTURES[0], path: 'a.txt', content: '😀 One.\n\nTwo.\n', passages: { 'Two.': 'L3-L3' } }];
    const promise = 'finds the passages of a.txt, each in its place';
    const suite = (extractor: Extractor) => extractorSuite({ make: () => extractor, fixtures });
    expect(await failuresOf(suite(SOUND), promise)).toEqual([]);
    expect(await failuresOf(suite(broken(change)), promise)).toEqual([promise]);
  });

  it('detects every mutation', async () => {
    await expectAllCaught<Extractor>(
      (extractor) => extractorSuite({ make: () => extractor ?? SOUND, fixtures: FIXTURES, hostile: HOSTILE }),
      {
        'keeps a BOM': broken((e) => ({ ...e, text: `\uFEFF${e.text}` })),
        'keeps CRLF': broken((e) => ({ ...e, text: e.text.replaceAll('\n', '\r\n') })),
        normalises: broken((e) => ({ ...e, text: e.text.normalize('NFC') })),
        'treats the body as front matter': broken((e) => ({ ...e, blocks: [] })),
        'loses a block': broken((e) => ({ ...e, blocks: e.blocks.slice(1) })),
        'reverses blocks': broken((e) => ({ ...e, blocks: e.blocks.toReversed() })),
        'overlaps blocks': broken((e) => ({
          ...e,
          blocks: e.blocks.map((block) => ({ ...block, start: Math.max(0, block.start - 3) })),
        })),
        'counts lines from 0': broken((e) => ({
          ...e,
          blocks: e.blocks.map((block) => ({ ...block, sourceSpan: { kind: 'line', start: 0, end: 0 } })),
        })),
        'splits a surrogate pair': broken((e) => ({
          ...e,
          blocks: e.blocks.flatMap((block) => {
            const pair = e.text.slice(block.start, block.end).search(/[\uD800-\uDBFF]/);
            const cut = block.start + pair + 1;
            return pair === -1
              ? [block]
              : [
                  { ...block, end: cut },
                  { ...block, start: cut },
                ];
          }),
        })),
        'differs from run to run': broken((e) => ({ ...e, title: `${serial++}` })),
        'supports what it does not list': { ...SOUND, supports: () => true },
        'has a label without a version': { ...SOUND, parserVersion: () => 'toy' },
        'returns other spans than it declares': { ...SOUND, spans: ['page'] },
        'has a new fingerprint each time': { ...SOUND, fingerprint: () => `${serial++}` },
        'modifies the bytes': {
          ...SOUND,
          extract: async ({ bytes }) => {
            const extracted = await extractToy(bytes);
            bytes.fill(0);
            return extracted;
          },
        },
        'shares state between files read at the same time': {
          ...SOUND,
          extract: async ({ bytes }) => {
            current = new Uint8Array(bytes);
            await Promise.resolve();
            return extractToy(current);
          },
        },
        'leaves something of a damaged file': {
          ...SOUND,
          extract: async ({ bytes }) => {
            const extracted = await extractToy(bytes);
            if (extracted.blocks.length < 3) left += 1; // reset only by a complete file
            return {
              ...extracted,
              warnings: Array.from({ length: left }, () => ({ kind: 'extract_failed', note: 'left over' })),
            };
          },
        },
      },
      null,
    );
  });
});

describe('largeInputCases', () => {
  const READS = 'reads or rejects many megabytes of a.txt';
  const STOPS = 'stops in the middle of megabytes of a.txt';
  const MANY_MINUTES_MS = 10 * 60_000;
  const MEGABYTE = 2 ** 20;

  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

  afterEach(() => void vi.useRealTimers());

  type Extract = (bytes: Uint8Array, signal: AbortSignal) => ExtractedDocument | Promise<ExtractedDocument>;

  /** The whole file as one paragraph. */
  async function wholeFile(bytes: Uint8Array): Promise<ExtractedDocument> {
    const { text } = await decodeText(bytes);
    const end = text.trimEnd().length;
    const lastLine = (text.slice(0, end).match(/\n/g)?.length ?? 0) + 1;
    const place = { start: 0, end, sourceSpan: { kind: 'line', start: 1, end: lastLine } } as const;
    return { text, blocks: [{ kind: 'paragraph', headingPath: [], ...place }] };
  }

  /** The names of the cases that fail for an extractor, with as much time as any of them may wait. */
  async function failuresOnLarge(extract: Extract, only?: string): Promise<readonly string[]> {
    const extractor: Extractor = {
      ...SOUND,
      extract: async ({ bytes }: ExtractInput, { signal }: CallContext) => extract(bytes, signal),
    };
    const fixture = { path: 'a.txt', content: 'One 😀.\r\n\r\n한글 two,\n' };
    const cases = largeInputCases({ make: () => extractor }, fixture, 3 * MEGABYTE);
    const running = failuresOf({ contract: 'Extractor', cases }, only);
    await vi.advanceTimersByTimeAsync(MANY_MINUTES_MS);
    return running;
  }

  /** Work that never finishes; on an abort it ends as `onAbort` says. */
  function endless(signal: AbortSignal, onAbort: () => Error | null): Promise<never> {
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        const error = onAbort();
        if (error !== null) reject(error);
      });
    });
  }

  /** Work that takes `ms`, regardless of the signal. */
  function slow(bytes: Uint8Array, ms: number): Promise<ExtractedDocument> {
    return new Promise((resolve) => setTimeout(() => resolve(wholeFile(bytes)), ms));
  }

  const READ_IN_ONE_GO: Extract = wholeFile;
  const REFUSED: Extract = (bytes) => {
    if (bytes.length > MEGABYTE) throw invalidInput('it is too large');
    return wholeFile(bytes);
  };

  it('passes an extractor that reads megabytes synchronously, and one that rejects them', async () => {
    expect(await failuresOnLarge(READ_IN_ONE_GO)).toEqual([]);
    expect(await failuresOnLarge(REFUSED)).toEqual([]);
  });

  it.each<[string, Extract, string]>([
    ['takes half a minute', (bytes) => slow(bytes, 30_000), READS],
    ['ends as cancelled', (_, signal) => endless(signal, () => cancelled('extract')), STOPS],
    ['passes on the reason of the signal', (_, signal) => endless(signal, () => signal.reason as Error), STOPS],
  ])('passes one that %s', async (_, extract, promise) => {
    expect(await failuresOnLarge(extract, promise)).toEqual([]);
  });

  it.each<[string, Extract, string]>([
    ['never finishes', (_, signal) => endless(signal, () => null), READS],
    ['throws its own error', () => Promise.reject(new RangeError('Invalid string length')), READS],
    ['reads only the first of them', (bytes) => wholeFile(bytes.subarray(0, MEGABYTE)), READS],
    ['omits the last of them', async (bytes) => ({ ...(await wholeFile(bytes)), blocks: [] }), READS],
    ['ignores the signal', (bytes) => slow(bytes, 60_000), STOPS],
    ['reports the signal as a failure', (_, signal) => endless(signal, () => new TypeError('no input')), STOPS],
  ])('detects one that %s', async (_, extract, promise) => {
    expect(await failuresOnLarge(extract, promise)).toEqual([promise]);
  });
});
