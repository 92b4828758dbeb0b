import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { SourceSpan } from '../../src/domain/span.ts';
import { WIRE_NAMES, WIRE_SCHEMA_NAMES, type WireName } from '../../src/wire/names.ts';
import { SourceSpanSchema } from '../../src/wire/inspect.ts';
import { WIRE_SCHEMAS } from '../../src/wire/schemas.ts';
import { parseWire } from './parse-wire.ts';

const specification = fileURLToPath(new URL('../../../../shared/SPEC.md', import.meta.url));

describe('WIRE_SCHEMAS', () => {
  it('contains exactly the names that are listed without loading it', () => {
    expect(Object.keys(WIRE_SCHEMAS)).toEqual(WIRE_NAMES);
    expect(WIRE_SCHEMA_NAMES).toEqual(WIRE_NAMES.map((name) => `${name}.v1`));
    expect(WIRE_NAMES.toSorted()).toEqual(WIRE_NAMES);
  });

  it('accepts every span that the domain can produce', () => {
    const spans: readonly SourceSpan[] = [
      { kind: 'line', start: 10, end: 20 },
      { kind: 'byte', start: 0, end: 512 },
      { kind: 'page', page: 13, char_start: 0, char_end: 900 },
      { kind: 'page', page: 1, char_start: null, char_end: null },
      { kind: 'region', x: 0, y: 0, w: 640, h: 480 },
      { kind: 'time', start_ms: 0, end_ms: 9000 },
      { kind: 'code', line_start: 10, line_end: 42, symbol: 'Foo::bar', lang: 'rust' },
    ];
    for (const span of spans) expect(SourceSpanSchema.parse(span)).toEqual(span);
  });

  it('accepts the documented example of a citation', () => {
    const text =
      '{"schema_version":"citation.v1","kind":"code","path":"src/ingest.rs","uri":"src/ingest.rs#L10-L42",' +
      '"content_hash":"0f3c9a5d1b7e2468","line_start":10,"line_end":42,"symbol":"ingest","lang":"rust"}';
    expect(parseWire('citation', JSON.parse(text))).toEqual(JSON.parse(text));
  });

  it('accepts the documented example of a degraded search', () => {
    const text =
      '{"schema_version":"search_response.v1","hits":[],"next_cursor":null,"truncated":false,"mode":"lexical",' +
      '"degraded":[{"stage":"vector","reason":"model_not_pulled","hint":"kebab models pull"}]}';
    expect(parseWire('search_response', JSON.parse(text))).toEqual(JSON.parse(text));
  });

  it.skipIf(!existsSync(specification))('accepts every JSON example of the specification (skipped without it)', () => {
    const chapter =
      readFileSync(specification, 'utf8')
        .split(/^## /m)
        .find((text) => text.startsWith('5. ')) ?? '';
    const examples = [...chapter.matchAll(/^```json\n(.*?)^```/gms)].map(([, text = '']) => JSON.parse(text));
    expect(examples.length).toBeGreaterThanOrEqual(2);
    for (const example of examples) {
      const name = String(example.schema_version).replace(/\.v1$/, '') as WireName;
      expect(WIRE_NAMES).toContain(name);
      expect(parseWire(name, example)).toEqual(example);
    }
  });

  it.skipIf(!existsSync(specification))('has the names the specification lists (skipped without it)', () => {
    const [, listed = ''] = /^Schemas: `([^`]+)`/m.exec(readFileSync(specification, 'utf8')) ?? [];
    expect(WIRE_NAMES).toEqual(expect.arrayContaining(listed.split(' ')));
  });
});

describe('parseWire', () => {
  it('names the object and the path of every deviation', () => {
    const broken = { schema_version: 'doc_list.v1', docs: [], total: -1, next_cursor: 7 };
    expect(() => parseWire('doc_list', broken)).toThrow(/doc_list\.v1[^]*total[^]*next_cursor/);
  });

  it('rejects a bulk item that has both a response and an error, or neither', () => {
    const empty = { schema_version: 'bulk_search_item.v1', query: null, response: null, error: null };
    expect(() => parseWire('bulk_search_item', empty)).toThrow('exactly one of response and error');
  });

  it('rejects a doctor report whose verdict contradicts its checks', () => {
    const checks = [{ name: 'sqlite_open', ok: false, detail: 'missing' }];
    expect(() => parseWire('doctor', { schema_version: 'doctor.v1', ok: true, checks })).toThrow(
      'ok contradicts the checks',
    );
  });
});
