import { defaultOf, type Field, type FieldOf, type Members } from '../schema/field.ts';
import type { ConfigPaths, ConfigView } from '../wire/index.ts';
import type { KeyTable, FlatKey } from './key-table.ts';
import { MASK, maskSecrets } from '../schema/mask-secrets.ts';
import type { ConfigResolution } from './resolve-config.ts';
import type { ResolvedConfig, ResolvedSource } from './resolved-config.ts';

const HEAD = `# Configuration of kebab. Every key stands here as a comment, with its default: remove the "# " in front of a key and of
# the [table] above it to change it, or write \`kebab config set search.default_k 20\`.
# Environment variables win over this file: search.default_k is KEBAB_SEARCH_DEFAULT_K.
# \`kebab config show\` prints what is in effect and where it comes from.
`;

/** An example source, shown in the comment for an empty list. */
const SOURCE = { id: 'work', root: '~/work' };

/**
 * Generates the configuration file of `init`: TOML in which every table and key is commented out, with its meaning and default, so that the
 * file has no effect. It stays valid when any key and the table above it are uncommented.
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

function keyText(name: string, prefix: string, key: Field): string {
  const constraint = constraintText(key);
  const comment = `\n# ${key.doc}${constraint === '' ? '' : ` (${constraint})`}`;
  if (key.kind === 'tables' && key.of === 'sources') {
    const fields = Object.entries(SOURCE).map(([field, value]) => `# ${tomlKey(field)} = ${tomlValue(value)}\n`);
    return `${comment}\n# \`kebab add FOLDER\` writes one.\n# [[${prefix}${name}]]\n${fields.join('')}`;
  }
  const value = defaultOf(key);
  return `${comment}\n# ${name} =${value === null ? '' : ` ${tomlValue(value, key.kind === 'number')}`}\n`;
}

/** The constraint on a key's values beyond its type, in a few words; empty when there is none. */
export function constraintText(key: Field): string {
  switch (key.kind) {
    case 'int':
    case 'number':
      return [boundsText(key), ...(key.default === null ? ['optional'] : [])].join(', ');
    case 'enum':
      return key.values.join(' | ');
    case 'text':
      return key.known === undefined ? '' : [...key.known, 'id of a plugin'].join(' | ');
    default:
      return '';
  }
}

function boundsText({ min = 0, max }: FieldOf<'int'>): string {
  if (max === undefined) return `>= ${min}`;
  return min === max ? `${min}` : `${min} to ${max}`;
}

/** Formats a value as TOML on one line; a JSON string is also a TOML string. `asFloat` writes a whole number with a decimal point. */
export function tomlValue(value: unknown, asFloat = false): string {
  if (Array.isArray(value)) return `[${value.map((item) => tomlValue(item)).join(', ')}]`;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
    return members.length === 0
      ? '{}'
      : `{ ${members.map(([name, member]) => `${tomlKey(name)} = ${tomlValue(member)}`).join(', ')} }`;
  }
  if (typeof value === 'number' && asFloat && Number.isInteger(value)) return `${String(value)}.0`;
  return typeof value === 'string' ? JSON.stringify(value).replaceAll('\u007F', '\\u007F') : String(value);
}

/** Formats the name of a key as TOML, quoted where necessary. */
export function tomlKey(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name);
}

/** Every effective value with its origin, as `config show` prints it. Secrets are `***`. */
export function configView({
  config,
  origins,
  keys,
}: Pick<ConfigResolution, 'config' | 'origins' | 'keys'>): ConfigView {
  const entries = keys.keys.map((flat) => {
    const origin = origins.get(flat.name);
    const entry = { key: flat.name, value: shown(flat, config), origin: origin?.origin ?? ('default' as const) };
    return origin?.origin === 'file' ? { ...entry, path: origin.path } : entry;
  });
  return { schema_version: 'config_view.v1', entries };
}

/** The effective value of a key, with secrets masked. */
export function shown({ key, steps }: FlatKey, config: ResolvedConfig): unknown {
  const value = steps.reduce<unknown>((table, step) => (table as Readonly<Record<string, unknown>>)[step], config);
  if (key.kind === 'text' && key.secret === true) return value === '' ? '' : MASK;
  if (key.kind === 'tables' && key.of === 'sources')
    return maskSecrets((value as readonly ResolvedSource[]).map(asWritten));
  return maskSecrets(value);
}

function asWritten({ trustLevel, sourceType, ...source }: ResolvedSource): object {
  return { ...source, trust_level: trustLevel, source_type: sourceType };
}

/** The files and folders in use, as `config path` prints them. */
export function configPaths({
  config,
  files,
  folders,
  project,
}: Pick<ConfigResolution, 'config' | 'files' | 'folders' | 'project'>): ConfigPaths {
  return {
    schema_version: 'config_paths.v1',
    config_files: files.map(({ path, trusted, exists }) => ({ path, trusted, exists })),
    data_dir: config.storage.dataDir,
    cache_dir: folders.cache,
    state_dir: folders.state,
    workspace_root: config.workspace.root,
    ...(project === null ? {} : { project: project.folder }),
  };
}
