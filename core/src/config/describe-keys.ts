import type { ConfigKey, Members, TablesKey } from '../settings/config-key.ts';
import { constraintText } from './annotated-config.ts';
import type { KeyTable } from './key-table.ts';
import { PLUGIN_FIELDS, SOURCE_FIELDS } from './keys.ts';
import { defaultOf } from './read-value.ts';

/** Documents every key in Markdown, one table per section: the reference part of the documentation. */
export function describeKeys({ members }: KeyTable): string {
  return [
    part('Top level', '', members),
    ...sectionParts(members, ''),
    part('`[[workspace.sources]]`', 'One further source.', SOURCE_FIELDS, ['id', 'root']),
    part('Entries of `plugins`', 'A bare text stands for its `name`.', PLUGIN_FIELDS, ['name']),
  ].join('\n');
}

function sectionParts(members: Members, prefix: string): readonly string[] {
  return Object.entries(members).flatMap(([name, node]) => {
    if (node.kind !== 'section') return [];
    const full = `${prefix}${name}`;
    const keys = Object.values(node.members).filter(({ kind }) => kind !== 'section');
    const own = keys.length > 0 ? [part(`\`[${full}]\``, node.doc, node.members)] : [];
    return [...own, ...sectionParts(node.members, `${full}.`)];
  });
}

function part(title: string, doc: string, members: Members, required: readonly string[] = []): string {
  const rows = Object.entries(members).flatMap(([name, node]) =>
    node.kind === 'section' ? [] : [row(name, node, required.includes(name))],
  );
  const intro = doc === '' ? '' : `${doc}\n\n`;
  return `### ${title}\n\n${intro}| key | default | values | meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

function row(name: string, key: ConfigKey, required: boolean): string {
  const value = defaultOf(key);
  const shown = required ? 'required' : value === null ? '–' : `\`${JSON.stringify(value)}\``;
  return `| \`${name}\` | ${cell(shown)} | ${cell(valuesText(key))} | ${cell(key.doc)} |`;
}

function valuesText(key: ConfigKey): string {
  const constraint = constraintText(key);
  if (constraint === '') return TYPES[key.kind];
  return key.kind === 'int' || key.kind === 'number' ? `${TYPES[key.kind]} ${constraint}` : constraint;
}

const TYPES: Readonly<Record<ConfigKey['kind'], string>> = {
  bool: 'true or false',
  int: 'whole number',
  number: 'number',
  text: 'text',
  enum: 'one of a list',
  url: 'http or https address',
  path: 'path',
  texts: 'list of texts',
  paths: 'list of paths',
  free_table: 'table',
  tables: 'list of tables',
};

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

/** A JSON Schema, or a part of one. */
type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema (2020-12) of a configuration file, for editors. kebab itself validates with the table of keys. */
export function configJsonSchema({ members }: KeyTable): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'kebab configuration',
    ...tableSchema(members),
  };
}

function tableSchema(members: Members, required: readonly string[] = []): JsonSchema {
  const properties = Object.entries(members).map(([name, node]) => [
    name,
    node.kind === 'section' ? { description: node.doc, ...tableSchema(node.members) } : keySchema(node),
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as JsonSchema,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

function keySchema(key: ConfigKey): JsonSchema {
  const value = defaultOf(key);
  const constraint = key.kind === 'text' ? constraintText(key) : '';
  const description = constraint === '' ? key.doc : `${key.doc} (${constraint})`;
  return { description, ...typeSchema(key), ...(value === null ? {} : { default: value }) };
}

function typeSchema(key: ConfigKey): JsonSchema {
  switch (key.kind) {
    case 'bool':
      return { type: 'boolean' };
    case 'int':
    case 'number':
      return {
        type: key.kind === 'int' ? 'integer' : 'number',
        minimum: key.min,
        ...(key.max === null ? {} : { maximum: key.max }),
      };
    case 'text':
      return { type: 'string', ...(key.pattern === null ? {} : { pattern: key.pattern.source }) };
    case 'enum':
      return { enum: key.values };
    case 'url':
      return { type: 'string', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' };
    case 'path':
      return { type: 'string', minLength: 1 };
    case 'texts':
      return { type: 'array', items: { type: 'string' } };
    case 'paths':
      return { type: 'array', items: { type: 'string', minLength: 1 } };
    case 'free_table':
      return { type: 'object' };
    case 'tables':
      return { type: 'array', items: entrySchema(key) };
    default:
      return key satisfies never;
  }
}

function entrySchema({ fields, required, shorthand }: TablesKey): JsonSchema {
  const table = tableSchema(fields, required);
  return shorthand === null ? table : { anyOf: [{ type: 'string' }, table] };
}
