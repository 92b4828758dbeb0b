import type { TextRun } from './text-run.ts';

/** Letters this far apart, in multiples of the font size, are not one word, however even their distances. */
const MAX_LETTER_GAP = 1;
/** The widest gap between two words of spaced letters. */
const MAX_WORD_GAP = 3;
/** Syllables of Hangul closer than this are words of one syllable. */
const MIN_HANGUL_GAP = 0.4;
/** How much the gaps, or the distances, of evenly spaced letters differ, in multiples of the font size. */
const EVEN = 0.12;
/** A gap between words is wider than one between letters by at least this much. */
const BLANK = 0.2;
/** A line of spaced letters has at least this many; a part of a line more, because single letters are also variables. */
const MIN_OF_LINE = 4;
const MIN_OF_PART = 6;

/** The minimum share of letters among the characters. */
const MIN_LETTERS = 0.7;

const LETTER = /^\p{L}\p{M}*$/u;
/** A letter, or a digit or mark inside a heading; operators and brackets are of a formula. */
const ONE_CHARACTER = /^[\p{L}\p{N}.,:!?&'’-]\p{M}*$/u;
const HANGUL = /\p{Script=Hangul}/u;

/**
 * Joins letters drawn one by one at even distances, as in a spaced heading, to words. `runs` are in the order of the stream; the position
 * of a joined run is that of its letters.
 */
export function joinSpacedLetters(runs: readonly TextRun[]): readonly TextRun[] {
  const joined: TextRun[] = [];
  for (let at = 0; at < runs.length;) {
    let end = at + 1;
    if (ONE_CHARACTER.test(runs[at]?.text ?? '')) while (end < runs.length && follows(runs[end - 1], runs[end])) end++;
    const letters = runs.slice(at, end);
    const isLine = !sharesLine(runs[at - 1], runs[at]) && !sharesLine(runs[end - 1], runs[end]);
    const word = letters.length >= (isLine ? MIN_OF_LINE : MIN_OF_PART) ? wordsOf(letters) : undefined;
    if (word === undefined) joined.push(...letters);
    else joined.push(word);
    at = end;
  }
  return joined.length === runs.length ? runs : joined.map((run, order) => ({ ...run, order }));
}

function sharesLine(one: TextRun | undefined, other: TextRun | undefined): boolean {
  return one !== undefined && other !== undefined && one.turn === other.turn && Math.abs(one.v - other.v) < 1;
}

function follows(last: TextRun | undefined, run: TextRun | undefined): boolean {
  if (last === undefined || run === undefined || !sharesLine(last, run)) return false;
  const gap = (run.u0 - last.u1) / run.size;
  return (
    ONE_CHARACTER.test(run.text) && Math.abs(run.size - last.size) < 0.05 * run.size && gap > 0 && gap <= MAX_WORD_GAP
  );
}

/** The letters as one run with a space between words; undefined if they are not evenly spaced. */
function wordsOf(letters: readonly TextRun[]): TextRun | undefined {
  const [first, last] = [letters[0], letters.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  if (letters.filter(({ text }) => LETTER.test(text)).length < MIN_LETTERS * letters.length) return undefined;
  const steps = letters.slice(1).map((letter, at) => {
    const before = letters[at] ?? first;
    return { gap: (letter.u0 - before.u1) / first.size, pitch: (letter.u0 - before.u0) / first.size };
  });
  const gap = median(steps.map((step) => step.gap));
  if (gap > MAX_LETTER_GAP || (HANGUL.test(first.text) && gap < MIN_HANGUL_GAP)) return undefined;
  const pitch = median(steps.map((step) => step.pitch));
  const blanks = [
    evenSteps(
      steps.map((step) => step.gap),
      gap,
      gap + BLANK,
    ),
    evenSteps(
      steps.map((step) => step.pitch),
      pitch,
      1.6 * pitch,
    ),
  ].find((found) => found !== undefined);
  if (blanks === undefined) return undefined;
  const text = letters
    .map((letter, at) => (at > 0 && blanks[at - 1] === true ? ` ${letter.text}` : letter.text))
    .join('');
  return { ...first, text, u1: last.u1 };
}

/** Of each step whether it is one between words; undefined if the others differ. */
function evenSteps(steps: readonly number[], usual: number, blank: number): readonly boolean[] | undefined {
  const isEven = steps.every((step) => step >= blank || Math.abs(step - usual) <= EVEN);
  return isEven ? steps.map((step) => step >= blank) : undefined;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[(numbers.length - 1) >> 1] ?? 0;
}
