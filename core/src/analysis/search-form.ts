import type { TextRange } from '../domain/block.ts';

/** A text as it is searched, whose ranges can be carried back to the text as it is written. */
export interface SearchForm {
  readonly text: string;
  /** The range of the written text that a range of this one stands for; whole characters with their marks. */
  readonly written: (range: TextRange) => TextRange;
}

/**
 * The form in which texts and queries are searched: letters and digits in the Unicode form NFKC (full and half width, ligatures, super- and
 * subscripts and unit signs are what people type), everything else in NFC; without characters that are invisible inside words (soft
 * hyphens, zero-width characters, variation selectors), without Arabic and Hebrew points and tatweel, with `е` for `ё`, and with the letters
 * that people without such a key type for `ß`, `œ`, `æ`, `ø`, `ł`, `đ` and `ı`. Marks that make another letter are kept. It is never shown
 * or cited.
 */
export function searchForm(text: string): string {
  return MAY_CHANGE.test(text) ? text.replaceAll(clusterPattern(), formOf) : text;
}

/** {@link searchForm} with the way back. */
export function traceableForm(text: string): SearchForm {
  if (!MAY_CHANGE.test(text)) return { text, written: (range) => range };
  const pieces: string[] = [];
  /** Where each unit's cluster begins and ends in the written text. */
  const starts: number[] = [];
  const ends: number[] = [];
  const take = (form: string, start: number, length: number): void => {
    pieces.push(form);
    for (let i = 0; i < form.length; i++) {
      starts.push(form.length === length ? start + i : start);
      ends.push(form.length === length ? start + i + 1 : start + length);
    }
  };
  let from = 0;
  for (const { 0: cluster, index } of text.matchAll(clusterPattern())) {
    const between = text.slice(from, index);
    take(between, from, between.length);
    take(formOf(cluster), index, cluster.length);
    from = index + cluster.length;
  }
  take(text.slice(from), from, text.length - from);
  return {
    text: pieces.join(''),
    written: ({ start, end }) => ({
      start: starts[start] ?? text.length,
      end: end > start ? (ends[end - 1] ?? text.length) : (starts[start] ?? text.length),
    }),
  };
}

/** What continues a character: marks, jamo after the first of a syllable, half-width voicing marks, and what is invisible. */
const CONTINUED = String.raw`\p{M}\p{DI}\u1160-\u11FF\uFF9E\uFF9F`;
/**
 * Characters that stay as they are unless marks follow: the letters and signs of common scripts. What is not listed is looked up, which only
 * takes longer.
 */
const STABLE =
  String.raw`\0-\u00A7\u00A9\u00AB\u00AC\u00AE\u00B0\u00B1\u00B6\u00B7\u00BB\u00BF-\u00C5\u00C7-\u00D7\u00D9-\u00DE\u00E0-\u00E5\u00E7-\u00F7\u00F9-\u010F\u0112-\u0130\u0134-\u013E\u0143-\u0148\u014A-\u0151\u0154-\u017E` +
  String.raw`\u0391-\u03CE\u0400\u0402-\u0450\u0452-\u0482\u048A-\u052F\u05D0-\u05EA\u0621-\u063A\u0641-\u064A\u0904-\u0939\u0E01-\u0E30` +
  String.raw`\u2010\u2012-\u2016\u2018-\u2027\u2190-\u21FF\u2500-\u27BF\u3000-\u3029\u3030-\u3035\u3041-\u3096\u30A1-\u30FE\u3131-\u318E\u3400-\u9FFF\uAC00-\uD7A3\uFF01-\uFF0F\uFF1A-\uFF20\uFF3B-\uFF40\uFF5B-\uFF65`;
const MAY_CHANGE = new RegExp(`[^${STABLE}]`);
let clusters: RegExp | undefined;

/** Matches what may change. It takes milliseconds to build, and most texts need none. */
function clusterPattern(): RegExp {
  clusters ??= new RegExp(`[^${STABLE}${CONTINUED}][${CONTINUED}]*|[${STABLE}]?[${CONTINUED}]+`, 'gu');
  return clusters;
}

/** Letters without a decomposition, and what is typed for them. */
const TYPED_AS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  œ: 'oe',
  Œ: 'OE',
  æ: 'ae',
  Æ: 'AE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ı: 'i',
  ё: 'е',
  Ё: 'Е',
};
const TYPED_OTHERWISE = new RegExp(`[${Object.keys(TYPED_AS).join('')}]`, 'g');

/** Signs that only say how a letter is spoken: Hebrew points, Arabic vowels and other marks, and the tatweel, which stretches a word. */
const POINTS =
  /[\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E8\u06EA-\u06ED]/g;
/** Written with a slash, which would become part of the number before. */
const FRACTION = /\u2044/;
const MAX_KNOWN = 10_000;
const known = new Map<string, string>();

function formOf(cluster: string): string {
  let form = known.get(cluster);
  if (form === undefined) {
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(cluster, (form = makeForm(cluster)));
  }
  return form;
}

function makeForm(cluster: string): string {
  const visible = cluster.replaceAll(/\p{DI}/gu, '');
  const folded = visible
    .normalize('NFKC')
    .replaceAll(POINTS, '')
    .replaceAll(TYPED_OTHERWISE, (letter) => TYPED_AS[letter] ?? letter);
  if (visible === '' || /^[\p{L}\p{N}\p{M}]/u.test(visible)) return FRACTION.test(folded) ? ` ${folded}` : folded;
  // A sign stands alone: the words beside `™` and `㎏` are not part of it.
  return /[\p{L}\p{N}]/u.test(folded) ? ` ${folded} ` : visible.normalize('NFC');
}
