import { nearestName } from '../errors/nearest-name.ts';
import type { Members } from './config-key.ts';
import { FLAT_KEYS } from './flat-keys.ts';
import { invalidConfig } from './invalid-config.ts';
import type { Origin } from './origin.ts';
import { isTable, readValue } from './read-value.ts';

/**
 * Validates a table of the configuration with everything in it and yields the keys it sets, by dotted name. Throws
 * `config_invalid` for the first unknown key or wrong value.
 */
export function* readTable(
  table: unknown,
  members: Members,
  prefix: string,
  origin: Origin,
): Generator<readonly [name: string, value: unknown]> {
  if (!isTable(table)) throw invalidConfig({ origin, key: prefix.slice(0, -1) || '(root)' }, 'must be a table');
  for (const [member, value] of Object.entries(table)) {
    const name = `${prefix}${member}`;
    const node = Object.hasOwn(members, member) ? members[member] : undefined;
    if (node === undefined)
      throw invalidConfig({ origin, key: name }, 'unknown key', suggestKey(member, members, prefix));
    if (node.kind === 'section') yield* readTable(value, node.members, `${name}.`, origin);
    else yield [name, readValue(node, value, { origin, key: name })];
  }
}

/** The nearest key of the same table; else a key of that very name elsewhere; else the nearest of all. */
function suggestKey(member: string, members: Members, prefix: string): string | undefined {
  const sibling = nearestName(member, Object.keys(members));
  if (sibling !== undefined) return `${prefix}${sibling}`;
  const names = FLAT_KEYS.map(({ name }) => name);
  return names.find((name) => name.endsWith(`.${member}`)) ?? nearestName(`${prefix}${member}`, names);
}
