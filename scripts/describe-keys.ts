import { defaultOf, type Field, type Members } from '../core/src/schema/field.ts';
import { type JsonSchema, objectSchema } from '../core/src/schema/json-schema.ts';
import { constraintText } from '../core/src/config/annotated-config.ts';
import type { KeyTable } from '../core/src/config/key-table.ts';
import { PLUGIN_FIELDS, SOURCE_FIELDS } from '../core/src/config/keys.ts';

/** Documents every key in Markdown, one table per section: the reference part of the documentation. */
export function describeKeys({ members }: KeyTable): string {
  return [
    part('Top level', '', members),
    ...sectionParts(members, ''),
    part('`[[workspace.sources]]`', 'One further source.', SOURCE_FIELDS),
    part('Entries of `plugins`', 'A bare text stands for its `name`.', PLUGIN_FIELDS),
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

function part(title: string, doc: string, members: Members): string {
  const rows = Object.entries(members).flatMap(([name, node]) => (node.kind === 'section' ? [] : [row(name, node)]));
  const intro = doc === '' ? '' : `${doc}\n\n`;
  return `### ${title}\n\n${intro}| key | default | values | meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

function row(name: string, key: Field): string {
  const value = defaultOf(key);
  const shown = key.required === true ? 'required' : value === null ? '–' : `\`${JSON.stringify(value)}\``;
  return `| \`${name}\` | ${cell(shown)} | ${cell(valuesText(key))} | ${cell(key.doc)} |`;
}

function valuesText(key: Field): string {
  const constraint = constraintText(key);
  if (constraint === '') return TYPES[key.kind];
  return key.kind === 'int' || key.kind === 'number' ? `${TYPES[key.kind]} ${constraint}` : constraint;
}

const TYPES: Readonly<Record<Field['kind'], string>> = {
  bool: 'true or false',
  int: 'whole number',
  number: 'number',
  text: 'text',
  enum: 'one of a list',
  url: 'http or https URL',
  path: 'path',
  time: 'time',
  texts: 'list of texts',
  paths: 'list of paths',
  free_table: 'table',
  tables: 'list of tables',
};

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

/** The JSON Schema (2020-12) of a configuration file, for editors. kebab itself validates with the table of keys. */
export function configJsonSchema({ members }: KeyTable): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'kebab configuration',
    ...objectSchema(members, describe),
  };
}

function describe(key: Field): JsonSchema {
  const constraint = key.kind === 'text' ? constraintText(key) : '';
  return {
    description: constraint === '' ? key.doc : `${key.doc} (${constraint})`,
    default: defaultOf(key) ?? undefined,
  };
}
