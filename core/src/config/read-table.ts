import { nearestName } from '../errors/nearest-name.ts';
import type { Members } from '../settings/config-key.ts';
import type { KeyTable } from './key-table.ts';
import { invalidConfig, type Origin } from './invalid-config.ts';
import { isTable, readValue } from './read-value.ts';

/** Where in the configuration a table stands. */
export interface TablePlace {
  /** The whole of it, for suggestions. */
  readonly table: Pick<KeyTable, 'keys' | 'unread'>;
  readonly members: Members;
  /** Dotted, with a dot at its end; empty for the root. */
  readonly prefix: string;
}

/**
 * Validates a table of the configuration with everything in it and yields the keys it sets, by dotted name. Throws
 * `config_invalid` for the first unknown key or wrong value.
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
    if (node === undefined) throw invalidConfig({ origin, key: name }, unknownKey(place), suggestKey(member, place));
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

/** The nearest key of the same table; else a key of that very name elsewhere; else the nearest of all. */
function suggestKey(member: string, { table, members, prefix }: TablePlace): string | undefined {
  const sibling = nearestName(member, Object.keys(members));
  if (sibling !== undefined) return `${prefix}${sibling}`;
  const names = table.keys.map(({ name }) => name);
  return names.find((name) => name.endsWith(`.${member}`)) ?? nearestName(`${prefix}${member}`, names);
}
