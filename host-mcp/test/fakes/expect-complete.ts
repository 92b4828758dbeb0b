import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { JsonObject } from '../../src/protocol/json-rpc.ts';
import { ALL_TOOLS } from '../../src/tools/all-tools.ts';
import { outputSchemaOf } from '../../src/tools/output-schema.ts';
import type { Called } from './call.ts';

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

const validators = new Map<string, Promise<ValidateFunction>>();

/** Compiled once for each schema: that takes longer than everything else here. */
function validator(key: string, schema: () => Promise<JsonObject> | JsonObject): Promise<ValidateFunction> {
  const made = validators.get(key) ?? Promise.resolve(schema()).then((each) => ajv.compile(each));
  validators.set(key, made);
  return made;
}

/** The wire schema as the documentation has it. */
function wireSchema(name: string): JsonObject {
  const file = new URL(`../../../docs/wire-schema/v1/${name}.schema.json`, import.meta.url);
  const { $id: _id, ...schema } = JSON.parse(readFileSync(file, 'utf8')) as JsonObject;
  return schema;
}

/**
 * Expects that a result holds one text, that this text is the structured content as JSON, and that the object fits both the
 * wire schema and the output schema that the tool declares.
 */
export async function expectComplete(name: string, result: Called): Promise<void> {
  expect(result.content).toHaveLength(1);
  expect(result.content[0]?.type).toBe('text');
  expect(JSON.parse(result.content[0]?.text ?? '')).toStrictEqual(structuredClone(result.structuredContent));
  const { output } = ALL_TOOLS.find((tool) => tool.name === name) ?? { output: 'error' as const };
  const wire = result.isError === true ? 'error' : output;
  for (const validate of [
    await validator(`wire ${wire}`, () => wireSchema(wire)),
    await validator(`tool ${output}`, () => outputSchemaOf(output)),
  ])
    expect([name, validate(result.structuredContent), validate.errors]).toEqual([name, true, null]);
}
