import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { DocListBrief, FetchResult, GrepResult, Outline, SymbolResult } from '@kebab/core/app';
import type { JsonObject } from '../../src/protocol/surface.ts';
import { ALL_TOOLS } from '../../src/kebab-surface.ts';
import type { Called } from './call.ts';

const documented = new Ajv2020({ strict: false });
addFormats.default(documented);
const schemas = new URL('../../../docs/wire-schema/v1/', import.meta.url);
for (const file of readdirSync(schemas))
  documented.addSchema(JSON.parse(readFileSync(new URL(file, schemas), 'utf8')) as JsonObject);

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
export function expectComplete(name: string, result: Called): void {
  expect(result.content).toHaveLength(1);
  expect(result.content[0]?.type).toBe('text');
  const text = result.content[0]?.text ?? '';
  const form = String(result.structuredContent['schema_version']);
  if (form === 'fetch_result.v1') expectNumbered(text, result.structuredContent as unknown as FetchResult);
  else if (form === 'doc_list_brief.v1') expectTree(text, result.structuredContent as unknown as DocListBrief);
  else if (form === 'symbol_result.v1') expectPlaces(text, result.structuredContent as unknown as SymbolResult);
  else if (form === 'outline.v1') expectOutline(text, result.structuredContent as unknown as Outline);
  else if (form === 'grep_result.v1') expectLines(text, result.structuredContent as unknown as GrepResult);
  else if (form.endsWith('_brief.v1')) expectSummary(text, result);
  else expect(JSON.parse(text)).toStrictEqual(structuredClone(result.structuredContent));
  const { outputs = [] } = ALL_TOOLS.find((tool) => tool.name === name) ?? {};
  const version = String(result.structuredContent['schema_version']);
  expect(result.isError === true ? ['error.v1'] : outputs.map((output) => `${output}.v1`)).toContain(version);
  const validate = wireValidator(version.replace(/\.v1$/, ''));
  expect([name, validate(result.structuredContent), validate.errors]).toEqual([name, true, null]);
}

/** Expects that the text alone contains each place, the beginning of its passage, what was requested besides, and the next page. */
function expectSummary(text: string, { structuredContent }: Called): void {
  const whole: Item = { response: structuredContent };
  const { results } = structuredContent as { readonly results?: readonly Item[] };
  for (const { response, error } of results ?? [whole]) {
    for (const { uri, snippet } of response?.hits ?? []) {
      expect(text).toContain(uri);
      expect(text).toContain(snippet);
    }
    if (typeof response?.next_cursor === 'string') expect(text).toContain(response.next_cursor);
    for (const said of [response?.expect, response?.relaxed, response?.suggestions])
      if (said !== undefined) expect(text).toContain(JSON.stringify(said));
    if (response?.trace !== undefined) expect(text).toContain('detail full');
    if (error !== undefined) expect(text).toContain(error.message);
  }
}

/** Expects every line behind its path and number, what is left out, and the next page. */
function expectLines(text: string, { files, skipped = [], next_cursor: cursor }: GrepResult): void {
  const shown = text.split('\n');
  for (const { path, lines } of files)
    for (const { line, text: written, is_context } of lines)
      expect(shown).toContain([path, line, written].join(is_context === true ? '-' : ':'));
  for (const { path, why } of skipped)
    expect(shown.find((line) => line.startsWith(`left out (${why}): `))).toContain(path);
  if (cursor !== null) expect(shown).toContain(`next_cursor: ${cursor}`);
}

/** Expects every line behind its number, the place above them, and the next page. */
function expectNumbered(text: string, result: FetchResult): void {
  const parts = result.kind === 'chunk' ? [...result.context_before, result.chunk, ...result.context_after] : [result];
  for (const part of parts) {
    const lines = part.text.replace(/\n$/, '').split('\n');
    for (const line of part.text === '' ? [] : lines) expect(text).toMatch(new RegExp(`^\\d+:${escaped(line)}$`, 'm'));
    if ('citation' in part && part.citation !== null) expect(text).toContain(part.citation.uri);
  }
  if (result.kind !== 'chunk' && result.next_cursor !== undefined) expect(text).toContain(result.next_cursor);
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}

/** Expects every folder and name, and the next page. */
function expectTree(text: string, { folders, skipped = [], next_cursor: cursor }: DocListBrief): void {
  const lines = text.split('\n');
  for (const { folder, files } of folders) {
    if (folder !== '') expect(lines).toContain(folder);
    for (const name of files) expect(lines.map((line) => line.trim())).toContain(name);
  }
  for (const { path, why } of skipped) expect(text).toContain(`${path}: ${why}`);
  if (cursor !== null) expect(text).toContain(cursor);
}

/** Expects every line behind its path and number below its unit, and the next page. */
function expectPlaces(text: string, { units, next_cursor: cursor }: SymbolResult): void {
  for (const { doc_path: path, symbol, lines } of units) {
    if (symbol !== null) expect(text).toContain(symbol.split(/[./]|::/).at(-1)); // the path above names the module
    for (const { line, text: shown } of lines) expect(text).toContain(`${path}:${line}:${shown}`);
  }
  if (cursor !== null) expect(text).toContain(cursor);
}

/** Expects every file, its units with their first lines, and the next page. */
function expectOutline(text: string, { files, next_cursor: cursor }: Outline): void {
  for (const { doc_path: path, units } of files) {
    expect(text).toContain(path);
    for (const unit of units)
      expect(text).toMatch(new RegExp(`\\b${unit.line_start}\\b.* ${escaped(unit.text)}$`, 'm'));
  }
  if (cursor !== null) expect(text).toContain(cursor);
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
