import type { TextRange } from '../../domain/block.ts';

/** A number in words: `twenty-three`, `two hundred`, `fifth`. */
export interface WordNumber extends TextRange {
  readonly value: number;
}

const SMALL: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
    'eighteen nineteen'
  )
    .split(' ')
    .map((word, value) => [word, value]),
);
const TENS: Readonly<Record<string, number>> = Object.fromEntries(
  'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').map((word, at) => [word, 10 * (at + 2)]),
);
const SCALES: Readonly<Record<string, number>> = {
  hundred: 100,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
};
const ORDINALS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    (
      'third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth ' +
      'seventeenth eighteenth nineteenth'
    )
      .split(' ')
      .map((word, at) => [word, at + 3]),
  ),
  ...Object.fromEntries(
    'twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth'
      .split(' ')
      .map((word, at) => [word, 10 * (at + 2)]),
  ),
};
const FIRST_TWO: Readonly<Record<string, number>> = { first: 1, second: 2 };
const ANY = [...Object.keys(SMALL), ...Object.keys(TENS), ...Object.keys(ORDINALS), ...Object.keys(SCALES)].join('|');
const RUN = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${ANY}|first|second)(?:(?:[ -]|[ -]and[ -])(?:${ANY}|(?<=[yY][ -])(?:first|second)))*(?![\\p{L}\\p{N}])`,
  'giu',
);
/** Words that stand for a number without being one; they support a number of an answer and are none themselves. */
const LOOSE: Readonly<Record<string, number>> = { twice: 2, second: 2, dozen: 12 };
const LOOSE_WORD = new RegExp(`(?<!\\p{L})(?:${Object.keys(LOOSE).join('|')})(?!\\p{L})`, 'giu');

/**
 * The numbers in words of a text, in order. `one` and `first` alone are more often other words, and so is `second`; they
 * are left out unless `loose`, which also reads `twice` and `dozen`.
 */
export function readNumberWords(
  text: string,
  { loose = false }: { readonly loose?: boolean } = {},
): readonly WordNumber[] {
  const strict = [...text.matchAll(RUN)].flatMap(({ 0: run, index }) => numbersOfRun(run, index, loose));
  if (!loose) return strict;
  const more = [...text.matchAll(LOOSE_WORD)].map(({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
    value: LOOSE[word.toLowerCase()] ?? 0,
  }));
  return [...strict, ...more];
}

/** A run may hold several numbers: `one hundred and five`, but `two three`. */
function numbersOfRun(run: string, offset: number, loose: boolean): readonly WordNumber[] {
  const found: WordNumber[] = [];
  let total = 0;
  let group = 0;
  let start = -1;
  let end = 0;
  let last: 'small' | 'tens' | 'scale' | 'ordinal' | null = null;
  const flush = (): void => {
    if (start === -1) return;
    const word = run.slice(start, end).toLowerCase();
    const isWeak = word === 'one' || word === 'first' || word === 'second' || word === 'zero' || word in SCALES;
    if (loose || !isWeak) found.push({ start: offset + start, end: offset + end, value: total + group });
    [total, group, start, last] = [0, 0, -1, null];
  };
  for (const { 0: token, index } of run.matchAll(/\p{L}+/gu)) {
    const word = token.toLowerCase();
    if (word === 'and') continue;
    const small = SMALL[word];
    const tens = TENS[word];
    const scale = SCALES[word];
    const ordinal = ORDINALS[word] ?? FIRST_TWO[word];
    const joins =
      last === null || scale !== undefined || last === 'scale' || (last === 'tens' && (small ?? ordinal ?? 10) < 10);
    if (
      !joins ||
      last === 'ordinal' ||
      (scale !== undefined && last !== null && scale > 100 && total > 0 && total < scale)
    )
      flush();
    if (start === -1) start = index;
    end = index + token.length;
    if (scale === 100) group = Math.max(1, group) * 100;
    else if (scale !== undefined) [total, group] = [total + Math.max(1, group) * scale, 0];
    else group += small ?? tens ?? ordinal ?? 0;
    last = scale === undefined ? (tens === undefined ? (small === undefined ? 'ordinal' : 'small') : 'tens') : 'scale';
  }
  flush();
  return found;
}

const NATIVE: Readonly<Record<string, number>> = {
  한: 1,
  두: 2,
  세: 3,
  네: 4,
  다섯: 5,
  여섯: 6,
  일곱: 7,
  여덟: 8,
  아홉: 9,
  열: 10,
  스무: 20,
};
const COUNTER = '명|개|번|차례|가지|달|해|시간|사람|곳|마리|권|대|쪽|편|배|살|종|척|채|그루|째|단계|분';
const NATIVE_COUNT = new RegExp(`(?<![가-힣])(${Object.keys(NATIVE).join('|')})\\s?(?:${COUNTER})`, 'gu');

/** Native Korean numbers of a passage before what they count: `세 가지`. */
export function readNativeNumbers(text: string): readonly number[] {
  return [...text.matchAll(NATIVE_COUNT)].map(([, word = '']) => NATIVE[word] ?? 0);
}
