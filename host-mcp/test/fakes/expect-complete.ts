import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { WireName } from '@kebab/core/app';
import type { JsonObject } from '../../src/protocol/surface.ts';
import { ALL_TOOLS } from '../../src/kebab-surface.ts';
import { outputSchemaOf } from '../../src/tools/output-schema.ts';
import type { Called } from './call.ts';

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

const documented = new Ajv2020({ strict: false });
addFormats.default(documented);
const folder = new URL('../../../docs/wire-schema/v1/', import.meta.url);
for (const file of readdirSync(folder))
  documented.addSchema(JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as JsonObject);

const validators = new Map<string, Promise<ValidateFunction>>();

/** Compiled once per schema, because compiling takes longer than everything else here. */
function toolValidator(outputs: readonly WireName[]): Promise<ValidateFunction> {
  const key = outputs.join(' ');
  const made = validators.get(key) ?? outputSchemaOf(outputs).then((schema) => ajv.compile(schema));
  validators.set(key, made);
  return made;
}

/** Validates against the documented wire schemas, which may refer to each other. */
function wireValidator(name: string): ValidateFunction {
  const schema = documented.getSchema(`urn:kebab:wire:v1:${name}`);
  if (schema === undefined) throw new Error(`docs/wire-schema has no ${name}`);
  return schema;
}

/**
 * Expects that a result has one text, that this text is the structured content as JSON or names every place in it, and that the object
 * matches both the wire schema and the output schema of the tool.
 */
export async function expectComplete(name: string, result: Called): Promise<void> {
  expect(result.content).toHaveLength(1);
  expect(result.content[0]?.type).toBe('text');
  const text = result.content[0]?.text ?? '';
  if (String(result.structuredContent['schema_version']).endsWith('_brief.v1')) expectSummary(text, result);
  else expect(JSON.parse(text)).toStrictEqual(structuredClone(result.structuredContent));
  const { outputs = [] } = ALL_TOOLS.find((tool) => tool.name === name) ?? {};
  const version = String(result.structuredContent['schema_version']);
  expect(result.isError === true ? ['error.v1'] : outputs.map((output) => `${output}.v1`)).toContain(version);
  for (const validate of [wireValidator(version.replace(/\.v1$/, '')), await toolValidator(outputs)])
    expect([name, validate(result.structuredContent), validate.errors]).toEqual([name, true, null]);
}

/** Expects that the text alone contains each place, the beginning of its passage, what was requested besides, and the next page. */
function expectSummary(text: string, { structuredContent }: Called): void {
  const whole: Item = { response: structuredContent };
  const { results } = structuredContent as { readonly results?: readonly Item[] };
  for (const { response, error } of results ?? [whole]) {
    for (const { uri, snippet } of response?.hits ?? []) {
      expect(text).toContain(uri);
      expect(text).toContain(snippet.slice(0, 40));
    }
    if (typeof response?.next_cursor === 'string') expect(text).toContain(response.next_cursor);
    for (const said of [response?.expect, response?.relaxed, response?.suggestions])
      if (said !== undefined) expect(text).toContain(JSON.stringify(said));
    if (response?.trace !== undefined) expect(text).toContain('detail full');
    if (error !== undefined) expect(text).toContain(error.message);
  }
}

interface Item {
  readonly response?: {
    readonly hits?: readonly { readonly uri: string; readonly snippet: string }[];
    readonly next_cursor?: string | null;
    readonly expect?: JsonObject;
    readonly relaxed?: JsonObject;
    readonly suggestions?: JsonObject;
    readonly trace?: JsonObject;
  };
  readonly error?: { readonly message: string };
}
