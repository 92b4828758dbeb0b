import type { PluginEntry } from '../plugin/find-plugins.ts';
import type { ConfigKey } from './config-key.ts';
import { FLAT_KEYS } from './flat-keys.ts';
import { isLoopback } from './is-loopback.ts';

/** A key that a project file may set only once it is trusted, and what is held against it. */
export interface RestrictedKey {
  readonly name: string;
  readonly reason: string;
}

/**
 * Finds what takes a project file's trust: plugins other than the built-in ones, and addresses away from loopback,
 * wherever they are written. `values` are validated values by dotted name.
 */
export function restrictedKeys(
  values: ReadonlyMap<string, unknown>,
  builtinPlugins: readonly string[],
): readonly RestrictedKey[] {
  return FLAT_KEYS.flatMap(({ name, key }) => {
    const reason = values.has(name) ? reasonAgainst(key, values.get(name), builtinPlugins) : undefined;
    return reason === undefined ? [] : [{ name, reason }];
  });
}

function reasonAgainst(key: ConfigKey, value: unknown, builtinPlugins: readonly string[]): string | undefined {
  if (key.kind === 'tables' && key.of === 'plugins') {
    const foreign = (value as readonly PluginEntry[]).find(
      ({ name, enabled }) => enabled && !builtinPlugins.includes(name),
    );
    if (foreign !== undefined) return `enables the plugin ${foreign.name}`;
  }
  return pointsAway(value) ? 'points away from this machine' : undefined;
}

function pointsAway(value: unknown): boolean {
  if (typeof value === 'string') return /^\s*[a-z][a-z0-9+.-]*:\/\//i.test(value) && !isLoopback(value.trim());
  return typeof value === 'object' && value !== null && Object.values(value).some(pointsAway);
}
