import type { QueryPhrase } from './analyse-query.ts';
import { foldInPlace, foldWord, scanWords } from './words.ts';
import { identifierParts } from './identifier-parts.ts';
import { searchForm } from './search-form.ts';

/** The folded words of a text, separated by single spaces: whole, and split into identifier parts. */
interface WordForms {
  readonly whole: string;
  readonly parts: string;
}

/** A text to search for phrases. */
export class SearchedText {
  readonly #text: string;
  #folded: string | undefined;
  #forms: WordForms | undefined;

  constructor(text: string) {
    this.#text = searchForm(text);
  }

  /**
   * Whether the text contains a phrase literally. Case, diacritics and separators between the words are ignored, but words must have the
   * same form. An identifier contains the phrase of its parts. Han, Hangul and kana match within a run as well (`한국` in `한국은`).
   */
  holds(phrase: QueryPhrase): boolean {
    if (!this.#mayHold(phrase)) return false;
    const { plain, ...wanted } = wantedForms(phrase);
    if (plain !== null && this.#holdsPlainly(plain)) return true;
    this.#forms ??= wordForms(this.#text);
    return occurs(wanted.whole, this.#forms.whole, phrase) || occurs(wanted.parts, this.#forms.parts, phrase);
  }

  /** Fast path: finds a phrase of ASCII words surrounded by ASCII, without splitting the text into words. */
  #holdsPlainly(plain: RegExp): boolean {
    const found = plain.exec(this.#folded ?? '');
    // A letter beyond ASCII may have been folded to an ASCII one.
    return found !== null && !BEYOND_ASCII.test(this.#text.slice(found.index, found.index + found[0].length));
  }

  /** Rules out most texts at a fraction of the cost of splitting them into words. */
  #mayHold({ parts }: QueryPhrase): boolean {
    this.#folded ??= foldInPlace(this.#text);
    const folded = this.#folded;
    return parts.every(({ tokens }) =>
      tokens.every((token) => token.split(/[_*]/).every((piece) => folded.includes(piece))),
    );
  }
}

/** The forms of a phrase that are searched for. */
interface WantedForms extends WordForms {
  /** Matches its words in folded text if all characters between and next to them are ASCII; null for a phrase with other letters. */
  readonly plain: RegExp | null;
}

const BEYOND_ASCII = /[\u0080-\uFFFF]/;
const PLAIN_WORDS = /^ (?:[a-z0-9]+ )+$/;
/** ASCII characters that separate words, including `_`. */
const BETWEEN = String.raw`[\u0000-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u007F]`;
const wantedOf = new WeakMap<QueryPhrase, WantedForms>();

function wantedForms(phrase: QueryPhrase): WantedForms {
  let wanted = wantedOf.get(phrase);
  if (wanted === undefined) {
    const forms = wordForms(searchForm(phrase.text));
    const words =
      PLAIN_WORDS.test(forms.whole) && !endsOpen(phrase) ? forms.whole.trim().replaceAll(' ', `${BETWEEN}+`) : null;
    const plain =
      words === null ? null : new RegExp(`(?<![^\\u0000-\\u007F]|[a-z0-9])${words}(?![^\\u0000-\\u007F]|[a-z0-9])`);
    wantedOf.set(phrase, (wanted = { ...forms, plain }));
  }
  return wanted;
}

/** `_` separates words here, as it does in the index; a run of Han, Hangul or kana counts as a word. */
function wordForms(text: string): WordForms {
  let whole = ' ';
  let parts = ' ';
  for (const { kind, text: word } of scanWords(text)) {
    for (const piece of kind === 'cjk' ? [word] : word.split('_')) {
      if (piece === '') continue;
      const folded = foldWord(piece);
      whole += `${folded} `;
      const cut = kind === 'cjk' ? '' : identifierParts(piece);
      parts += cut === '' ? `${folded} ` : `${foldWord(cut.slice(1))} `;
    }
  }
  return { whole, parts };
}

/** A phrase that begins or ends with Han, Hangul or kana may match part of a run, and a final prefix may match part of a word. */
function occurs(wanted: string, text: string, phrase: QueryPhrase): boolean {
  const from = phrase.parts[0]?.column === 'cjk' ? 1 : 0;
  return text.includes(wanted.slice(from, endsOpen(phrase) ? -1 : wanted.length));
}

function endsOpen({ parts }: QueryPhrase): boolean {
  const last = parts.at(-1);
  return last?.column === 'cjk' || last?.tokens.at(-1)?.endsWith('*') === true;
}
