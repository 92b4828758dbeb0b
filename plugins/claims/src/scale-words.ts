/** A scale after a number: its power of ten, its name in lower case, and its length with the space before it. */
export interface Scale {
  readonly power: number;
  readonly name: string;
  readonly length: number;
}

/** Scale characters in and after numbers in East Asian scripts. */
export const EAST_ASIAN_POWERS: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries({ 1: '십', 2: '백百', 3: '천千', 4: '만万萬', 8: '억億亿', 12: '조兆' }).flatMap(
    ([power, characters]) => Array.from(characters, (character) => [character, Number(power)] as const),
  ),
);

const LANGUAGES = 'en de fr es it pt nl sv da nb pl cs uk ru tr fi ar fa'.split(' ');
/** Numbers whose plurals differ in one of the languages. */
const COUNTS = [1, 2, 5, 21];
/** What the locale data lacks, or abbreviates to what other languages write for other scales. */
const OTHERS: Readonly<Record<number, string>> = {
  2: 'hundred',
  3: 'tsd tys тыс тысячу',
  5: 'lakh',
  6: 'mn mio mln млн',
  7: 'crore',
  9: 'bn billions mrd mld млрд',
  12: 'tn trillions трлн',
};

/** Powers of ten by their name in lower case: `billion` is English, so `Billionen` alone are a thousand of them. */
export const SCALE_POWERS: ReadonlyMap<string, number> = new Map(
  [
    ...Object.entries(OTHERS).flatMap(([power, names]) =>
      names.split(' ').map((name) => [name, Number(power)] as const),
    ),
    ...LANGUAGES.flatMap((language) => {
      const format = new Intl.NumberFormat(language, { notation: 'compact', compactDisplay: 'long' });
      return [3, 6, 9, 12].flatMap((power) =>
        COUNTS.map((count) => {
          const name = format
            .formatToParts(count * 10 ** power)
            .flatMap(({ type, value }) => (type === 'compact' ? value : []));
          return [name.join('').toLowerCase(), power] as const;
        }),
      );
    }),
  ].toReversed(),
);
const NAMES = [...SCALE_POWERS.keys()].toSorted((a, b) => b.length - a.length).join('|');
/** With the full stop of an abbreviation that the sentence continues after: `3 Mio. Euro`. */
const WORD = new RegExp(
  `[ \\u00a0\\u202f-]?(${NAMES})(?![\\p{L}\\p{N}])(?:(?<=Mio|Mrd|Tsd|mln|mld|tys|тыс|млн|млрд)\\.(?=\\s?[\\p{Sc}\\p{L}]))?`,
  'iuy',
);
const LETTER = /( ?)([kKmMbB])(?![\p{L}\p{N}²³])/uy;
const LETTER_POWERS: Readonly<Record<string, number>> = { k: 3, m: 6, b: 9 };

/** The scale in words at an offset of a text; null when there is none. */
export function scaleAt(text: string, offset: number): Scale | null {
  WORD.lastIndex = offset;
  const match = WORD.exec(text);
  if (match === null) return null;
  const name = (match[1] ?? '').toLowerCase();
  const power = SCALE_POWERS.get(name);
  return power === undefined ? null : { power, name, length: match[0].length };
}

/** The letter at an offset that may be a scale, as written: `$5M`, `1.5k`; null when there is none. */
export function letterScaleAt(text: string, offset: number): Scale | null {
  LETTER.lastIndex = offset;
  const [all = '', , name = ''] = LETTER.exec(text) ?? [];
  return name === '' ? null : { power: LETTER_POWERS[name.toLowerCase()] ?? 0, name, length: all.length };
}
