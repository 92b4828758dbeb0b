import { camelCase, type ConfigKey } from './config-key.ts';

/** The configuration table of one plugin: data in its package.json, so that it is known before any code runs. */
export interface PluginSection {
  /** Its dotted name: `storage.qdrant`. */
  readonly name: string;
  /** One sentence, for the file that `init` writes and for the documentation. */
  readonly doc: string;
  /** The table or key that precedes it within the same table in that file; without one it comes last. */
  readonly after?: string | undefined;
  readonly keys: SectionKeys;
}

/** The keys of a section, by name. */
export interface SectionKeys {
  readonly [name: string]: ConfigKey;
}

/** The configuration values of a plugin's section, defaults filled in; `timeout_s` becomes `timeoutS`. */
export type SectionValues = Readonly<Record<string, unknown>>;

/**
 * Parses the section that a package.json declares. Throws, saying what is wrong with it.
 *
 * { "name": "storage.qdrant", "doc": "A Qdrant server.", "keys": { "url": { "kind": "url", "default": "http://127.0.0.1:6333", "doc": "Its
 * address." } } }
 */
export function pluginSectionOf(written: unknown): PluginSection {
  const { name, doc, after, keys } = tableOf(written, 'its section of the configuration');
  if (typeof name !== 'string' || !SECTION_NAME.test(name))
    throw new TypeError(`its section has no name like "journal"`);
  const where = `its section ${name}`;
  const entries = Object.entries(tableOf(keys, `${where}.keys`)).map(([key, value]): [string, ConfigKey] => {
    if (!KEY_NAME.test(key)) throw new TypeError(`${where} has a key ${JSON.stringify(key)}: names are like max_depth`);
    return [key, keyOf(value, `${where}: ${key}`)];
  });
  for (const part of [...name.split('.'), ...entries.map(([key]) => key)]) {
    if (camelCase(part) in Object.prototype) throw new TypeError(`${where} uses ${part}, which cannot be a name`);
  }
  return {
    name,
    doc: textOf(doc, `${where}: doc`),
    ...(after === undefined ? {} : { after: textOf(after, `${where}: after`) }),
    keys: Object.fromEntries(entries),
  };
}

const KEY_NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
const SECTION_NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*(?:\.[a-z][a-z0-9]*(?:_[a-z0-9]+)*)*$/;

/** Whether the default fits the key is checked where values are read. */
function keyOf(written: unknown, where: string): ConfigKey {
  const key = tableOf(written, where);
  const doc = textOf(key['doc'], `${where}: doc`);
  const value = key['default'];
  switch (key['kind']) {
    case 'bool':
      return { kind: 'bool', default: value === true, doc };
    case 'int':
    case 'number':
      return {
        kind: key['kind'],
        default: numberOrNull(value, `${where}: default`),
        min: numberOrNull(key['min'], `${where}: min`) ?? 0,
        max: numberOrNull(key['max'], `${where}: max`),
        doc,
      };
    case 'text':
      return {
        kind: 'text',
        default: textOf(value ?? '', `${where}: default`),
        secret: key['secret'] === true,
        known: textsOf(key['known'] ?? [], `${where}: known`),
        pattern: key['pattern'] === undefined ? null : new RegExp(textOf(key['pattern'], `${where}: pattern`)),
        doc,
      };
    case 'enum':
      return {
        kind: 'enum',
        default: value === undefined || value === null ? null : textOf(value, `${where}: default`),
        values: textsOf(key['values'], `${where}: values`),
        doc,
      };
    case 'url':
    case 'path':
      return { kind: key['kind'], default: textOf(value, `${where}: default`), doc };
    case 'texts':
    case 'paths':
      return { kind: key['kind'], default: textsOf(value ?? [], `${where}: default`), doc };
    default:
      throw new TypeError(`${where}: kind must be one of ${KINDS.join(', ')}`);
  }
}

const KINDS = ['bool', 'int', 'number', 'text', 'enum', 'url', 'path', 'texts', 'paths'];

function tableOf(value: unknown, where: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`${where} must be a table`);
  return value as Readonly<Record<string, unknown>>;
}

function textOf(value: unknown, where: string): string {
  if (typeof value !== 'string') throw new TypeError(`${where} must be a text`);
  return value;
}

function textsOf(value: unknown, where: string): readonly string[] {
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
    throw new TypeError(`${where} must be a list of texts`);
  return value;
}

function numberOrNull(value: unknown, where: string): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number') throw new TypeError(`${where} must be a number`);
  return value;
}
