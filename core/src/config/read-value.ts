import { nearestName } from '../errors/invalid-input.ts';
import { isTable, problemWith } from '../schema/value.ts';
import { defaultOf, type Field, type FieldOf, type Members } from '../schema/field.ts';
import { maskAddresses } from '../schema/mask-secrets.ts';
import { invalidConfig, unknownConfigKey, type Location, type Origin } from './invalid-config.ts';
import type { KeyTable } from './key-table.ts';

/**
 * Validates the raw value of a key and returns it in the form of the key. A list of tables is returned with every field filled in. Throws
 * `config_invalid`; the message never shows a secret.
 */
export function readValue(key: Field, raw: unknown, at: Location): unknown {
  const problem = problemWith(key, raw);
  if (problem === undefined) return key.kind === 'tables' ? readTables(key, raw as readonly unknown[], at) : raw;
  const isHidden = key.kind === 'text' && (key.secret === true || raw === '');
  throw invalidConfig(at, `must be ${problem.expected}${isHidden ? '' : butIs(raw)}`, problem.suggestion);
}

function readTables(key: FieldOf<'tables'>, entries: readonly unknown[], at: Location): readonly unknown[] {
  return entries.map((entry, index) => {
    const here = { ...at, key: `${at.key}[${index}]` };
    const written = typeof entry === 'string' && key.shorthand !== undefined ? { [key.shorthand]: entry } : entry;
    if (!isTable(written)) throw invalidConfig(here, `must be a table${butIs(written)}`);
    return readFields(key, written, here);
  });
}

function readFields({ fields }: FieldOf<'tables'>, written: Readonly<Record<string, unknown>>, at: Location): object {
  const names = Object.keys(fields);
  for (const name of Object.keys(written)) {
    if (!names.includes(name))
      throw unknownConfigKey({ ...at, key: `${at.key}.${name}` }, 'unknown key', nearestName(name, names));
  }
  const read = Object.entries(fields).map(([name, field]) => {
    const here = { ...at, key: `${at.key}.${name}` };
    if (Object.hasOwn(written, name)) return [name, readValue(field, written[name], here)];
    if (field.required === true) throw invalidConfig(here, 'is missing');
    return [name, defaultOf(field)];
  });
  return Object.fromEntries(read) as object;
}

/** Describes the value that was found. Lists and tables are named, not printed: they may be huge, and may contain secrets. */
function butIs(raw: unknown): string {
  if (typeof raw === 'string') return `, not ${JSON.stringify(maskAddresses(raw.slice(0, 80)))}`;
  if (typeof raw !== 'object' || raw === null) return `, not ${String(raw)}`;
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
