/** Scripts that a word can be told by; everything else counts as Latin, in which most languages are written. */
const SCRIPTS = [
  ['hangul', /\p{Script=Hangul}/u],
  ['kana', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['han', /\p{Script=Han}/u],
  ['cyrillic', /\p{Script=Cyrillic}/u],
  ['arabic', /\p{Script=Arabic}/u],
  ['hebrew', /\p{Script=Hebrew}/u],
  ['greek', /\p{Script=Greek}/u],
  ['thai', /\p{Script=Thai}/u],
  ['devanagari', /\p{Script=Devanagari}/u],
  ['latin', /\p{Script=Latin}/u],
] as const;

type Script = (typeof SCRIPTS)[number][0];

/** The scripts of languages that are not written in Latin letters alone, by ISO 639-1 code. */
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

/** From this share of words in a script that a model does not know, its vector of a text says little. */
const UNSPOKEN_SHARE = 0.5;
/** Scripts without spaces: so many characters count as a word. */
const CHARACTERS_A_WORD = 2;
const WITHOUT_SPACES: ReadonlySet<Script> = new Set(['hangul', 'kana', 'han', 'thai']);

/**
 * Whether a model made for `languages` (ISO 639-1; null for most) can read a text: less than half of the words are
 * written in scripts of none of them. Every model of any language reads Latin letters, digits and signs a little.
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
      const script = SCRIPTS.find(([, pattern]) => pattern.test(character))?.[0];
      if (script !== undefined) lengths.set(script, (lengths.get(script) ?? 0) + 1);
    }
    for (const [script, length] of lengths)
      yield { script, count: WITHOUT_SPACES.has(script) ? Math.ceil(length / CHARACTERS_A_WORD) : 1 };
  }
}
