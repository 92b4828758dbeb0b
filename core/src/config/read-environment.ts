import { invalidConfig, type Location, type Origin } from './invalid-config.ts';
import { type KeyTable, sectionsIn, variableOf } from './key-table.ts';
import { CORE_KEYS } from './keys.ts';
import { readTable, readValue } from './read-value.ts';
import { nearestName } from '../errors/invalid-input.ts';
import type { PluginEntry } from '../plugin/find-plugins.ts';
import type { Field } from '../schema/field.ts';
import { parseText } from '../schema/value.ts';

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
/** A table of the configuration is written as one JSON object. */
const TABLE: Field = { kind: 'free_table', doc: 'A table.' };
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
    const written = readText(TABLE, text, { origin, key: name });
    for (const [key, value] of readTable(written, { table, members: section.members, prefix: `${name}.` }, origin))
      values.set(key, { value, origin });
  }
  for (const { name, key } of table.keys) {
    const variable = variableOf(name);
    const text = env[variable];
    if (text === undefined) continue;
    const at: Location = { origin: { origin: 'env', variable }, key: name };
    values.set(name, { value: readValue(key, readText(key, text, at), at), origin: at.origin });
  }
  return { values, unknown: unknownAmong(table, set), pluginsOff: isNone(env['KEBAB_PLUGINS']) };
}

/** The plugins that an environment names; none where they cannot be read, which {@link readEnvironment} reports. */
export function pluginsInEnvironment(env: Environment): readonly PluginEntry[] {
  const text = env['KEBAB_PLUGINS'];
  if (text === undefined) return [];
  const at: Location = { origin: { origin: 'env', variable: 'KEBAB_PLUGINS' }, key: 'plugins' };
  try {
    return readValue(CORE_KEYS.plugins, readText(CORE_KEYS.plugins, text, at), at) as readonly PluginEntry[];
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

/** The value that a file would contain for this text. Throws `config_invalid` for what begins as JSON and is not. */
export function readText(key: Field, text: string, at: Location): unknown {
  if (at.key === 'plugins' && isNone(text)) return [];
  try {
    return parseText(key, text);
  } catch {
    const expected = key.kind === 'free_table' ? 'a table as JSON' : 'a list, as JSON or separated by commas';
    throw invalidConfig(at, `must be ${expected}`);
  }
}

function isNone(text: string | undefined): boolean {
  return text?.trim().toLowerCase() === 'none';
}
