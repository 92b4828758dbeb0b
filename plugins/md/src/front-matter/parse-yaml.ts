import { FAILSAFE_SCHEMA, Type, load } from 'js-yaml';

/** Values beyond this number come from aliases in aliases, as all front matter together has fewer characters. */
const MAX_VALUES = 200_000;

/**
 * Parses YAML 1.2 with four exceptions: `yes`, `no`, `on` and `off` are booleans, digits that a number would change are strings (`007`, `1.10`),
 * plain scalars under a key that `isText` accepts are strings, exactly as written, and hash tags are the value of such a key without another
 * (`tags: #sea #wind`). Throws for invalid syntax, for keys that are no scalars, and for aliases that expand excessively.
 */
export function parseYaml(raw: string, isText: (key: string) => boolean): unknown {
  const root = load(raw, { schema: SCHEMA });
  let count = 0;
  const valueOf = (node: unknown, isOfText: boolean): unknown => {
    if (++count > MAX_VALUES) throw new RangeError('aliases expand to too many values');
    if (node instanceof Word) return isOfText && node.value !== null ? node.source : node.value;
    if (Array.isArray(node)) return node.map((item) => valueOf(item, isOfText));
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(
      Object.entries(node).map(([key, member]) => {
        if (key === NO_KEY) throw new SyntaxError('a key is a list or a map');
        return [key, valueOf(member, isOfText || (node === root && isText(key)))];
      }),
    );
  };
  const value = valueOf(root, false);
  if (typeof root === 'object' && root !== null && !Array.isArray(root))
    for (const [key, member] of Object.entries(value as Record<string, unknown>))
      if (member === null && isText(key)) (value as Record<string, unknown>)[key] = hashTags(raw, key);
  return value;
}

/** A plain scalar that is no text; its words are kept, for a key that takes them as they are. */
class Word {
  readonly source: string;
  readonly value: null | boolean | number;

  constructor(source: string | null) {
    this.source = source ?? '';
    this.value = wordValue(this.source) ?? null;
  }

  /** As a key it is its words. */
  get [Symbol.toStringTag](): string {
    return 'Word';
  }

  toString(): string {
    return this.source;
  }
}

/** What the parser makes of a key that is a map. */
const NO_KEY = '[object Object]';

const SCHEMA = FAILSAFE_SCHEMA.extend({
  implicit: [
    new Type('tag:yaml.org,2002:word', {
      kind: 'scalar',
      resolve: (source) => wordValue(source ?? '') !== undefined,
      construct: (source) => new Word(source),
    }),
  ],
});

const WORDS: ReadonlyMap<string, null | boolean> = new Map([
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['true', 'yes', 'on'].flatMap((word) => inCases(word).map((form) => [form, true] as const)),
  ...['false', 'no', 'off'].flatMap((word) => inCases(word).map((form) => [form, false] as const)),
]);

function inCases(word: string): readonly string[] {
  return [word, word.charAt(0).toUpperCase() + word.slice(1), word.toUpperCase()];
}

const MAY_BE_NUMBER = /^[-+.\d]/;
const INTEGER = /^(?:[-+]?\d+|0o[0-7]+|0x[\da-f]+)$/i;
const DIGITS = /^[\d.]+$/;
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?$/i;
const SPECIAL: ReadonlyMap<string, number> = new Map([
  ...['.inf', '.Inf', '.INF'].flatMap((word) => [
    [word, Infinity] as const,
    [`+${word}`, Infinity] as const,
    [`-${word}`, -Infinity] as const,
  ]),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, Number.NaN] as const),
]);

/** The value of a plain scalar in the core schema of YAML 1.2, or of `yes`, `no`, `on` and `off`; undefined for a text. */
function wordValue(source: string): null | boolean | number | undefined {
  if (!MAY_BE_NUMBER.test(source)) return WORDS.get(source);
  if (INTEGER.test(source) || FLOAT.test(source)) {
    const value = Number(source);
    return DIGITS.test(source) && String(value) !== source ? undefined : value;
  }
  return SPECIAL.get(source);
}

/** The hash tags that stand behind a key like a comment; null if there are none. */
function hashTags(raw: string, key: string): string | null {
  const line = raw.split('\n').find((one) => one.startsWith(`${key}:`));
  return /^[ \t]+(#[^\s#].*)$/.exec(line?.slice(key.length + 1) ?? '')?.[1] ?? null;
}
