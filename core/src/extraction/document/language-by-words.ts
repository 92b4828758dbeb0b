import { FUNCTION_WORDS, TELLING_LETTERS } from './function-words.ts';

/** What small words must be for a language: so many different ones, such a share of all words, so far before the next. */
const USUAL = { distinct: 3, share: 0.12, lead: 1.2 };
/** Among many names fewer small words are enough, when they are several and speak for one language alone. */
const CLEAR = { distinct: 5, share: 0.07, lead: 2.5 };

/** Languages by number; everything below counts in arrays of their length. */
const LANGUAGES = Object.keys(FUNCTION_WORDS);
const SPEAKERS = languagesBy(FUNCTION_WORDS, ' ');
const WRITERS = languagesBy(TELLING_LETTERS, '');
const NOBODY: readonly number[] = [];

/**
 * Tells the language of a text by its small words and its telling letters; null when too few speak for one, or another
 * comes near it. Each word speaks for its languages, the more the fewer they are.
 */
export function languageByWords(text: string): string | null {
  const score = new Float64Array(LANGUAGES.length);
  const hits = new Uint16Array(LANGUAGES.length);
  const distinct = new Uint16Array(LANGUAGES.length);
  const seen = new Set<string>();
  const words = wordsOf(text);
  for (const word of words) {
    const speakers = SPEAKERS.get(word) ?? writersOf(word);
    const isNew = speakers.length > 0 && !seen.has(word);
    if (isNew) seen.add(word);
    for (const language of speakers) {
      score[language] = (score[language] ?? 0) + 1 / speakers.length;
      hits[language] = (hits[language] ?? 0) + 1;
      if (isNew) distinct[language] = (distinct[language] ?? 0) + 1;
    }
  }
  const best = indexOfMax(score, -1);
  const second = score[indexOfMax(score, best)] ?? 0;
  const isOver = (least: { readonly distinct: number; readonly share: number; readonly lead: number }): boolean =>
    (distinct[best] ?? 0) >= least.distinct &&
    (hits[best] ?? 0) >= words.length * least.share &&
    (score[best] ?? 0) >= second * least.lead;
  return isOver(USUAL) || isOver(CLEAR) ? (LANGUAGES[best] ?? null) : null;
}

/** The runs of letters of a text, in lower case. Letters are what is no ASCII sign and no Latin-1 symbol. */
function wordsOf(text: string): readonly string[] {
  const lower = text.toLowerCase();
  const words: string[] = [];
  let start = -1;
  for (let i = 0; i <= lower.length; i++) {
    const unit = i < lower.length ? lower.charCodeAt(i) : 0;
    const isLetter =
      (unit >= 0x61 && unit <= 0x7a) || (unit >= 0xaa && unit !== 0xd7 && unit !== 0xf7 && unit < 0x2000);
    if (isLetter && start === -1) start = i;
    if (!isLetter && start !== -1) {
      words.push(lower.slice(start, i));
      start = -1;
    }
  }
  return words;
}

function writersOf(word: string): readonly number[] {
  for (let i = 0; i < word.length; i++)
    if (word.charCodeAt(i) > 0x7f) {
      const writers = WRITERS.get(word.charAt(i));
      if (writers !== undefined) return writers;
    }
  return NOBODY;
}

function indexOfMax(values: Float64Array, except: number): number {
  let best = except === 0 ? 1 : 0;
  for (let i = best + 1; i < values.length; i++) if (i !== except && (values[i] ?? 0) > (values[best] ?? 0)) best = i;
  return best;
}

function languagesBy(
  table: Readonly<Record<string, string>>,
  separator: string,
): ReadonlyMap<string, readonly number[]> {
  const languages = new Map<string, number[]>();
  for (const [lang, list] of Object.entries(table))
    for (const item of new Set(list.split(separator)))
      languages.set(item, [...(languages.get(item) ?? []), LANGUAGES.indexOf(lang)]);
  return languages;
}
