import type { ConfigKey, Members } from '../settings/config-key.ts';
import { constraintText } from './constraint-text.ts';
import type { KeyTable } from './key-table.ts';
import { PLUGIN_FIELDS, SOURCE_FIELDS } from './keys.ts';
import { defaultOf } from './read-value.ts';

/** Describes every key in Markdown, one table a section: the reference part of the documentation. */
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
