// `npm run docs`: writes what docs/ repeats from the sources, which tests compare with them: the reference of settings in
// docs/configuration.md (between its two markers) and its JSON Schema, docs/languages.md, and docs/wire-schema/v1. The fields of a wire object
// that has broken with its released ones stay recorded beside the tests, which then fail. To start a new record, remove that file.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { builtins } from '@kebab/builtins';
import { configJsonSchema, describeKeys } from './describe-keys.ts';
import { keyTableWith } from '../core/src/config/key-table.ts';
import { WIRE_NAMES, type WireName } from '../core/src/wire/names.ts';
import { wireJsonSchema, wireSchemaFile } from '../core/src/wire/wire-json-schema.ts';
import { breakingChanges, wireFields, type WireFields } from '../core/test/wire/wire-fields.ts';
import { languagePage } from './language-table.ts';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const MARKERS = /(<!-- keys:[^\n]*-->\n)[^]*(<!-- \/keys -->)/;
const RELEASED = 'core/test/wire/released-fields.json';
const WIRE = 'docs/wire-schema/v1';

const keys = keyTableWith(builtins.flatMap(({ manifest: { section } }) => (section === undefined ? [] : [section])));
const released = JSON.parse(textOf(RELEASED) || '{}') as Partial<Record<string, WireFields>>;
const files = new Map([
  [
    'docs/configuration.md',
    textOf('docs/configuration.md').replace(MARKERS, (_match, begin, end) => `${begin}\n${describeKeys(keys)}\n${end}`),
  ],
  ['docs/configuration.schema.json', json(configJsonSchema(keys))],
  ['docs/languages.md', languagePage()],
  ...WIRE_NAMES.map((name) => [`${WIRE}/${name}.schema.json`, json(wireSchemaFile(name))] as const),
  [RELEASED, json({ ...released, ...Object.fromEntries(WIRE_NAMES.map((name) => [name, recordOf(name)])) })],
]);
for (const name of readdirSync(WIRE)) if (!files.has(`${WIRE}/${name}`)) rmSync(`${WIRE}/${name}`);
const differing = [...files].filter(([name, text]) => textOf(name) !== text);
for (const [name, text] of differing) writeFileSync(name, text);
console.log(`${files.size} files, ${differing.length} changed`);

function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function recordOf(name: WireName): WireFields {
  const [before = {}, present] = [released[name], wireFields(wireJsonSchema(name))];
  return breakingChanges(before, present).length === 0 ? present : before;
}
