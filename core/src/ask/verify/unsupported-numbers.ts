const NUMBER = /\d+(?:[.,'’\u00A0\u202F]\d+)*/g;
const LIST_NUMBERING = /^([ \t>*+-]*)\d{1,3}[.)](?=\s)/gm;

/**
 * The numbers of an answer that stand in none of these texts, in order, each once, as written. Thousands separators make no
 * difference; markers and the numbering of lists are no numbers. Markers must still have the form the model gave them.
 */
export function unsupportedNumbers(answer: string, texts: readonly string[]): readonly string[] {
  const known = new Set(texts.flatMap((text) => numbersIn(text).flatMap(readings)));
  const bare = asciiDigits(answer)
    .replaceAll(/\[#\d{1,3}\]/g, ' ')
    .replaceAll(LIST_NUMBERING, '$1');
  const unknown = numbersIn(bare).filter((number) => !isKnown(number, known));
  return [...new Set(unknown)];
}

function numbersIn(text: string): readonly string[] {
  return asciiDigits(text).match(NUMBER) ?? [];
}

function isKnown(number: string, known: ReadonlySet<string>): boolean {
  if (known.has(canonical(number))) return true;
  const parts = partsOf(number);
  return parts.length > 1 && isList(number) && parts.every((part) => known.has(canonical(part)));
}

/** Every way to read a number: as it is, and, for what may be an enumeration, each of its parts. */
function readings(number: string): readonly string[] {
  return isList(number) ? [canonical(number), ...partsOf(number).map(canonical)] : [canonical(number)];
}

/** Whether the separators may separate several numbers (`3,5` or `1066,1067`) rather than thousands. */
function isList(number: string): boolean {
  return number.includes(',') && canonical(number) === withoutZero(number);
}

function partsOf(number: string): readonly string[] {
  return number.split(',');
}

/** A number without thousands separators, and without the zero before a day or month. */
function canonical(number: string): string {
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(number)) return withoutZero(number.replaceAll(',', ''));
  if (/^\d{1,3}(?:['’\u00A0\u202F]\d{3})+(?:[.,]\d+)?$/.test(number))
    return withoutZero(number.replaceAll(/['’\u00A0\u202F]/g, ''));
  if (/^\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?$/.test(number)) return withoutZero(number.replaceAll('.', ''));
  return withoutZero(number);
}

function withoutZero(number: string): string {
  return number.replace(/^0(?=\d$)/, '');
}

function asciiDigits(text: string): string {
  return text.replaceAll(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0));
}
