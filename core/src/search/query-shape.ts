import type { AnalysedQuery } from '../analysis/analyse-query.ts';
import { hasLetterOrDigit } from '../analysis/words.ts';

/** The form of a query, regardless of the meaning of its words. */
export interface QueryShape {
  /** Words as typed, separated by white space, without exclusions and quote marks. */
  readonly words: readonly string[];
  /** The words that are names in code or file paths. */
  readonly identifiers: readonly string[];
}

/** Longer than any name in code; the search for its parts takes time quadratic in its length. */
const LONGEST_NAME = 256;

/** Analyses the form of a query. */
export function queryShape({ embeddingText }: Pick<AnalysedQuery, 'embeddingText'>): QueryShape {
  const words = embeddingText.split(/\s+/).filter(hasLetterOrDigit);
  return { words, identifiers: words.filter(isIdentifier) };
}

/** Whether at least half of a query's words are names from code: it asks for exactly these words. */
export function asksForNames({ words, identifiers }: QueryShape): boolean {
  return identifiers.length > 0 && identifiers.length * 2 >= words.length;
}

function isIdentifier(word: string): boolean {
  if (word.length > LONGEST_NAME) return false;
  const bare = word.replace(/^[("'`[{]+|[)"'`\]},;:!?.]+$/g, '');
  if (/^[a-z0-9]*$/.test(bare)) return false; // most words are, and the patterns take milliseconds to compile
  // `camelCase`, `PascalCase` of two parts, `snake_case`, `CONSTANT_NAME`, `$dollar`.
  if (/\p{Ll}\d*\p{Lu}|[\p{L}\d]_[\p{L}\d]|^\$[\p{L}_]|\p{Lu}{2,}\p{Ll}{2,}/u.test(bare)) return true;
  // `os.path.join`, `Engine::open`, `Class#method`, `call()`, `--flag`.
  if (/\p{L}[\p{L}\d_]*(?:\.|::|#)\p{L}[\p{L}\d_]+|\p{L}\(\)?$|^--?\p{L}{2,}/u.test(bare)) return true;
  // `src/app.ts`, `./config`, `a/b/c`.
  return /^\.{0,2}\/[^/]|[^/]\/[^/]+\/[^/]|\/[^/]+\.\p{L}{1,5}$|^[\p{L}\d_-]+\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|cc?|cpp|hp?p?|md|toml|ya?ml|json|sql|sh)$/u.test(
    bare,
  );
}

/** Unicode scripts that identify words, and the languages that are written in them, by ISO 639-1 code; everything else counts as Latin. */
const SCRIPTS = {
  hangul: { pattern: /\p{Script=Hangul}/u, languages: ['ko'] },
  kana: { pattern: /[\p{sc=Hira}\p{sc=Kana}]/u, languages: ['ja'] },
  han: { pattern: /\p{Script=Han}/u, languages: ['ko', 'ja', 'zh'] },
  cyrillic: { pattern: /\p{sc=Cyrl}/u, languages: ['ru', 'uk', 'bg', 'be', 'mk', 'sr', 'kk', 'ky', 'mn', 'tg'] },
  arabic: { pattern: /\p{Script=Arabic}/u, languages: ['ar', 'fa', 'ur', 'ps', 'ug'] },
  hebrew: { pattern: /\p{Script=Hebrew}/u, languages: ['he', 'yi'] },
  greek: { pattern: /\p{Script=Greek}/u, languages: ['el'] },
  thai: { pattern: /\p{Script=Thai}/u, languages: ['th'] },
  devanagari: { pattern: /\p{Script=Devanagari}/u, languages: ['hi', 'mr', 'ne', 'sa'] },
  latin: { pattern: /\p{Script=Latin}/u, languages: [] },
} as const;

type Script = keyof typeof SCRIPTS;

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
  const known = new Set(languages.map((code) => code.slice(0, 2)));
  const isKnown = (script: Script): boolean =>
    script === 'latin' || SCRIPTS[script].languages.some((code) => known.has(code));
  let words = 0;
  let unspoken = 0;
  for (const { script, count } of scriptRuns(text)) {
    words += count;
    if (!isKnown(script)) unspoken += count;
  }
  return words === 0 || unspoken / words < UNSPOKEN_SHARE;
}

function* scriptRuns(text: string): Generator<{ readonly script: Script; readonly count: number }> {
  for (const [word] of text.matchAll(/[\p{L}\p{M}]+/gu)) {
    const lengths = new Map<Script, number>();
    for (const character of word) {
      const script = (Object.keys(SCRIPTS) as Script[]).find((one) => SCRIPTS[one].pattern.test(character));
      if (script !== undefined) lengths.set(script, (lengths.get(script) ?? 0) + 1);
    }
    for (const [script, length] of lengths)
      yield { script, count: WITHOUT_SPACES.has(script) ? Math.ceil(length / CHARACTERS_A_WORD) : 1 };
  }
}
