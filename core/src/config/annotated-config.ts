import type { ConfigKey, Members } from '../settings/config-key.ts';
import { constraintText } from './constraint-text.ts';
import type { KeyTable } from './key-table.ts';
import { defaultOf } from './read-value.ts';
import { tomlKey, tomlValue } from './toml-value.ts';

const HEAD = `# Configuration of kebab. Every key stands here as a comment, with its default: remove the "# " in front of a key and of
# the [table] above it to change it, or write \`kebab config set search.default_k 20\`.
# Environment variables win over this file: search.default_k is KEBAB_SEARCH_DEFAULT_K.
# \`kebab config show\` prints what is in effect and where it comes from.
`;

/** An example of a further source, for the comment that stands in place of an empty list. */
const SOURCE = { id: 'work', root: '~/work' };

/**
 * Writes the configuration file of `init`: TOML in which every table and key is a comment with its meaning and its default, so that
 * it says nothing by itself. Whatever is uncommented, with the table above it, is valid.
 */
export function annotatedConfig({ members }: KeyTable): string {
  return `${HEAD}${tableText(members, '')}`;
}

function tableText(members: Members, prefix: string): string {
  const keys = Object.entries(members).flatMap(([name, node]) =>
    node.kind === 'section' ? [] : [keyText(name, prefix, node)],
  );
  const tables = Object.entries(members).flatMap(([name, node]) => {
    if (node.kind !== 'section') return [];
    const full = `${prefix}${name}`;
    const hasKeys = Object.values(node.members).some(({ kind }) => kind !== 'section');
    return [`${hasKeys ? `\n# ${node.doc}\n# [${full}]\n` : ''}${tableText(node.members, `${full}.`)}`];
  });
  return [...keys, ...tables].join('');
}

function keyText(name: string, prefix: string, key: ConfigKey): string {
  const constraint = constraintText(key);
  const comment = `\n# ${key.doc}${constraint === '' ? '' : ` (${constraint})`}`;
  if (key.kind === 'tables' && key.of === 'sources') {
    const fields = Object.entries(SOURCE).map(([field, value]) => `# ${tomlKey(field)} = ${tomlValue(value)}\n`);
    return `${comment}\n# \`kebab add FOLDER\` writes one.\n# [[${prefix}${name}]]\n${fields.join('')}`;
  }
  const value = defaultOf(key);
  return `${comment}\n# ${name} =${value === null ? '' : ` ${tomlValue(value, key.kind === 'number')}`}\n`;
}
