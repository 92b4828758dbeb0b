import { describe, expect, it } from 'vitest';
import { parseUri } from '../../../src/domain/uri.ts';
import type { SourceSpan } from '../../../src/domain/span.ts';
import { chunkMeets } from '../../../src/eval/suite/resolve-expectations.ts';
import type { Citation } from '../../../src/wire/index.ts';

const head = { schema_version: 'citation.v1', path: 'a', uri: 'a', content_hash: '0'.repeat(16) } as const;
const lines: Citation = { ...head, kind: 'line', start: 10, end: 20, section: null };
const code: Citation = { ...head, kind: 'code', line_start: 10, line_end: 20, symbol: null, lang: 'rust' };
const page: Citation = { ...head, kind: 'page', page: 3, section: null };
const region: Citation = { ...head, kind: 'region', x: 100, y: 50, w: 10, h: 10 };
const caption: Citation = { ...head, kind: 'caption', model: 'm' };
const time: Citation = { ...head, kind: 'time', start_ms: 1000, end_ms: 2000, speaker: null };
const pages: readonly SourceSpan[] = [3, 4].map((number) => ({
  kind: 'page',
  page: number,
  char_start: null,
  char_end: null,
}));

describe('a chunk', () => {
  it.each([
    [lines, 'a', true],
    [page, 'a', true],
    [lines, 'a#L10', true],
    [lines, 'a#L20-L90', true],
    [lines, 'a#L1-L10', true],
    [lines, 'a#L12-L13', true],
    [lines, 'a#L1-L99', true],
    [lines, 'a#L1-L9', false],
    [lines, 'a#L21-L22', false],
    [code, 'a#L20', true],
    [code, 'a#L21', false],
    [page, 'a#p=3', true],
    [page, 'a#p=4', true],
    [page, 'a#p=5', false],
    [page, 'a#L3', false],
    [region, 'a#xywh=105,55,1,1', true],
    [region, 'a#xywh=0,0,101,51', true],
    [region, 'a#xywh=0,0,100,100', false],
    [region, 'a#xywh=100,60,10,10', false],
    [region, 'a#caption', false],
    [caption, 'a#caption', true],
    [caption, 'a#xywh=0,0,1,1', false],
    [time, 'a#t=00:00:02.000,00:00:03.000', true],
    [time, 'a#t=00:00:02.001,00:00:03.000', false],
    [lines, 'a#t=00:00:02.000,00:00:03.000', false],
  ] as const)('cited as %o meets %s: %s', (citation, uri, expected) => {
    const sourceSpans = citation.kind === 'page' ? pages : [];
    expect(chunkMeets({ sourceSpans }, citation, parseUri(uri).fragment)).toBe(expected);
  });
});
