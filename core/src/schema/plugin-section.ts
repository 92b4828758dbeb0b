import { camelCase, type Field, type Fields } from './field.ts';

/** The configuration table of one plugin: data in its package.json, so that it is known before any code runs. */
export interface PluginSection {
  /** Its dotted name: `storage.qdrant`. */
  readonly name: string;
  /** One sentence, for the file that `init` writes and for the documentation. */
  readonly doc: string;
  /** The table or key that precedes it within the same table in that file; without one it comes last. */
  readonly after?: string | undefined;
  readonly keys: Fields;
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
  const entries = Object.entries(tableOf(keys, `${where}.keys`)).map(([key, value]): [string, Field] => {
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

/** What a key of each kind may declare besides its sentence. Whether the default fits the key is checked where values are read. */
const MEMBERS: Readonly<Record<string, Readonly<Record<string, (value: unknown, where: string) => unknown>>>> = {
  bool: { default: (value) => value === true },
  int: { default: numberOrNull, min: numberOrNull, max: numberOrNull },
  number: { default: numberOrNull, min: numberOrNull, max: numberOrNull },
  text: { default: textOf, secret: (value) => value === true, known: textsOf, pattern: patternOf, patternDoc: textOf },
  enum: { default: (value, where) => (value === null ? null : textOf(value, where)), values: textsOf },
  url: { default: textOf },
  path: { default: textOf },
  texts: { default: textsOf },
  paths: { default: textsOf },
};

/** What a key has that does not declare it. */
const OMITTED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  bool: { default: false },
  int: { default: null, min: 0 },
  number: { default: null, min: 0 },
  text: { default: '' },
  enum: { default: null },
  texts: { default: [] },
  paths: { default: [] },
};

function keyOf(written: unknown, where: string): Field {
  const key = tableOf(written, where);
  const doc = textOf(key['doc'], `${where}: doc`);
  const kind = String(key['kind']);
  const members = Object.hasOwn(MEMBERS, kind) ? MEMBERS[kind] : undefined;
  if (members === undefined) throw new TypeError(`${where}: kind must be one of ${Object.keys(MEMBERS).join(', ')}`);
  const entries = Object.entries(members).flatMap(([name, read]) => {
    const value = key[name] ?? OMITTED[kind]?.[name];
    const isNeeded = (name === 'default' && OMITTED[kind] === undefined) || name === 'values';
    return value === undefined && !isNeeded ? [] : [[name, read(value, `${where}: ${name}`)]];
  });
  return { kind, ...Object.fromEntries(entries), doc } as Field;
}

function patternOf(value: unknown, where: string): RegExp {
  return new RegExp(textOf(value, where));
}

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
