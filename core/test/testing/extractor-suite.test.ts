import { describe, expect, it } from 'vitest';
import { paragraphsOf } from '../../src/chunking/paragraphs.ts';
import type { ExtractedDocument, Extractor } from '../../src/contracts/extractor.ts';
import { decodeText } from '../../src/domain/decode-text.ts';
import { KebabError } from '../../src/errors/kebab-error.ts';
import { extractorSuite } from '../../src/testing/extractor-suite.ts';
import { failuresOf } from './failures.ts';

const FIXTURES = [{ path: 'a.txt', content: 'One 😀.\r\n\r\nTwo,\nthree. 한글\n\n\nFour.' }];
let serial = 0;

/** An extractor that keeps every promise. */
const SOUND: Extractor = {
  id: 'toy',
  version: '1',
  match: { media: ['text'] },
  isolation: 'inline',
  fingerprint: () => 'toy@1',
  supports: (media) => media.kind === 'text',
  parserVersion: () => 'toy-v1',
  chunkerId: () => 'toy-v1',
  extract: ({ bytes }) => Promise.resolve(extractToy(bytes)),
};

function extractToy(bytes: Uint8Array): ExtractedDocument {
  const { text } = decodeText(bytes);
  const blocks = paragraphsOf(text).map(({ start, end, firstLine, lastLine }) => ({
    kind: 'paragraph' as const,
    start,
    end,
    headingPath: [],
    sourceSpan: { kind: 'line' as const, start: firstLine, end: lastLine },
  }));
  return { text, blocks };
}

/** An extractor whose extraction is changed in one point. */
function broken(change: (extracted: ExtractedDocument) => ExtractedDocument): Extractor {
  return { ...SOUND, extract: ({ bytes }) => Promise.resolve(change(extractToy(bytes))) };
}

function failures(extractor: Extractor, only?: string): Promise<readonly string[]> {
  return failuresOf(extractorSuite({ make: () => extractor, fixtures: FIXTURES }), only);
}

describe('extractorSuite', () => {
  it('passes an extractor that keeps its promises', async () => {
    expect(await failures(SOUND)).toEqual([]);
  });

  it('passes one that answers hostile input with an error of kebab, but not with any other', async () => {
    const failing = (error: Error): Extractor => ({
      ...SOUND,
      extract: async ({ bytes }) => {
        if (bytes[0] !== FIXTURES[0]?.content.charCodeAt(0)) throw error;
        return extractToy(bytes);
      },
    });
    expect(await failures(failing(new KebabError('generic', 'no', { details: { chain: [] } })))).toEqual([]);
    expect(await failures(failing(new TypeError('no')), 'survives newlines of every kind')).toHaveLength(1);
  });

  it.each<[string, Extractor, string]>([
    ['keeps a BOM', broken((e) => ({ ...e, text: `\uFEFF${e.text}` })), 'survives newlines of every kind'],
    [
      'keeps CRLF',
      broken((e) => ({ ...e, text: e.text.replaceAll('\n', '\r\n') })),
      'keeps ranges, spans and text of a.txt',
    ],
    ['normalises', broken((e) => ({ ...e, text: e.text.normalize('NFC') })), 'survives characters of every kind'],
    ['loses a block', broken((e) => ({ ...e, blocks: e.blocks.slice(1) })), 'keeps ranges, spans and text of a.txt'],
    [
      'turns blocks round',
      broken((e) => ({ ...e, blocks: e.blocks.toReversed() })),
      'keeps ranges, spans and text of a.txt',
    ],
    [
      'overlaps blocks',
      broken((e) => ({ ...e, blocks: e.blocks.map((block) => ({ ...block, start: Math.max(0, block.start - 3) })) })),
      'keeps ranges, spans and text of a.txt',
    ],
    [
      'counts lines from 0',
      broken((e) => ({
        ...e,
        blocks: e.blocks.map((block) => ({ ...block, sourceSpan: { kind: 'line', start: 0, end: 0 } })),
      })),
      'keeps ranges, spans and text of a.txt',
    ],
    [
      'splits a surrogate pair',
      broken((e) => ({
        ...e,
        blocks: e.blocks.flatMap((block) => {
          const pair = e.text.slice(block.start, block.end).search(/[\uD800-\uDBFF]/);
          if (pair === -1) return [block];
          const cut = block.start + pair + 1;
          return [
            { ...block, end: cut },
            { ...block, start: cut },
          ];
        }),
      })),
      'keeps ranges, spans and text of a.txt',
    ],
    [
      'differs from run to run',
      broken((e) => ({ ...e, title: `${serial++}` })),
      'gives the same for a.txt every time, in every instance',
    ],
    [
      'supports what it does not list',
      { ...SOUND, supports: () => true },
      'supports exactly what it lists, and every fixture',
    ],
    [
      'has a label without a version',
      { ...SOUND, parserVersion: () => 'toy' },
      'labels its output and names a chunker for every fixture',
    ],
    [
      'has a new fingerprint each time',
      { ...SOUND, fingerprint: () => `${serial++}` },
      'has one fingerprint, whichever instance is asked',
    ],
    [
      'changes the bytes',
      {
        ...SOUND,
        extract: ({ bytes }) => {
          const extracted = extractToy(bytes);
          bytes.fill(0);
          return Promise.resolve(extracted);
        },
      },
      'keeps ranges, spans and text of a.txt',
    ],
  ])('catches one that %s', async (_, extractor, expected) => {
    expect(await failures(extractor, expected)).toEqual([expected]);
  });

  it('catches one that takes body for front matter', async () => {
    const name = 'keeps ranges, spans and text of a.txt';
    expect(
      await failures(
        broken((e) => ({ ...e, blocks: [] })),
        name,
      ),
    ).toEqual([name]);
  });
});
