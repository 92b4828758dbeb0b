/** Digits that are not those of ASCII: of other scripts, full-width, mathematical. Superscript digits are none. */
const OTHER_DIGITS = /(?![0-9])\p{Nd}+/gu;
const DIGIT = /\p{Nd}/u;

/**
 * A text with the decimal digits of every script as those of ASCII: `٣٢٠`, `３２０` and `𝟑𝟐𝟎` are `320`. Offsets do not change: where a digit
 * takes two UTF-16 units, spaces follow the number.
 */
export function asciiDigits(text: string): string {
  return text.replaceAll(OTHER_DIGITS, (digits) =>
    Array.from(digits, (digit) => String(valueOf(digit)))
      .join('')
      .padEnd(digits.length),
  );
}

/** Each script has its ten digits in a row, from zero. */
function valueOf(digit: string): number {
  const plain = digit.normalize('NFKC');
  if (/^[0-9]$/.test(plain)) return Number(plain);
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value++;
  return value;
}
