import { EAST_ASIAN_POWERS } from './scale-words.ts';

/** Digits as words, in Chinese characters and in Korean, and the powers of ten between them. */
const DIGITS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(Array.from('〇一二三四五六七八九', (digit, value) => [digit, value])),
  ...Object.fromEntries(Array.from('零일이삼사오육칠팔구', (digit, value) => [digit, value])),
  两: 2,
  兩: 2,
};
/** With `十`, which joins no number in digits. */
const POWERS: Readonly<Record<string, number>> = { ...EAST_ASIAN_POWERS, 十: 1 };

/** What is counted, behind a numeral in Chinese characters. */
const COUNTER =
  /^\s?(?:[年月日号號天次回度个個名人時时点點分秒円元块米倍階层本枚台匹歳岁升吨把张只条间位席件部册冊箱袋杯折成割%％]|か月|[ヶカヵ]月|公斤|公里|週間|小时|公顷|パーセント|ポイント|キロ|メートル|グラム|時間|工作日|星期|(?:から|至|到|[~～〜－-])[〇零一二三四五六七八九十百\d])/u;
const HAN_RUN = /(?<!\d)[〇零一二三四五六七八九两兩十百千万萬億亿兆]+/gu;
/** `百分之五十到六十` */
const PERCENT =
  /(?:百分之|(?<=百分之[〇零一二三四五六七八九十百]{1,9}[到至~～〜－-]))([〇零一二三四五六七八九十百]+)/gu;
/** Words that a run of these characters is, or begins. */
const WORDS = new Set(['万一', '千万', '一一', '万万', '十分', '一部']);

/** The value of a run of numerals; null for a word, and for digits in a row that count nothing, such as `三四`. */
function hanNumeral(run: string, behind: string): string | null {
  if (WORDS.has(run) || WORDS.has(run + behind.slice(0, 1))) return null;
  const isCounted = COUNTER.test(behind);
  if (/^[〇零一二三四五六七八九]+$/u.test(run)) {
    if (run.length === 1) return isCounted ? String(DIGITS[run]) : null;
    const isWritten = isCounted && (run.length > 2 || /[〇零]/u.test(run));
    return isWritten ? String(Number(Array.from(run, (digit) => DIGITS[digit]).join(''))) : null;
  }
  return isCounted || run.length > 2 ? String(valueOf(run)) : null;
}

/** The value of a numeral of digits and powers of ten: `二百五十`, `삼만 오천`. */
function valueOf(run: string): number {
  let [total, group, digit] = [0, 0, 0];
  for (const character of run) {
    const power = POWERS[character];
    if (power === undefined) digit = DIGITS[character] ?? digit;
    else if (power < 4) [group, digit] = [group + Math.max(1, digit) * 10 ** power, 0];
    else [total, group, digit] = [total + Math.max(1, group + digit) * 10 ** power, 0, 0];
  }
  return total + group + digit;
}

/** Native numerals with the forms of each, from one, and from ten. */
const NATIVE_ONES = numbered('한 하나|두 둘|세 셋 석|네 넷 넉|다섯|여섯|일곱|여덟|아홉', 1);
const NATIVE_TENS = numbered('열|스물 스무|서른|마흔|쉰|예순|일흔|여든|아흔', 10);

function numbered(words: string, step: number, from = step): Readonly<Record<string, number>> {
  const forms = words.split('|').map((each, at) => each.split(' ').map((word) => [word, from + at * step] as const));
  return Object.fromEntries(forms.flat());
}

const KOREAN_COUNTER =
  '명|개|번|차례|가지|달|해|시간?|사람|곳|마리|권|대|쪽|편|배|살|종|척|채|그루|째|단계|분|원|퍼센트|프로|년|월|일|주|층|미터|킬로|그램|리터|도|점|위|회|차|자리|장|병|잔|통|줄|칸|군데';
const NATIVE_NUMERAL = new RegExp(
  `(?<![가-힣\\d])(?=[^\\s\\d])(${Object.keys(NATIVE_TENS).join('|')})?(${Object.keys(NATIVE_ONES).join('|')})?` +
    `(?<=${[...Object.keys(NATIVE_TENS), ...Object.keys(NATIVE_ONES)].join('|')})(?=\\s?(?:${KOREAN_COUNTER}))`,
  'gu',
);
/** One digit alone counts only these: `이 사람` is `this person`. */
const KOREAN_NUMERAL = new RegExp(
  `(?<![가-힣\\d])(?:(?:[일이삼사오육칠팔구]?[십백천만억조]\\s?)+[일이삼사오육칠팔구]?(?=\\s?(?:${KOREAN_COUNTER}))|` +
    '[일이삼사오육칠팔구](?=층|월|년|퍼센트|학년|단계|인분|분기|주일(?!에)))',
  'gu',
);

/** Spans of days in one Korean word. */
const KOREAN_DAYS: Readonly<Record<string, number>> = { ...numbered('이틀|사흘|나흘|닷새', 1, 2), 열흘: 10, 보름: 15 };
const KOREAN_SPAN = new RegExp(`(?<![가-힣])(?:${Object.keys(KOREAN_DAYS).join('|')})(?!에)`, 'gu');

/** A text with some runs written otherwise, and the offset in the original for one of it. */
export interface Rewritten {
  readonly text: string;
  readonly at: (offset: number) => number;
}

/**
 * A text with numerals in Chinese characters and in Korean words as digits, where they count something: `午前十時` is `午前10時`, `열두 명`
 * is `12 명`, `삼만 오천 원` is `35000 원`.
 */
export function numeralsAsDigits(text: string): Rewritten {
  const steps: readonly [pattern: RegExp, write: (match: RegExpExecArray) => string | null][] = [
    [PERCENT, ([, run = '']) => `${valueOf(run)}%`],
    [HAN_RUN, ({ 0: run, index, input }) => hanNumeral(run, input.slice(index + run.length, index + run.length + 8))],
    [KOREAN_SPAN, ([run]) => `${KOREAN_DAYS[run]}일`],
    [KOREAN_NUMERAL, ([run]) => String(valueOf(run))],
    [NATIVE_NUMERAL, ([, tens = '', ones = '']) => String((NATIVE_TENS[tens] ?? 0) + (NATIVE_ONES[ones] ?? 0))],
  ];
  const read = /[가-힣]/u.test(text) ? steps : steps.slice(0, 2);
  return read.reduce<Rewritten>(
    (before, [pattern, write]) => {
      const after = rewritten(before.text, pattern, write);
      return { text: after.text, at: (offset) => before.at(after.at(offset)) };
    },
    { text, at: (offset) => offset },
  );
}

/** A text with what `write` makes of each match; null leaves it. */
function rewritten(text: string, pattern: RegExp, write: (match: RegExpExecArray) => string | null): Rewritten {
  const changes: { readonly start: number; readonly end: number; readonly from: number; readonly to: number }[] = [];
  let result = '';
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    const run = write(match);
    if (run === null) continue;
    result += text.slice(from, match.index);
    from = match.index + match[0].length;
    changes.push({ start: result.length, end: result.length + run.length, from: match.index, to: from });
    result += run;
  }
  if (changes.length === 0) return { text, at: (offset) => offset };
  return {
    text: result + text.slice(from),
    at: (offset) => {
      const change = changes.findLast(({ start }) => start <= offset);
      if (change === undefined) return offset;
      return offset < change.end
        ? change.from + Math.min(offset - change.start, change.to - change.from)
        : change.to + offset - change.end;
    },
  };
}
