import type { CamelCase, ConfigKey, SimpleValue } from './config-key.ts';

/** A table of the configuration that belongs to one plugin: data, so that it is known before the plugin's code is loaded. */
export interface PluginSection<K extends SectionKeys = SectionKeys> {
  /** Its dotted name: `storage.qdrant`. */
  readonly name: string;
  /** One sentence, for the file that `init` writes and for the documentation. */
  readonly doc: string;
  /** The table or key of the same table that stands before it in that file; without one it stands last. */
  readonly after?: string | undefined;
  readonly keys: K;
}

/** The keys of a section, by name. */
export interface SectionKeys {
  readonly [name: string]: ConfigKey;
}

/** What the keys of a section resolve to: `timeout_s` is `timeoutS`. */
export type SectionValues<S extends PluginSection> = {
  readonly [N in keyof S['keys'] & string as CamelCase<N>]: SimpleValue<S['keys'][N]>;
};

/**
 * Declares the section of a plugin. Validation, environment variables, `config show`, the file of `init` and the documentation
 * are derived from it, as they are for kebab's own keys.
 *
 *     section('storage.qdrant', { doc: 'A Qdrant server.', keys: { url: key.url('http://127.0.0.1:6333', 'Its address.') } })
 */
export function section<const K extends SectionKeys>(
  name: string,
  { doc, after, keys }: Omit<PluginSection<K>, 'name'>,
): PluginSection<K> {
  return { name, doc, after, keys };
}
