/** A scale after a number: its power of ten, its name in lower case, and its length with the space before it. */
export interface Scale {
  readonly power: number;
  readonly name: string;
  readonly length: number;
}

/** Scale characters in and after numbers in East Asian scripts. */
export const EAST_ASIAN_POWERS: Readonly<Record<string, number>> = {
  십: 1,
  백: 2,
  천: 3,
  만: 4,
  억: 8,
  조: 12,
  百: 2,
  千: 3,
  万: 4,
  萬: 4,
  億: 8,
  亿: 8,
  兆: 12,
};

/** Spellings by power of ten, in English and in other European languages. `mil millones` has to come before `mil`. */
const SPELLINGS: readonly (readonly [power: number, spellings: string])[] = [
  [2, 'hundred'],
  [5, 'lakh'],
  [7, 'crore'],
  [
    9,
    'billion|bn|milliarde|milliarden|mrd|milliard|milliards|mil millones|miliardo|miliardi|mil milhões|bilhão|bilhões|miljard|' +
      'miljarder|milliarder|miliard|miliardy|miliardów|miliarda|miljardia|milyar|mld|млрд|миллиард|миллиарда|миллиардов|мільярдів',
  ],
  [
    3,
    'thousand|tausend|tsd|mille|mil|mila|duizend|tusen|tusind|tys|tysiące|tysięcy|tisíc|тыс|тысяча|тысячи|тысяч|тисяч',
  ],
  [
    6,
    'million|mn|millions|millionen|mio|millón|millones|milione|milioni|milhão|milhões|miljoen|miljon|miljoner|millioner|milion|' +
      'miliony|milionów|milionů|miljoonaa|milyon|mln|млн|миллион|миллиона|миллионов|мільйонів',
  ],
  [12, 'trillion|tn|billionen|billones|biljoen|billioner|biliony|bilionów|bilionů|трлн|триллион|триллиона|триллионов'],
];
const POWERS: ReadonlyMap<string, number> = new Map(
  SPELLINGS.flatMap(([power, spellings]) => spellings.split('|').map((name): [string, number] => [name, power])),
);
const NAMES = [...POWERS.keys(), 'billions', 'trillions'].toSorted((a, b) => b.length - a.length).join('|');
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
  const power = POWERS.get(name) ?? POWERS.get(name.replace(/s$/, ''));
  return power === undefined ? null : { power, name, length: match[0].length };
}

/** A letter that may be a scale: `$5M`, `1.5k`. Attached without a currency, capitals may mean something else: `3M`, `300K`. */
export interface LetterScale extends Scale {
  readonly isAttached: boolean;
  readonly isCapital: boolean;
}

/** The letter at an offset that may be a scale; null when there is none. */
export function letterScaleAt(text: string, offset: number): LetterScale | null {
  LETTER.lastIndex = offset;
  const match = LETTER.exec(text);
  const letter = match?.[2];
  if (match === null || letter === undefined) return null;
  const name = letter.toLowerCase();
  return {
    power: LETTER_POWERS[name] ?? 0,
    name,
    length: match[0].length,
    isAttached: match[1] === '',
    isCapital: letter !== name,
  };
}
