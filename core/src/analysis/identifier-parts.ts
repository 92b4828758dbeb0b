const SEPARATOR = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
/** A letter without case, or one beyond Latin-1. No border is seen beside it. */
const CASELESS = 4;

// Written out as ranges: asking Unicode for each would compile three regular expressions whenever a process starts.
/** First and last unit of each stretch of letters and digits in Latin-1, with their kind. */
const LATIN_1: readonly (readonly [first: number, last: number, kind: number])[] = [
  [0x30, 0x39, DIGIT],
  [0x41, 0x5a, UPPER],
  [0x61, 0x7a, LOWER],
  [0xaa, 0xaa, CASELESS],
  [0xb2, 0xb3, CASELESS],
  [0xb5, 0xb5, LOWER],
  [0xb9, 0xba, CASELESS],
  [0xbc, 0xbe, CASELESS],
  [0xc0, 0xd6, UPPER],
  [0xd8, 0xde, UPPER],
  [0xdf, 0xf6, LOWER],
  [0xf8, 0xff, LOWER],
];

const KIND_OF_UNIT = new Uint8Array(256);
for (const [first, last, kind] of LATIN_1) KIND_OF_UNIT.fill(kind, first, last + 1);

/** Whether a word has a border before the last of three units, by their kinds, 3 bits each; the last may be one too late. */
const MAY_BE_BORDER = Uint8Array.from({ length: 512 }, (_, kinds) => {
  const before = kinds >> 6;
  const last = (kinds >> 3) & 7;
  const next = kinds & 7;
  const changesCase = (last === LOWER && next === UPPER) || (before === UPPER && last === UPPER && next === LOWER);
  const meetsDigit =
    (last === DIGIT && (next === LOWER || next === UPPER)) || (next === DIGIT && (last === LOWER || last === UPPER));
  return changesCase || meetsDigit ? 1 : 0;
});

/** A word with more parts than this is a hash or encoded data, and is left whole. */
const MAX_PARTS = 8;

/** Enough for nearly every chunk; what it holds means nothing between calls. */
const SCRATCH = Buffer.alloc(32_768);

/**
 * The parts of all identifiers in a text, each after a space; empty when it has none. Words without a border give nothing:
 * they are indexed as they are. `'see parseHTTPUrl2'` gives `' parse HTTP Url 2'`.
 */
export function identifierParts(text: string): string {
  const units = text.length <= SCRATCH.length ? SCRATCH : Buffer.alloc(text.length);
  // Characters beyond Latin-1 lose their high byte here. That can only make a look at a word superfluous, because borders
  // lie between Latin-1 characters, and it makes the scan several times faster than one over the string.
  const length = units.write(text, 'latin1');
  let parts = '';
  let kinds = 0;
  for (let i = 0; i < length; i++) {
    kinds = ((kinds << 3) | (KIND_OF_UNIT[units[i] as number] as number)) & 511;
    if (MAY_BE_BORDER[kinds] === 0) continue;
    let start = i;
    while (start > 0 && kindAt(text, start - 1) !== SEPARATOR) start--;
    let end = i + 1;
    while (end < length && kindAt(text, end) !== SEPARATOR) end++;
    parts += partsOfWord(text, start, end);
    i = end - 1;
    kinds = 0;
  }
  return parts;
}

/** The word cut at case changes and at borders of letters and digits; empty without any. `APIs` is one word. */
function partsOfWord(text: string, from: number, to: number): string {
  let parts = '';
  let count = 1;
  let start = from;
  let kinds = 0;
  for (let i = from; i < to; i++) {
    kinds = ((kinds << 3) | kindAt(text, i)) & 511;
    if (MAY_BE_BORDER[kinds] === 0) continue;
    const endsAcronym = (kinds & 63) === ((UPPER << 3) | LOWER);
    if (endsAcronym && i === to - 1 && text[i] === 's') break;
    const border = endsAcronym ? i - 1 : i;
    if (border > start) parts += ` ${text.slice(start, border)}`;
    start = border;
    count++;
  }
  return parts === '' || count > MAX_PARTS ? '' : `${parts} ${text.slice(start, to)}`;
}

function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 256) return KIND_OF_UNIT[unit] as number;
  return /[\p{L}\p{N}\p{M}]/u.test(text[at] ?? '') ? CASELESS : SEPARATOR;
}
