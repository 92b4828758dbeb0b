import { languageByWords } from './language-by-words.ts';

/** The language of text that kebab cannot tell. */
export const UNDETERMINED = 'und';

const MIN_LETTERS = 20;
/** A syllable or an ideograph stands for about this many letters. */
const WIDE_WEIGHT = 3;
const BEYOND_LATIN = /[\u0300-\uffff]/;
const HAN = 'han';
const KANA = 'kana';

/** First code point, last code point, and the language, or the script where it has several. */
const SCRIPTS: readonly (readonly [first: number, last: number, script: string])[] = [
  [0x0370, 0x03ff, 'el'],
  [0x0400, 0x052f, 'cyrillic'],
  [0x0530, 0x058f, 'hy'],
  [0x0590, 0x05ff, 'he'],
  [0x0600, 0x077f, 'arabic'],
  [0x0900, 0x097f, 'hi'],
  [0x0980, 0x09ff, 'bn'],
  [0x0b80, 0x0bff, 'ta'],
  [0x0c00, 0x0c7f, 'te'],
  [0x0e00, 0x0e7f, 'th'],
  [0x10a0, 0x10ff, 'ka'],
  [0x1100, 0x11ff, 'ko'],
  [0x3040, 0x30ff, KANA],
  [0x3130, 0x318f, 'ko'],
  [0x3400, 0x4dbf, HAN],
  [0x4e00, 0x9fff, HAN],
  [0xac00, 0xd7a3, 'ko'],
];

/**
 * Tells the language of a text from its script and, where several languages share one, from its small words: an ISO 639-1
 * code, or `und` for text too short, mixed or strange to say. A few hundred characters of prose are enough.
 */
export function detectLanguage(text: string): string {
  if (!BEYOND_LATIN.test(text)) return latinLetters(text) < MIN_LETTERS ? UNDETERMINED : byWords(text);
  const sample = text.normalize('NFC');
  const weights = scriptWeights(sample);
  let script = 'latin';
  let total = 0;
  for (const [name, weight] of weights) {
    total += weight;
    if (weight > (weights.get(script) ?? 0)) script = name;
  }
  if (script === HAN || script === KANA) return (weights.get(KANA) ?? 0) * 8 > (weights.get(HAN) ?? 0) ? 'ja' : 'zh';
  if (total < MIN_LETTERS) return script.length === 2 && total > 0 ? script : UNDETERMINED;
  if (script === 'arabic') return /[پچژگ]/.test(sample) ? 'fa' : 'ar';
  return script === 'latin' || script === 'cyrillic' ? byWords(sample) : script;
}

function byWords(sample: string): string {
  return languageByWords(sample) ?? UNDETERMINED;
}

/** How much of a text is in each script; `latin` is always there. */
function scriptWeights(sample: string): ReadonlyMap<string, number> {
  const weights = new Map([['latin', latinLetters(sample)]]);
  for (let i = 0; i < sample.length; i++) {
    const unit = sample.charCodeAt(i);
    const script = unit < 0x250 ? undefined : SCRIPTS.find(([first, last]) => unit >= first && unit <= last)?.[2];
    if (script !== undefined) weights.set(script, (weights.get(script) ?? 0) + (unit >= 0x3040 ? WIDE_WEIGHT : 1));
  }
  return weights;
}

function latinLetters(text: string): number {
  let letters = 0;
  for (let i = 0; i < text.length; i++) if (isLatinLetter(text.charCodeAt(i))) letters++;
  return letters;
}

function isLatinLetter(unit: number): boolean {
  return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || (unit >= 0xc0 && unit < 0x250);
}
