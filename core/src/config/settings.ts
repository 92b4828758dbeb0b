import type { KeyTable } from './key-table.ts';
import type { Origin } from './invalid-config.ts';
import { defaultOf } from './read-value.ts';

/** A validated value, and what a relative path in it is relative to. */
export interface Setting {
  readonly value: unknown;
  readonly origin: Origin;
  /** Absolute folder. */
  readonly base: string;
}

/** Validated values by dotted name: one layer of the configuration, or all of them merged. */
export type Settings = ReadonlyMap<string, Setting>;

/** Merges layers, the weakest first, over the defaults; the result has every key. */
export function mergeSettings({ keys }: KeyTable, layers: readonly Settings[], base: string): Settings {
  const merged = new Map<string, Setting>();
  for (const { name, key } of keys) merged.set(name, { value: defaultOf(key), origin: { origin: 'default' }, base });
  for (const layer of layers) for (const [name, setting] of layer) merged.set(name, setting);
  return merged;
}

/** The setting of a key in merged settings, which have them all. */
export function settingOf(settings: Settings, name: string): Setting {
  const setting = settings.get(name);
  if (setting === undefined) throw new TypeError(`there is no key ${name}`);
  return setting;
}
