import { booleanOfText } from './boolean-of-text.ts';
import { invalidConfig, type Location, type Origin } from './invalid-config.ts';
import { type KeyTable, sectionsIn, variableOf } from './key-table.ts';
import { CORE_KEYS } from './keys.ts';
import { readTable, readValue } from './read-value.ts';
import { nearestName } from '../errors/invalid-input.ts';
import type { PluginEntry } from '../plugin/find-plugins.ts';
import type { ConfigKey } from '../settings/config-key.ts';

/** The variables of an environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that kebab reads although they correspond to no key. */
export const OTHER_VARIABLES = [
  'KEBAB_LOG',
  'KEBAB_READONLY',
  'KEBAB_SERVICE',
  'KEBAB_SERVICE_AUTOSTART',
  'KEBAB_PROGRESS',
  'KEBAB_EVAL_GOLDEN',
  'KEBAB_MCP_TOKEN',
];
/** Reserved for test runs. */
const TEST_PREFIX = 'KEBAB_TEST_';

/** The settings in an environment. */
export interface EnvironmentSettings {
  /** By dotted name. */
  readonly values: ReadonlyMap<string, { readonly value: unknown; readonly origin: Origin }>;
  /** Unknown `KEBAB_*` variables, with the nearest known name. */
  readonly unknown: readonly { readonly variable: string; readonly suggestion: string | undefined }[];
  /** Whether `KEBAB_PLUGINS=none` disables all plugins but the built-in ones, including those named by flags. */
  readonly pluginsOff: boolean;
}

/**
 * Reads every `KEBAB_*` variable. Tables and lists are JSON, lists also comma-separated; the variable of a key takes precedence over that
 * of an enclosing table, an inner table over an outer one. Throws `config_invalid`, naming the variable.
 */
export function readEnvironment(table: KeyTable, env: Environment): EnvironmentSettings {
  const set = Object.keys(env).filter((variable) => variable.startsWith('KEBAB_') && env[variable] !== undefined);
  if (set.length === 0) return { values: new Map(), unknown: [], pluginsOff: false };
  const values = new Map<string, { readonly value: unknown; readonly origin: Origin }>();
  for (const { name, section } of sectionsIn(table)) {
    const variable = variableOf(name);
    const text = env[variable];
    if (text === undefined) continue;
    const origin: Origin = { origin: 'env', variable };
    const written = parseJson(text, { origin, key: name }, 'a table as JSON');
    for (const [key, value] of readTable(written, { table, members: section.members, prefix: `${name}.` }, origin))
      values.set(key, { value, origin });
  }
  for (const { name, key } of table.keys) {
    const variable = variableOf(name);
    const text = env[variable];
    if (text === undefined) continue;
    const at: Location = { origin: { origin: 'env', variable }, key: name };
    values.set(name, { value: readValue(key, parseText(key, text, at), at), origin: at.origin });
  }
  return { values, unknown: unknownAmong(table, set), pluginsOff: isNone(env['KEBAB_PLUGINS']) };
}

/** The plugins that an environment names; none where they cannot be read, which {@link readEnvironment} reports. */
export function pluginsInEnvironment(env: Environment): readonly PluginEntry[] {
  const text = env['KEBAB_PLUGINS'];
  if (text === undefined) return [];
  const at: Location = { origin: { origin: 'env', variable: 'KEBAB_PLUGINS' }, key: 'plugins' };
  try {
    return readValue(CORE_KEYS.plugins, parseList(text, at), at) as readonly PluginEntry[];
  } catch {
    return [];
  }
}

function unknownAmong(table: KeyTable, variables: readonly string[]): EnvironmentSettings['unknown'] {
  const known = [...table.keys, ...sectionsIn(table)].map(({ name }) => variableOf(name)).concat(OTHER_VARIABLES);
  const names = new Set(known);
  return variables
    .filter((variable) => !names.has(variable) && !variable.startsWith(TEST_PREFIX))
    .toSorted()
    .map((variable) => ({ variable, suggestion: nearestName(variable, known) }));
}

/** The value that a file would contain for this text. An unparsable text is passed on for {@link readValue} to reject. */
export function parseText(key: ConfigKey, text: string, at: Location): unknown {
  switch (key.kind) {
    case 'bool':
      return booleanOfText(text) ?? text;
    case 'int':
    case 'number':
      return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : text;
    case 'texts':
    case 'paths':
    case 'tables':
      return parseList(text, at);
    case 'free_table':
      return parseJson(text, at, 'a table as JSON');
    case 'text':
    case 'enum':
    case 'url':
    case 'path':
      return text;
    default:
      return key satisfies never;
  }
}

function parseList(text: string, at: Location): unknown {
  const trimmed = text.trim();
  if (trimmed === '' || (at.key === 'plugins' && isNone(trimmed))) return [];
  if (/^[[{]/.test(trimmed)) return parseJson(trimmed, at, 'a list, as JSON or separated by commas');
  return trimmed
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function parseJson(text: string, at: Location, expected: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalidConfig(at, `must be ${expected}`);
  }
}

function isNone(text: string | undefined): boolean {
  return text?.trim().toLowerCase() === 'none';
}
