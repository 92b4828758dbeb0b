import type { ConfigKey, Members } from '../settings/config-key.ts';
import { constraintText } from './constraint-text.ts';
import type { KeyTable } from './key-table.ts';
import { defaultOf } from './read-value.ts';

const HEAD = `# Configuration of kebab. Every key stands here with its default; delete what you do not change.
# Environment variables win over this file: search.default_k is KEBAB_SEARCH_DEFAULT_K.
# \`kebab config show\` prints what is in effect and where it comes from.
`;

/** Writes the configuration file of `init`: TOML with every key, its meaning and its default. Parsed, it changes nothing. */
export function annotatedConfig({ members }: KeyTable): string {
  return `${HEAD}\n${tableText(members, '')}`;
}

function tableText(members: Members, prefix: string): string {
  const keys = Object.entries(members).flatMap(([name, node]) => (node.kind === 'section' ? [] : keyText(name, node)));
  const tables = Object.entries(members).flatMap(([name, node]) => {
    if (node.kind !== 'section') return [];
    const full = `${prefix}${name}`;
    const hasKeys = Object.values(node.members).some(({ kind }) => kind !== 'section');
    return [`${hasKeys ? `\n# ${node.doc}\n[${full}]\n` : ''}${tableText(node.members, `${full}.`)}`];
  });
  return [...keys, ...tables].join('');
}

function keyText(name: string, key: ConfigKey): string {
  const constraint = constraintText(key);
  const comment = `# ${key.doc}${constraint === '' ? '' : ` (${constraint})`}`;
  const value = defaultOf(key);
  return `${comment}\n${value === null ? `# ${name} =` : `${name} = ${tomlValue(value, key.kind === 'number')}`}\n`;
}

/** A value as TOML; what JSON makes of texts and lists of texts is TOML as well. */
function tomlValue(value: unknown, asFloat: boolean): string {
  if (Array.isArray(value)) return `[${value.map((item) => tomlValue(item, false)).join(', ')}]`;
  return asFloat && Number.isInteger(value) ? `${String(value)}.0` : JSON.stringify(value);
}
