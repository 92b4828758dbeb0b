import type { QueryPhrase } from './analyse-query.ts';
import { foldInPlace, foldWord, scanWords } from './words.ts';
import { identifierParts } from './identifier-parts.ts';

/** Folded words between single spaces, as they are written and as cut into their parts. */
interface WordForms {
  readonly whole: string;
  readonly parts: string;
}

/** A text in which phrases are looked for. */
export class SearchedText {
  readonly #text: string;
  #folded: string | undefined;
  #forms: WordForms | undefined;

  constructor(text: string) {
    this.#text = text.normalize('NFC');
  }

  /**
   * Whether a phrase stands in the text, word for word: case, diacritics and what separates the words do not matter, word
   * forms do. An identifier holds the phrase of its parts. Han, Hangul and kana match inside a run as well (`한국` in
   * `한국은`).
   */
  holds(phrase: QueryPhrase): boolean {
    if (!this.#mayHold(phrase)) return false;
    const { plain, ...wanted } = wantedForms(phrase);
    if (plain !== null && this.#holdsPlainly(plain)) return true;
    this.#forms ??= wordForms(this.#text);
    return occurs(wanted.whole, this.#forms.whole, phrase) || occurs(wanted.parts, this.#forms.parts, phrase);
  }

  /** Finds a phrase of plain words where nothing but plain words stands around it, without taking the text apart. */
  #holdsPlainly(plain: RegExp): boolean {
    const found = plain.exec(this.#folded ?? '');
    // A letter beyond ASCII may have been folded to a plain one.
    return found !== null && !BEYOND_ASCII.test(this.#text.slice(found.index, found.index + found[0].length));
  }

  /** Rules out most texts at a small part of the price of taking them apart. */
  #mayHold({ parts }: QueryPhrase): boolean {
    this.#folded ??= foldInPlace(this.#text);
    const folded = this.#folded;
    return parts.every(({ tokens }) =>
      tokens.every((token) => token.split(/[_*]/).every((piece) => folded.includes(piece))),
    );
  }
}

/** What is looked for of a phrase. */
interface WantedForms extends WordForms {
  /** Finds its words in folded text where only ASCII stands between and beside them; null for a phrase of other letters. */
  readonly plain: RegExp | null;
}

const BEYOND_ASCII = /[\u0080-\uFFFF]/;
const PLAIN_WORDS = /^ (?:[a-z0-9]+ )+$/;
/** ASCII that is part of no word; `_` separates words as well. */
const BETWEEN = String.raw`[\u0000-\u002F\u003A-\u0040\u005B-\u0060\u007B-\u007F]`;
const wantedOf = new WeakMap<QueryPhrase, WantedForms>();

function wantedForms(phrase: QueryPhrase): WantedForms {
  let wanted = wantedOf.get(phrase);
  if (wanted === undefined) {
    const forms = wordForms(phrase.text.normalize('NFC'));
    const words =
      PLAIN_WORDS.test(forms.whole) && !endsOpen(phrase) ? forms.whole.trim().replaceAll(' ', `${BETWEEN}+`) : null;
    const plain =
      words === null ? null : new RegExp(`(?<![^\\u0000-\\u007F]|[a-z0-9])${words}(?![^\\u0000-\\u007F]|[a-z0-9])`);
    wantedOf.set(phrase, (wanted = { ...forms, plain }));
  }
  return wanted;
}

/** `_` separates words here, as it does in the index; a run of Han, Hangul or kana is a word. */
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

/** At an end of Han, Hangul or kana the phrase need not end where the run does, and a prefix need not end where the word does. */
function occurs(wanted: string, text: string, phrase: QueryPhrase): boolean {
  const from = phrase.parts[0]?.column === 'cjk' ? 1 : 0;
  return text.includes(wanted.slice(from, endsOpen(phrase) ? -1 : wanted.length));
}

function endsOpen({ parts }: QueryPhrase): boolean {
  const last = parts.at(-1);
  return last?.column === 'cjk' || last?.tokens.at(-1)?.endsWith('*') === true;
}
