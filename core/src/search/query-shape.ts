import type { AnalysedQuery } from '../analysis/analyse-query.ts';

/** The form of a query, regardless of the meaning of its words. */
export interface QueryShape {
  /** Words as typed, separated by white space, without exclusions and quote marks. */
  readonly words: readonly string[];
  /** The words that are names in code or file paths. */
  readonly identifiers: readonly string[];
}

/** `camelCase`, `PascalCase` of two parts, `snake_case`, `CONSTANT_NAME`, `$dollar`. */
const MIXED_NAME = letterPattern(
  String.raw`[\p{Ll}]\d*[\p{Lu}]|[\p{L}\d]_[\p{L}\d]|^\$[\p{L}_]|[\p{Lu}]{2,}[\p{Ll}]{2,}`,
  'u',
);
/** `os.path.join`, `Engine::open`, `Class#method`, `call()`, `--flag`. */
const JOINED_NAME = letterPattern(
  String.raw`[\p{L}][\p{L}\d_]*(?:\.|::|#)[\p{L}][\p{L}\d_]+|[\p{L}]\(\)?$|^--?[\p{L}]{2,}`,
  'u',
);
/** `src/app.ts`, `./config`, `a/b/c`. */
const FILE_PATH = letterPattern(
  String.raw`^\.{0,2}\/[^\/]|[^\/]\/[^\/]+\/[^\/]|\/[^\/]+\.[\p{L}]{1,5}$|^[\p{L}\d_\-]+\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|cc?|cpp|hp?p?|md|toml|ya?ml|json|sql|sh)$`,
  'u',
);
const LETTER_OR_DIGIT = letterPattern(String.raw`[\p{L}\p{N}]`, 'u');
/** Longer than any name in code; the search for its parts takes time quadratic in its length. */
const LONGEST_NAME = 256;

/** Analyses the form of a query. */
export function queryShape({ embeddingText }: AnalysedQuery): QueryShape {
  const words = embeddingText.split(/\s+/).filter((word) => LETTER_OR_DIGIT(word).test(word));
  return { words, identifiers: words.filter(isIdentifier) };
}

/** Whether at least half of a query's words are names from code: it asks for exactly these words. */
export function asksForNames({ words, identifiers }: QueryShape): boolean {
  return identifiers.length > 0 && identifiers.length * 2 >= words.length;
}

function isIdentifier(word: string): boolean {
  if (word.length > LONGEST_NAME) return false;
  const bare = word.replace(/^[("'`[{]+|[)"'`\]},;:!?.]+$/g, '');
  return MIXED_NAME(bare).test(bare) || JOINED_NAME(bare).test(bare) || FILE_PATH(bare).test(bare);
}

/** Unicode scripts that identify words; everything else counts as Latin, which most languages use. */
const SCRIPTS = {
  hangul: ['Hangul'],
  kana: ['Hiragana', 'Katakana'],
  han: ['Han'],
  cyrillic: ['Cyrillic'],
  arabic: ['Arabic'],
  hebrew: ['Hebrew'],
  greek: ['Greek'],
  thai: ['Thai'],
  devanagari: ['Devanagari'],
  latin: ['Latin'],
} as const;

type Script = keyof typeof SCRIPTS;

let patterns: readonly (readonly [Script, RegExp])[] | undefined;

/** Created on first use, because a lexical search needs none. */
function scriptPatterns(): readonly (readonly [Script, RegExp])[] {
  patterns ??= Object.entries(SCRIPTS).map(([script, names]) => {
    const properties = names.map((name) => `\\p{Script=${name}}`).join('');
    return [script as Script, new RegExp(`[${properties}]`, 'u')];
  });
  return patterns;
}

/** The scripts of languages that use more than Latin letters, by ISO 639-1 code. */
const SCRIPTS_OF: Readonly<Record<string, readonly Script[]>> = {
  ko: ['hangul', 'han'],
  ja: ['kana', 'han'],
  zh: ['han'],
  ...Object.fromEntries(
    ['ru', 'uk', 'bg', 'be', 'mk', 'sr', 'kk', 'ky', 'mn', 'tg'].map((code) => [code, ['cyrillic']]),
  ),
  ...Object.fromEntries(['ar', 'fa', 'ur', 'ps', 'ug'].map((code) => [code, ['arabic']])),
  ...Object.fromEntries(['he', 'yi'].map((code) => [code, ['hebrew']])),
  el: ['greek'],
  th: ['thai'],
  ...Object.fromEntries(['hi', 'mr', 'ne', 'sa'].map((code) => [code, ['devanagari']])),
};

/** From this share of words in a script unknown to the model on, its vector of a text means little. */
const UNSPOKEN_SHARE = 0.5;
/** In scripts without spaces, this many characters count as a word. */
const CHARACTERS_A_WORD = 2;
const WITHOUT_SPACES: ReadonlySet<Script> = new Set(['hangul', 'kana', 'han', 'thai']);

/**
 * Whether a model for `languages` (ISO 639-1; null for most) can read a text: less than half of the words are in scripts of none of them. A
 * model for any language can read some Latin letters, digits and symbols.
 */
export function canRead(languages: readonly string[] | null, text: string): boolean {
  if (languages === null) return true;
  const known = new Set<Script>(['latin', ...languages.flatMap((code) => SCRIPTS_OF[code.slice(0, 2)] ?? [])]);
  let words = 0;
  let unspoken = 0;
  for (const { script, count } of scriptRuns(text)) {
    words += count;
    if (!known.has(script)) unspoken += count;
  }
  return words === 0 || unspoken / words < UNSPOKEN_SHARE;
}

function* scriptRuns(text: string): Generator<{ readonly script: Script; readonly count: number }> {
  for (const [word] of text.matchAll(/[\p{L}\p{M}]+/gu)) {
    const lengths = new Map<Script, number>();
    for (const character of word) {
      const script = scriptPatterns().find(([, pattern]) => pattern.test(character))?.[0];
      if (script !== undefined) lengths.set(script, (lengths.get(script) ?? 0) + 1);
    }
    for (const [script, length] of lengths)
      yield { script, count: WITHOUT_SPACES.has(script) ? Math.ceil(length / CHARACTERS_A_WORD) : 1 };
  }
}

/** The ASCII characters of the Unicode properties that our patterns use. */
const ASCII: ReadonlyMap<string, string> = new Map([
  ['L', 'A-Za-z'],
  ['Lu', 'A-Z'],
  ['Ll', 'a-z'],
  ['Lo', ''],
  ['M', ''],
  ['N', '0-9'],
]);

/**
 * A pattern over letters of any script, for a given text. Each `\p{…}` in it must be inside brackets. For ASCII texts, which most queries
 * are, the pattern lists the letters themselves and matches the same: V8 takes half a millisecond to two to compile a pattern with
 * properties, which would add five to a cold search.
 */
export function letterPattern(source: string, flags: string): (text: string) => RegExp {
  let ascii: RegExp | undefined;
  let any: RegExp | undefined;
  return (text) => {
    if (/[\u0080-\uffff]/.test(text)) return (any ??= new RegExp(source, flags));
    return (ascii ??= new RegExp(source.replaceAll(/\\p\{(\w+)\}/g, asciiOf), flags));
  };
}

function asciiOf(property: string, name: string): string {
  const characters = ASCII.get(name);
  if (characters === undefined) throw new Error(`no ASCII characters are known of ${property}`);
  return characters;
}
