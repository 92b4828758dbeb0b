import { nearestName } from '../errors/invalid-input.ts';
import type { ConfigKey, EnumKey, NumberKey, TablesKey, TextKey, Members } from '../settings/config-key.ts';
import { invalidConfig, unknownConfigKey, type Location, type Origin } from './invalid-config.ts';
import { maskAddresses } from '../settings/mask-secrets.ts';
import type { KeyTable } from './key-table.ts';

/**
 * Validates the raw value of a key and returns it in the form of the key. A list of tables is returned with every field filled in. Throws
 * `config_invalid`; the message never shows a secret.
 */
export function readValue(key: ConfigKey, raw: unknown, at: Location): unknown {
  switch (key.kind) {
    case 'bool':
      return typeof raw === 'boolean' ? raw : reject(at, 'must be true or false', raw);
    case 'int':
    case 'number':
      return readNumber(key, raw, at);
    case 'text':
      return readText(key, raw, at);
    case 'enum':
      return readEnum(key, raw, at);
    case 'url':
      return isWebAddress(raw) ? raw : reject(at, 'must be an http or https address', raw);
    case 'path':
      return isPathText(raw) ? raw : reject(at, 'must be a path', raw);
    case 'texts':
      return isListOf(raw, isText) ? raw : reject(at, 'must be a list of texts', raw);
    case 'paths':
      return isListOf(raw, isPathText) ? raw : reject(at, 'must be a list of paths', raw);
    case 'free_table':
      return isTable(raw) ? raw : reject(at, 'must be a table', raw);
    case 'tables':
      return readTables(key, raw, at);
    default:
      return key satisfies never;
  }
}

/** Whether a parsed value is a table: an object like `{}`, neither a list nor a date. */
export function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function readNumber(key: NumberKey, raw: unknown, at: Location): number {
  const fits = typeof raw === 'number' && raw >= key.min && (key.max === null || raw <= key.max);
  if (fits && Number.isFinite(raw) && (key.kind === 'number' || Number.isSafeInteger(raw))) return raw;
  const noun = key.kind === 'int' ? 'a whole number' : 'a number';
  const bounds =
    key.max === null
      ? `from ${key.min}`
      : key.min === key.max
        ? `equal to ${key.min}`
        : `from ${key.min} to ${key.max}`;
  return reject(at, `must be ${noun} ${bounds}`, raw);
}

function readText(key: TextKey, raw: unknown, at: Location): string {
  if (typeof raw !== 'string') return reject(at, 'must be a text', key.secret ? undefined : raw);
  if (key.pattern === null || key.pattern.test(raw)) return raw;
  if (raw === '') return reject(at, 'must not be empty', undefined);
  return reject(at, `must match ${key.pattern.source}`, key.secret ? undefined : raw);
}

function readEnum(key: EnumKey, raw: unknown, at: Location): string {
  const choice = key.values.find((value) => value === raw);
  if (choice !== undefined) return choice;
  const suggestion = typeof raw === 'string' ? nearestName(raw, key.values) : undefined;
  throw invalidConfig(at, `must be one of ${key.values.join(', ')}${butIs(raw)}`, suggestion);
}

function readTables(key: TablesKey, raw: unknown, at: Location): readonly unknown[] {
  if (!Array.isArray(raw)) return reject(at, 'must be a list', raw);
  return raw.map((entry: unknown, index) => {
    const here = { ...at, key: `${at.key}[${index}]` };
    const table = typeof entry === 'string' && key.shorthand !== null ? { [key.shorthand]: entry } : entry;
    return isTable(table) ? readFields(key, table, here) : reject(here, 'must be a table', entry);
  });
}

function readFields(key: TablesKey, table: Readonly<Record<string, unknown>>, at: Location): object {
  const names = Object.keys(key.fields);
  for (const name of Object.keys(table)) {
    if (!names.includes(name))
      throw unknownConfigKey({ ...at, key: `${at.key}.${name}` }, 'unknown key', nearestName(name, names));
  }
  for (const name of key.required) {
    if (!Object.hasOwn(table, name)) throw invalidConfig({ ...at, key: `${at.key}.${name}` }, 'is missing');
  }
  return Object.fromEntries(
    Object.entries(key.fields).map(([name, field]) => {
      const written = Object.hasOwn(table, name);
      return [name, written ? readValue(field, table[name], { ...at, key: `${at.key}.${name}` }) : defaultOf(field)];
    }),
  );
}

/** The default of a key, as {@link readValue} would return it. */
export function defaultOf(key: ConfigKey): unknown {
  return key.kind === 'tables' ? [] : key.kind === 'free_table' ? {} : key.default;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isPathText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && !value.includes('\0');
}

function isListOf<T>(value: unknown, accepts: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.every(accepts);
}

function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value);
}

function reject(at: Location, expectation: string, raw: unknown): never {
  throw invalidConfig(at, `${expectation}${butIs(raw)}`);
}

/** Describes the value that was found. Lists and tables are named, not printed: they may be huge, and may contain secrets. */
function butIs(raw: unknown): string {
  if (raw === undefined) return '';
  if (typeof raw === 'string') return `, not ${JSON.stringify(maskAddresses(raw.slice(0, 80)))}`;
  if (typeof raw === 'number' || typeof raw === 'boolean' || raw === null) return `, not ${String(raw)}`;
  return `, not ${Array.isArray(raw) ? 'a list' : raw instanceof Date ? 'a date' : 'a table'}`;
}

/** The position of a table in the configuration. */
interface TablePlace {
  /** The complete key table, for suggestions. */
  readonly table: Pick<KeyTable, 'keys' | 'unread'>;
  readonly members: Members;
  /** Dotted, with a trailing dot; empty for the root. */
  readonly prefix: string;
}

/**
 * Validates a table of the configuration recursively and yields the keys it sets, by dotted name. Throws `config_invalid` for the first
 * unknown key or invalid value.
 */
export function* readTable(
  written: unknown,
  place: TablePlace,
  origin: Origin,
): Generator<readonly [name: string, value: unknown]> {
  const { members, prefix } = place;
  if (!isTable(written)) throw invalidConfig({ origin, key: prefix.slice(0, -1) || '(root)' }, 'must be a table');
  for (const [member, value] of Object.entries(written)) {
    const name = `${prefix}${member}`;
    const node = Object.hasOwn(members, member) ? members[member] : undefined;
    if (node === undefined) throw unknownConfigKey({ origin, key: name }, unknownKey(place), suggestKey(member, place));
    if (node.kind === 'section')
      yield* readTable(value, { ...place, members: node.members, prefix: `${name}.` }, origin);
    else yield [name, readValue(node, value, { origin, key: name })];
  }
}

function unknownKey({ table: { unread = [] } }: TablePlace): string {
  return unread.length === 0
    ? 'unknown key'
    : `unknown key, unless it is of a plugin that cannot be read: ${unread.join(', ')}`;
}

/** The nearest key in the same table; else a key with that exact name elsewhere; else the nearest of all. */
function suggestKey(member: string, { table, members, prefix }: TablePlace): string | undefined {
  const sibling = nearestName(member, Object.keys(members));
  if (sibling !== undefined) return `${prefix}${sibling}`;
  const names = table.keys.map(({ name }) => name);
  return names.find((name) => name.endsWith(`.${member}`)) ?? nearestName(`${prefix}${member}`, names);
}
