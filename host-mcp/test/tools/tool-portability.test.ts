import { FILTERS } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/protocol/surface.ts';
import { LiveApp } from '../../src/live-app.ts';
import { PROMPTS, ALL_TOOLS, INSTRUCTIONS } from '../../src/kebab-surface.ts';
import { serveTool } from '../../src/tools/tool.ts';

interface Described {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations: JsonObject;
}

const live = new LiveApp({ open: () => Promise.reject(new Error('not needed')), cwd: '/', readonly: false });
const described = ALL_TOOLS.map((tool) => serveTool(tool, live).described) as unknown as readonly Described[];

/** Every schema in a schema, itself first. */
function* schemasIn(schema: JsonObject): Generator<JsonObject> {
  yield schema;
  for (const [keyword, value] of Object.entries(schema)) {
    if (['const', 'enum', 'required', 'examples'].includes(keyword)) continue;
    const inner = keyword === 'properties' || keyword === '$defs' ? Object.values(value as object) : [value].flat();
    for (const each of inner as readonly unknown[])
      if (typeof each === 'object' && each !== null) yield* schemasIn(each as JsonObject);
  }
}

/** The features of a schema that hosts are known to reject. */
function faultsOf(schema: JsonObject): readonly string[] {
  const faults: string[] = [];
  if (schema['type'] !== 'object') faults.push('the root is no object');
  for (const keyword of ['$ref', '$id', '$schema', 'oneOf', 'anyOf', 'allOf', 'not', 'if'])
    if (keyword in schema) faults.push(`${keyword} at the root`);
  for (const each of schemasIn(schema)) {
    if (Array.isArray(each['type'])) faults.push('a list of types');
    const { $ref } = each;
    if ($ref !== undefined && !Object.keys(schema['$defs'] ?? {}).includes(($ref as string).slice('#/$defs/'.length)))
      faults.push(`${JSON.stringify($ref)} leads nowhere`);
  }
  return faults;
}

describe('the linter of schemas', () => {
  it('reports each keyword of a schema that hosts reject', () => {
    const bad = { oneOf: [], $ref: '#/x', properties: { a: { type: ['string', 'null'] }, b: { $ref: '#/$defs/b' } } };
    expect(faultsOf(bad)).toHaveLength(6);
  });
});

describe.each(described)('$name', ({ name, title, description, inputSchema, annotations }) => {
  it('has schemas that every host accepts', () => {
    expect(faultsOf(inputSchema)).toEqual([]);
  });

  it('has a flat, closed input without unions, in which every field is described, filters in search alone', () => {
    for (const schema of schemasIn(inputSchema)) {
      expect(Object.keys(schema)).not.toEqual(expect.arrayContaining(['anyOf']));
      expect(Object.keys(schema)).not.toEqual(expect.arrayContaining(['oneOf']));
      if (schema['type'] === 'object' && 'properties' in schema) expect(schema['additionalProperties']).toBe(false);
      for (const [key, field] of Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonObject>>))
        if (name === 'search' || !(key in FILTERS)) expect(String(field['description']).length).toBeGreaterThan(10);
    }
  });

  it('is named and annotated as hosts expect', () => {
    expect(name).toMatch(/^[a-z_]{1,64}$/);
    expect(title.length).toBeGreaterThan(5);
    expect(description.length).toBeGreaterThan(40);
    const writes = name.startsWith('ingest_');
    expect(annotations).toEqual(
      writes || name === 'ask' // a conversation is recorded
        ? { readOnlyHint: false, destructiveHint: false, idempotentHint: writes, openWorldHint: false }
        : { readOnlyHint: true, openWorldHint: false },
    );
  });
});

describe('the tools together', () => {
  it('are in the order of the specification', () => {
    expect(described.map(({ name }) => name)).toEqual([
      'search',
      'bulk_search',
      'grep',
      'ask',
      'fetch',
      'symbol',
      'list_docs',
      'schema',
      'doctor',
      'verify_citation',
      'related',
      'ingest_file',
      'ingest_stdin',
    ]);
  });

  it('are listed in at most 14 KB, because a host sends the list to its model repeatedly', () => {
    expect(Buffer.byteLength(JSON.stringify({ tools: described }))).toBeLessThanOrEqual(14_000);
  });

  it('require what a call cannot do without, and no more', () => {
    const required = described.map(({ name, inputSchema }) => [name, inputSchema['required'] ?? []]);
    expect(Object.fromEntries(required)).toEqual({
      search: ['query'],
      bulk_search: ['queries'],
      grep: ['pattern'],
      ask: ['question'],
      fetch: [],
      symbol: ['name'],
      list_docs: [],
      schema: [],
      doctor: [],
      verify_citation: ['uri'],
      related: ['uri'],
      ingest_file: ['path'],
      ingest_stdin: ['content', 'title'],
    });
  });

  it('give an argument name only one meaning', () => {
    const types = new Map<string, unknown>();
    for (const { inputSchema } of described)
      for (const [name, field] of Object.entries(inputSchema['properties'] as Readonly<Record<string, JsonObject>>)) {
        if (name === 'source' || name === 'doc_id') continue; // a filter accepts several, a place is in one
        expect([name, types.get(name) ?? field['type']]).toEqual([name, field['type']]);
        types.set(name, field['type']);
      }
  });

  it('are explained in instructions short enough that hosts do not cut them', () => {
    expect([...INSTRUCTIONS].length).toBeLessThanOrEqual(2000);
    for (const { name } of described) expect(INSTRUCTIONS).toContain(name);
  });
});

describe('prompts', () => {
  it('and their arguments all have a description', () => {
    expect(PROMPTS.map(({ name }) => name)).toEqual(['ask_kb', 'answer_with_citations', 'explain_miss']);
    for (const prompt of PROMPTS) {
      expect(prompt.description.length).toBeGreaterThan(20);
      for (const { description } of prompt.arguments) expect(description.length).toBeGreaterThan(10);
    }
  });
});
