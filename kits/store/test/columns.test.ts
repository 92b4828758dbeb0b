import type { MediaType, SourceSpan } from '@kebab/core';
import type { Chunk, ProvenanceEvent } from '@kebab/core/store';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeHeadingPath,
  decodeProvenance,
  decodeSectionLabel,
  decodeSpans,
  encodeHeadingPath,
  encodeProvenance,
  encodeSectionLabel,
  encodeSpans,
  mediaSubtype,
  mediaTypeName,
  toMediaType,
} from '../src/columns.ts';

describe('heading columns', () => {
  const name = fc.oneof(fc.constantFrom('', 'Title', '0'), fc.string({ unit: 'grapheme' }));

  it('are decoded to the path and label that were encoded', () => {
    const label = fc.option(fc.oneof(name, fc.constantFrom('§1 Title')));
    fc.assert(
      fc.property(fc.array(name, { maxLength: 4 }), name, label, (path, title, given) => {
        const stored = encodeHeadingPath(path, title);
        expect(decodeHeadingPath(stored, title)).toEqual(path);
        expect(decodeSectionLabel(encodeSectionLabel(given, path), path)).toBe(given);
      }),
    );
  });

  it('omit the title of the document, and a label that equals the last heading', () => {
    expect(encodeHeadingPath(['Title', 'See also'], 'Title')).toBe('[0,"See also"]');
    expect(encodeSectionLabel('See also', ['Title', 'See also'])).toBeNull();
    expect(encodeSectionLabel(null, [])).toBeNull();
    expect(encodeSectionLabel('Foo::bar', ['Title'])).toBe('Foo::bar');
  });
});

describe('span columns', () => {
  it.each([
    ['one line span', [{ kind: 'line', start: 3, end: 9 }], '[3,9]'],
    [
      'two line spans',
      [
        { kind: 'line', start: 3, end: 9 },
        { kind: 'line', start: 12, end: 12 },
      ],
      '[[3,9],[12,12]]',
    ],
    ['no span', [], '[]'],
    [
      'a page span',
      [{ kind: 'page', page: 2, char_start: null, char_end: 4 }],
      '[{"kind":"page","page":2,"char_start":null,"char_end":4}]',
    ],
  ] as readonly (readonly [string, readonly SourceSpan[], string])[])(
    'encode %s compactly and decode it again',
    (_name, spans, stored) => {
      expect(encodeSpans(spans)).toBe(stored);
      expect(decodeSpans(stored)).toEqual(spans satisfies Chunk['sourceSpans']);
    },
  );
});

describe('media columns', () => {
  it.each([
    [{ kind: 'markdown' }, 'markdown'],
    [{ kind: 'text' }, 'text'],
    [{ kind: 'pdf' }, 'pdf'],
    [{ kind: 'image', type: 'png' }, 'image/png'],
    [{ kind: 'audio', type: 'mp3' }, 'audio/mp3'],
    [{ kind: 'code', lang: 'rust' }, 'code/rust'],
    [{ kind: 'other', ext: '' }, 'other/'],
  ] as readonly (readonly [MediaType, string])[])('give back %j', (type, name) => {
    expect(mediaTypeName(type)).toBe(name);
    expect(toMediaType(type.kind, mediaSubtype(type))).toEqual(type);
  });
});

describe('provenance', () => {
  const labels = { parser_version: 'markdown-v1', chunker_version: 'md-heading-v1' };
  const note = (text: string | null): ProvenanceEvent => ({ at: new Date(5), agent: 'x', kind: 'parsed', note: text });

  it('is decoded to what was encoded, with the labels of the document stored as numbers', () => {
    const events = [null, 'markdown-v1', 'md-heading-v1', 'a warning'].map(note);
    const json = encodeProvenance(events, labels);
    expect(json).toBe('[[5,"x",1],[0,"x",1,0],[0,"x",1,1],[0,"x",1,"a warning"]]');
    expect(decodeProvenance(json, labels)).toEqual(events);
  });

  it('is decoded from databases that store labels as strings', () => {
    expect(decodeProvenance('[[5,"x",1,"markdown-v1"]]', labels)).toEqual([note('markdown-v1')]);
  });
});
